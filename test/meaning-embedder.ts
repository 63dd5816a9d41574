/** A host's embedder whose vectors say which of a few subjects a text is about. */
import type { HostEmbedder } from "../src/model/embed/embedder.ts";

const SUBJECTS = [
  /\b(dogs?|puppy|hounds?|kennels?|animals?|creature)\b/i,
  /\b(taxes|invoice|money)\b/i,
  /\b(lake|swim|holiday|summer)\b/i,
];

export interface MeaningEmbedder extends HostEmbedder {
  /** Every passage that was embedded. */
  readonly passages: readonly string[];
  /** From now on it throws this; null mends it. */
  fail(problem: string | null): void;
}

export function meaningEmbedder({ model = "test/meaning", hangs = false } = {}): MeaningEmbedder {
  const passages: string[] = [];
  let problem: string | null = null;
  return {
    model,
    dimensions: SUBJECTS.length + 1,
    longestInput: 60,
    passages,
    fail: (why) => {
      problem = why;
    },
    embed: async (texts, { purpose, signal }) => {
      if (problem !== null) throw new Error(problem);
      if (hangs)
        await new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
      if (purpose === "passage") passages.push(...texts);
      return texts.map(meaningVector);
    },
  };
}

/** The last number stands for everything else, and keeps it from being 0. */
export function meaningVector(text: string): number[] {
  return [...SUBJECTS.map((subject) => (subject.test(text) ? 1 : 0)), 0.3];
}
