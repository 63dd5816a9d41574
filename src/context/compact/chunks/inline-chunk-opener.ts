/** Works on chunks in this thread, with the host's own token counter. */

import { PalimpsestError } from "../../../errors.ts";
import type { CountTokens } from "../../../text/estimate-tokens.ts";
import { unlessCancelled as unless } from "../../../threads/unless-cancelled.ts";
import type { ChunkOpener, OpenChunk } from "./chunk-opener.ts";
import { ChunkWork } from "./chunk-work.ts";

export function inlineChunkOpener(countTokens: CountTokens): ChunkOpener {
  return {
    expectWork() {},
    async open(source, terms, signal) {
      if (signal?.aborted === true) throw cancelled();
      return openHere(new ChunkWork(source, terms, countTokens), signal);
    },
  };
}

function openHere(work: ChunkWork, signal: AbortSignal | undefined): OpenChunk {
  const unlessCancelled = async <Result>(run: () => Result | Promise<Result>) => {
    if (signal?.aborted === true) throw cancelled();
    return run();
  };
  return {
    text: work.text,
    fileIds: work.fileIds,
    take: (answer) => unlessCancelled(() => work.take(answer)),
    offline: () => unlessCancelled(() => work.offline()),
    release() {},
  };
}

function cancelled(): PalimpsestError {
  return new PalimpsestError("cancelled", "the compaction was cancelled");
}

/** The result, or `cancelled` as soon as the signal aborts. The rest of the work is then ignored. */
export function unlessCancelled<Result>(
  waited: Promise<Result>,
  signal: AbortSignal | undefined,
): Promise<Result> {
  return unless(waited, signal, cancelled);
}
