/**
 * The stages after the fusion, by name, and their complete order in the mode `seed`. Noise, expiry and support come after
 * the last threshold: they move a memory down or up, and only the limit can cut it. The caller calls the reranker between
 * `BEFORE_RERANK` and the rest.
 */

import { type Memory, saidAt } from "../../memory-types.ts";
import type { Vector } from "../cosine.ts";
import { DECAY, type DecaySettings, decayBoost } from "../forget/decay.ts";
import { supportOf } from "../support.ts";
import { defer } from "./diversity.ts";
import { expiryOf } from "./expiry.ts";
import { noiseOf } from "./noise.ts";
import { blendCosine, blendRerank, type RerankScores } from "./rerank-blend.ts";
import type { ScoreRuleSettings } from "./score-rules.ts";
import { importanceFactor, lengthFactor, recencyBonus, SCORE_RULES, timeFactor } from "./score-rules.ts";
import { keep, pass, rescore, type Scored, type StageResult, type StageTrace } from "./stage.ts";

interface StageSettings {
  readonly minScore: number;
  readonly hardMinScore: number;
  /** The number of hits for the reranker, as a multiple of the limit. */
  readonly rerankWindow: number;
  readonly rules: ScoreRuleSettings;
  readonly decay: DecaySettings;
  readonly demoteNoise: boolean;
  readonly demoteExpired: boolean;
  readonly weighSupport: boolean;
  /** The cosine above which a hit duplicates another one. Null: off. */
  readonly diversityAbove: number | null;
}

export const STAGE_SETTINGS: StageSettings = {
  minScore: 0.3,
  hardMinScore: 0.35,
  rerankWindow: 2,
  rules: SCORE_RULES,
  decay: DECAY,
  demoteNoise: true,
  demoteExpired: true,
  weighSupport: true,
  diversityAbove: null,
};

/** The value of the mode `seed`, when enabled. */
export const SEED_DIVERSITY = 0.85;

export interface StageInput {
  readonly now: number;
  readonly limit: number;
  /** The scores of the reranker; `off` when disabled; null when it failed or there is none. */
  readonly rerank: RerankScores | "off" | null;
  readonly queryVector: Vector | null;
  readonly settings: StageSettings;
}

type Stage = (items: readonly Scored[], input: StageInput) => StageResult;

const STAGES = {
  min_score: (items, { settings }) => keep("min_score", items, ({ score }) => score >= settings.minScore),
  rerank_window: (items, { limit, settings }) =>
    keep("rerank_window", items, (_, index) => index < limit * settings.rerankWindow),
  rerank: (items, { rerank, queryVector }) => {
    if (rerank === "off") return pass("rerank", items, "Off.");
    return rerank === null ? blendCosine(items, queryVector) : blendRerank(items, rerank);
  },
  recency_boost: (items, { now, settings }) =>
    rescore("recency_boost", items, ({ score, memory }) => ({
      score: score + recencyBonus(agedBySaid(memory), now, settings.rules),
    })),
  importance_weight: (items, { settings }) =>
    rescore("importance_weight", items, ({ score, memory }) => ({
      score: score * importanceFactor(memory, settings.rules),
    })),
  length_norm: (items, { settings }) =>
    rescore("length_norm", items, ({ score, memory }) => ({
      score: score * lengthFactor(memory.abstract.length, settings.rules),
    })),
  time_decay: (items, { now, settings }) =>
    rescore("time_decay", items, ({ score, memory }) => ({
      score: score * timeFactor(agedBySaid(memory), now, settings.rules),
    })),
  decay_boost: (items, { now, settings }) =>
    rescore("decay_boost", items, ({ score, memory }) => {
      const { factor, reason } = decayBoost(agedBySaid(memory), now, settings.decay);
      return { score: score * factor, reason };
    }),
  hard_min_score: (items, { settings }) =>
    keep("hard_min_score", items, ({ score }) => score >= settings.hardMinScore),
  noise: (items, { settings }) => {
    if (!settings.demoteNoise) return pass("noise", items, "Off.");
    return rescore("noise", items, ({ score, memory }) => {
      const { factor, reason } = noiseOf(memory.abstract);
      return { score: score * factor, reason };
    });
  },
  expiry: (items, { now, settings }) => {
    if (!settings.demoteExpired) return pass("expiry", items, "Off.");
    return rescore("expiry", items, ({ score, memory }) => {
      const { factor, reason } = expiryOf(memory.validUntil, now);
      return { score: score * factor, reason };
    });
  },
  support: (items, { settings }) => {
    if (!settings.weighSupport) return pass("support", items, "Off.");
    return rescore("support", items, ({ score, memory }) => {
      const { factor, reason } = supportOf(memory.support);
      return { score: score * factor, reason };
    });
  },
  diversity: (items, { settings }) =>
    settings.diversityAbove === null
      ? pass("diversity", items, "Off.")
      : defer(items, settings.diversityAbove),
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
