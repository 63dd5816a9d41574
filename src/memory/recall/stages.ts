/**
 * The stages after the fusion, by name, and their complete order in the mode `seed`. Noise, expiry and support come after
 * the last threshold: they move a memory down or up, and only the limit can cut it. The caller calls the reranker between
 * `BEFORE_RERANK` and the rest.
 */

import { type Memory, saidAt } from "../../memory-types.ts";
import type { Vector } from "../cosine.ts";
import { decayBoost } from "../forget/decay.ts";
import { supportOf } from "../support.ts";
import { defer } from "./diversity.ts";
import { expiryOf } from "./expiry.ts";
import { noiseOf } from "./noise.ts";
import { blendCosine, blendRerank, type RerankScores } from "./rerank-blend.ts";
import { importanceFactor, lengthFactor, recencyBonus, timeFactor } from "./score-rules.ts";
import { keep, pass, rescore, type Scored, type StageResult, type StageTrace } from "./stage.ts";

const MIN_SCORE = 0.3;
const HARD_MIN_SCORE = 0.35;
/** The number of hits for the reranker, as a multiple of the limit. */
const RERANK_WINDOW = 2;
/** The value of the mode `seed`, when enabled. */
export const SEED_DIVERSITY = 0.85;

export interface StageInput {
  readonly now: number;
  readonly limit: number;
  /** The scores of the reranker; null when it failed or there is none. */
  readonly rerank: RerankScores | null;
  readonly queryVector: Vector | null;
  /** The cosine above which a hit duplicates another one. Null: off. */
  readonly diversityAbove: number | null;
}

type Stage = (items: readonly Scored[], input: StageInput) => StageResult;

const STAGES = {
  min_score: (items) => keep("min_score", items, ({ score }) => score >= MIN_SCORE),
  rerank_window: (items, { limit }) =>
    keep("rerank_window", items, (_, index) => index < limit * RERANK_WINDOW),
  rerank: (items, { rerank, queryVector }) =>
    rerank === null ? blendCosine(items, queryVector) : blendRerank(items, rerank),
  recency_boost: (items, { now }) =>
    rescore("recency_boost", items, ({ score, memory }) => ({
      score: score + recencyBonus(agedBySaid(memory), now),
    })),
  importance_weight: (items) =>
    rescore("importance_weight", items, ({ score, memory }) => ({
      score: score * importanceFactor(memory),
    })),
  length_norm: (items) =>
    rescore("length_norm", items, ({ score, memory }) => ({
      score: score * lengthFactor(memory.abstract.length),
    })),
  time_decay: (items, { now }) =>
    rescore("time_decay", items, ({ score, memory }) => ({
      score: score * timeFactor(agedBySaid(memory), now),
    })),
  decay_boost: (items, { now }) =>
    rescore("decay_boost", items, ({ score, memory }) => {
      const { factor, reason } = decayBoost(agedBySaid(memory), now);
      return { score: score * factor, reason };
    }),
  hard_min_score: (items) => keep("hard_min_score", items, ({ score }) => score >= HARD_MIN_SCORE),
  noise: (items) =>
    rescore("noise", items, ({ score, memory }) => {
      const { factor, reason } = noiseOf(memory.abstract);
      return { score: score * factor, reason };
    }),
  expiry: (items, { now }) =>
    rescore("expiry", items, ({ score, memory }) => {
      const { factor, reason } = expiryOf(memory.validUntil, now);
      return { score: score * factor, reason };
    }),
  support: (items) =>
    rescore("support", items, ({ score, memory }) => {
      const { factor, reason } = supportOf(memory.support);
      return { score: score * factor, reason };
    }),
  diversity: (items, { diversityAbove }) =>
    diversityAbove === null ? pass("diversity", items, "This stage is off.") : defer(items, diversityAbove),
  limit: (items, { limit }) => keep("limit", items, (_, index) => index < limit),
} as const satisfies Record<string, Stage>;

/** Its age in the ranking counts from when it was said, not from its capture. */
function agedBySaid(memory: Memory): Memory {
  return { ...memory, createdAt: saidAt(memory) };
}

export type StageName = keyof typeof STAGES;

export const BEFORE_RERANK: readonly StageName[] = ["min_score", "rerank_window"];

const AFTER_THRESHOLD: readonly StageName[] = ["noise", "expiry", "support", "diversity", "limit"];

export const SEED_ORDER: readonly StageName[] = [
  ...BEFORE_RERANK,
  "rerank",
  "recency_boost",
  "importance_weight",
  "length_norm",
  "time_decay",
  "hard_min_score",
  ...AFTER_THRESHOLD,
];

/** The stages of an order after the reranker. */
export function fromRerank(order: readonly StageName[]): readonly StageName[] {
  return order.filter((name) => !BEFORE_RERANK.includes(name));
}

interface StagesResult {
  readonly items: readonly Scored[];
  readonly traces: readonly StageTrace[];
}

export function runStages(
  order: readonly StageName[],
  items: readonly Scored[],
  input: StageInput,
): StagesResult {
  const traces: StageTrace[] = [];
  let current = items;
  for (const name of order) {
    const result = STAGES[name](current, input);
    current = result.items;
    traces.push(result.trace);
  }
  return { items: current, traces };
}
