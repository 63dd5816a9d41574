/**
 * Originals that are damaged here and still in the transcript that they were imported from. The hash of the line decides
 * whether the file still holds what was read, wherever the line is in it by now.
 */
import { isPalimpsestError } from "../../errors.ts";
import { everyRow } from "../../store/every-row.ts";
import type { ScopedStore } from "../../store/store.ts";
import { sha256 } from "../../text/hash.ts";
import { decodeExactly } from "../../text/utf8.ts";
import { readLines } from "../ingest/transcripts/read-lines.ts";
import { checkChain } from "./check-chain.ts";
import type { Problem } from "./integrity.ts";

interface Source {
  readonly content: string | Uint8Array;
  readonly from: string;
}

/** Problems with the content of messages, with the way to mend them where there is one. */
export async function withSources(
  scoped: ScopedStore,
  conversation: string,
  problems: readonly Problem[],
): Promise<readonly Problem[]> {
  const broken = problems.filter(({ check }) => check === checkChain.name);
  const seqs = new Set(broken.flatMap(({ seq }) => seq ?? []));
  // Of such a message, its files and its line are not what they were either.
  const damaged = problems.filter(({ seq, repair }) => seq !== null && seqs.has(seq) && repair === null);
  const sources = await findInSources(scoped, conversation, seqs);
  return problems.map((problem) => {
    const source = sources.get(problem.seq ?? 0);
    if (source === undefined || !damaged.includes(problem)) return problem;
    return { ...problem, repair: { kind: "restore-message", seq: problem.seq ?? 0, ...source } };
  });
}

async function findInSources(
  scoped: ScopedStore,
  conversation: string,
  seqs: ReadonlySet<number>,
): Promise<ReadonlyMap<number, Source>> {
  const found = new Map<number, Source>();
  for (const [path, wanted] of await wantedLines(scoped, conversation, seqs))
    try {
      for await (const { bytes } of readLines(path)) {
        const seq = wanted.get(sha256(bytes));
        if (seq !== undefined) found.set(seq, { content: decodeExactly(bytes) ?? bytes.slice(), from: path });
      }
    } catch (error) {
      // The transcript is gone, or closed to this user: what is damaged stays reported.
      if (!isPalimpsestError(error)) throw error;
    }
  return found;
}

/** By file: the hashes of lines that the messages came in. */
async function wantedLines(
  scoped: ScopedStore,
  conversation: string,
  seqs: ReadonlySet<number>,
): Promise<ReadonlyMap<string, ReadonlyMap<string, number>>> {
  const files = new Map<string, Map<string, number>>();
  if (seqs.size === 0) return files;
  for (const { number: transcript, path } of await scoped.transcripts(conversation))
    for await (const { seq, hash } of everyRow((from) =>
      scoped.transcriptLines(conversation, { transcript, from }),
    )) {
      if (seq === null || hash === null || !seqs.has(seq)) continue;
      const lines = files.get(path) ?? new Map<string, number>();
      files.set(path, lines.set(hash, seq));
    }
  return files;
}
