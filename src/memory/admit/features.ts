/** The inputs of admission: five numbers between 0 and 1 about a candidate, each with its evidence. */
import type { MemoryText } from "../../memory-types.ts";
import { splitSentences } from "../../text/language/split-sentences.ts";
import { wordsOf } from "../../text/language/words.ts";
import { clamp01 } from "../clamp.ts";
import { DAY_MS } from "../days.ts";

const F1_WEIGHT = 0.7;
const COVERAGE_WEIGHT = 0.3;
/** The penalty for words that do not occur in the conversation. */
const UNSAID_PENALTY = 0.25;
/** Shorter spans of a conversation are not evidence. */
const SHORTEST_SPAN = 4;

interface Confidence {
  readonly confidence: number;
  /** The F1 score of the most similar span. */
  readonly bestF1: number;
  /** The share of its words that occur in the conversation. */
  readonly coverage: number;
}

/** How well the conversation supports a candidate. */
export function confidenceOf(
  { abstract, content }: Pick<MemoryText, "abstract" | "content">,
  conversation: string,
): Confidence {
  const candidate = tokensOf(`${abstract}\n${content}`);
  const said = new Set(tokensOf(conversation));
  const bestF1 = spansOf(conversation).reduce(
    (best, span) => Math.max(best, lcsF1(candidate, tokensOf(span))),
    0,
  );
  const unique = new Set(candidate);
  const coverage = unique.size === 0 ? 0 : [...unique].filter((word) => said.has(word)).length / unique.size;
  const confidence = clamp01(
    F1_WEIGHT * bestF1 + COVERAGE_WEIGHT * coverage - UNSAID_PENALTY * (1 - coverage),
  );
  return { confidence, bestF1, coverage };
}

/** Every line, and every sentence. */
function spansOf(conversation: string): readonly string[] {
  const pieces = [...conversation.split("\n"), ...splitSentences(conversation)];
  return [...new Set(pieces.map((piece) => piece.trim()))].filter((piece) => piece.length >= SHORTEST_SPAN);
}

function tokensOf(text: string): readonly string[] {
  return wordsOf(text).map((word) => word.text);
}

/** The harmonic mean of the shares that the longest common subsequence has of both. */
export function lcsF1(candidate: readonly string[], span: readonly string[]): number {
  const common = lcsLength(candidate, span);
  if (common === 0) return 0;
  const [precision, recall] = [common / candidate.length, common / span.length];
  return (2 * precision * recall) / (precision + recall);
}

/** Two rows are enough: each cell needs only the row above it. */
export function lcsLength(a: readonly string[], b: readonly string[]): number {
  let above = new Uint32Array(b.length + 1);
  let row = new Uint32Array(b.length + 1);
  for (const word of a) {
    for (let column = 1; column <= b.length; column++)
      row[column] =
        word === b[column - 1]
          ? (above[column - 1] ?? 0) + 1
          : Math.max(above[column] ?? 0, row[column - 1] ?? 0);
    [above, row] = [row, above];
  }
  return above[b.length] ?? 0;
}

/** A memory that was compared with the candidate. */
export interface Compared {
  readonly id: string;
  readonly category: string;
  readonly cosine: number;
  readonly createdAt: string;
}

interface Novelty {
  readonly novelty: number;
  readonly maxSimilarity: number;
  /** Memories that say about the same, nearest first. */
  readonly matched: readonly Compared[];
}

/** Measured against memories of its own category, if there are any. */
export function noveltyOf(category: string, compared: readonly Compared[], matchedFrom: number): Novelty {
  const own = compared.filter((memory) => memory.category === category);
  const pool = own.length > 0 ? own : compared;
  const maxSimilarity = clamp01(Math.max(0, ...pool.map(({ cosine }) => clamp01(cosine))));
  const matched = pool
    .filter(({ cosine }) => cosine >= matchedFrom)
    .toSorted((a, b) => b.cosine - a.cosine || (a.id < b.id ? -1 : 1));
  return { novelty: clamp01(1 - maxSimilarity), maxSimilarity, matched };
}

/** How long ago the same was last stored: 1 for never, 0 for just now. */
export function recencyOf(matched: readonly Compared[], now: number, halfLifeDays: number): number {
  if (matched.length === 0) return 1;
  const newest = Math.max(...matched.map(({ createdAt }) => Date.parse(createdAt)));
  const gapDays = Math.max(0, (now - newest) / DAY_MS);
  return clamp01(1 - 2 ** (-gapDays / halfLifeDays));
}

/** The utility without a model, or when its response cannot be read. */
const UNKNOWN_UTILITY = 0.5;

export function utilityOf(rated: number | null): number {
  return rated === null ? UNKNOWN_UTILITY : clamp01(rated, UNKNOWN_UTILITY);
}
