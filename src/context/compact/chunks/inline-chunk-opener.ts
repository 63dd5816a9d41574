/** Works on chunks right here, with whatever counts the host's tokens. */
import type { CountTokens } from "../../../text/estimate-tokens.ts";
import { cancelled } from "./cancelled.ts";
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
