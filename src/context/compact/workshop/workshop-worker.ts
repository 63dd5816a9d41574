/** The thread in which chunks are worked on. It holds those that are open, and nothing else. */
import { PalimpsestError } from "../../../errors.ts";
import { estimateTokens } from "../../../text/estimate-tokens.ts";
import { answerCalls } from "../../../threads/answer-calls.ts";
import type { UnreadSource } from "../source.ts";
import { type Answer, type ChunkTerms, ChunkWork } from "./chunk-work.ts";

const chunks = new Map<number, ChunkWork>();

answerCalls({
  open: (chunk: number, source: UnreadSource, terms: ChunkTerms) => {
    const work = new ChunkWork(source, terms, estimateTokens);
    chunks.set(chunk, work);
    return { text: work.text, fileIds: work.fileIds };
  },
  take: (chunk: number, answer: Answer) => opened(chunk).take(answer),
  offline: (chunk: number) => opened(chunk).offline(),
  release: (chunk: number) => {
    chunks.delete(chunk);
  },
});

function opened(chunk: number): ChunkWork {
  const work = chunks.get(chunk);
  if (work === undefined) throw new PalimpsestError("internal", "this chunk is not open");
  return work;
}
