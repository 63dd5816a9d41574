/** The result or the plan of one pass of a compaction. */
import type { SummaryQuality } from "../../types.ts";
import { type Chunk, sourcesIn } from "./plan/chunk.ts";
import type { MadeSummary } from "./summarise-chunk.ts";

export interface CompactionPass {
  readonly kind: Chunk["kind"];
  readonly depth: number;
  /** Number of summarised messages or summaries, and their tokens. */
  readonly sources: number;
  readonly sourceTokens: number;
  /** The new summary; null in a plan. */
  readonly summary: string | null;
  readonly tokens: number | null;
  readonly quality: SummaryQuality | null;
  readonly model: string | null;
  readonly fidelity: number | null;
  /** The result of each level of the escalation: `normal: too-long`, `aggressive: ok`. */
  readonly attempts: readonly string[];
  /** The problem of the last model call that failed; null if none did. */
  readonly failure: string | null;
  /** Model calls, successful or not, and their price in US dollars if the provider reports it. */
  readonly calls: number;
  readonly cost: number | null;
  readonly milliseconds: number;
  /** Tokens of the whole context before and after. */
  readonly contextTokensBefore: number;
  readonly contextTokensAfter: number | null;
}

const NOT_DONE = {
  summary: null,
  tokens: null,
  quality: null,
  model: null,
  fidelity: null,
  attempts: [],
  failure: null,
  calls: 0,
  cost: null,
  milliseconds: 0,
  contextTokensAfter: null,
} as const;

export function plannedPass(chunk: Chunk, contextTokensBefore: number): CompactionPass {
  return { ...shapeOf(chunk), ...NOT_DONE, contextTokensBefore };
}

export function donePass(
  chunk: Chunk,
  made: MadeSummary,
  done: Pick<CompactionPass, "summary" | "milliseconds" | "contextTokensBefore" | "contextTokensAfter">,
): CompactionPass {
  const { tokenCount: tokens, quality, model, fidelity, attempts, failure, calls, cost } = made;
  return { ...shapeOf(chunk), tokens, quality, model, fidelity, attempts, failure, calls, cost, ...done };
}

function shapeOf(chunk: Chunk) {
  return {
    kind: chunk.kind,
    depth: chunk.kind === "leaf" ? 0 : chunk.depth,
    sources: sourcesIn(chunk),
    sourceTokens: chunk.tokens,
  };
}
