/** The entry point of every compute thread. Its only state is the open chunks. */

import type { Answer, ChunkTerms, ChunkWork } from "../context/compact/chunks/chunk-work.ts";
import type { UnreadSource } from "../context/compact/source.ts";
import { PalimpsestError } from "../errors.ts";
import { estimateTokens } from "../text/estimate-tokens.ts";
import { answerCalls } from "../threads/answer-calls.ts";
import { COMPUTE_CALLS } from "./compute-calls.ts";

const chunks = new Map<number, Promise<ChunkWork>>();

answerCalls({
  ...COMPUTE_CALLS,
  expectChunks: loadChunkWork,
  openChunk: async (chunk: number, source: UnreadSource, terms: ChunkTerms) => {
    const opening = openChunk(source, terms);
    chunks.set(chunk, opening);
    const { text, fileIds } = await opening;
    return { text, fileIds };
  },
  takeAnswer: async (chunk: number, answer: Answer) => (await opened(chunk)).take(answer),
  summariseOffline: async (chunk: number) => (await opened(chunk)).offline(),
  releaseChunk: (chunk: number) => {
    chunks.delete(chunk);
  },
  close: () => chunks.clear(),
});

function loadChunkWork() {
  return import("../context/compact/chunks/chunk-work.ts");
}

async function openChunk(source: UnreadSource, terms: ChunkTerms): Promise<ChunkWork> {
  const { ChunkWork } = await loadChunkWork();
  return new ChunkWork(source, terms, estimateTokens);
}

function opened(chunk: number): Promise<ChunkWork> {
  const work = chunks.get(chunk);
  if (work === undefined) throw new PalimpsestError("internal", "this chunk is not open");
  return work;
}
