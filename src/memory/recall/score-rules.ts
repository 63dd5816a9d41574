/** The score rules of the mode `seed`, each a factor for a memory's score or an addition to it. */
import type { Memory } from "../../memory-types.ts";
import { clamp01 } from "../clamp.ts";
import { daysSince } from "../days.ts";

export interface ScoreRuleSettings {
  /** Recency boost: at most this, falling to 37 % after this many days. */
  readonly recencyWeight: number;
  readonly recencyDays: number;
  /** Importance weight: the share of a score that does not depend on importance. */
  readonly importanceFloor: number;
  /** Length in characters up to which there is no penalty. 0: length is ignored. */
  readonly lengthAnchor: number;
  /** Time decay: days for an unused memory, 0: none; how much uses extend them, and the maximum. */
  readonly timeDecayDays: number;
  readonly reinforcement: number;
  readonly mostStretch: number;
  readonly dynamicDivisor: number;
  /** Days after which the effect of a use is halved. */
  readonly useHalfLifeDays: number;
}

export const SCORE_RULES: ScoreRuleSettings = {
  recencyWeight: 0.1,
  recencyDays: 14,
  importanceFloor: 0.7,
  lengthAnchor: 500,
  timeDecayDays: 60,
  reinforcement: 0.5,
  mostStretch: 3,
  dynamicDivisor: 3,
  useHalfLifeDays: 30,
};

/** The bonus of a new memory. */
export function recencyBonus({ createdAt }: Pick<Memory, "createdAt">, now: number, settings = SCORE_RULES) {
  return settings.recencyWeight * Math.exp(-daysSince(createdAt, now) / settings.recencyDays);
}

export function importanceFactor({ importance }: Pick<Memory, "importance">, settings = SCORE_RULES): number {
  return settings.importanceFloor + (1 - settings.importanceFloor) * clamp01(importance);
}

/** Takes a length in characters. */
export function lengthFactor(length: number, settings = SCORE_RULES): number {
  if (settings.lengthAnchor <= 0) return 1;
  return 1 / (1 + 0.5 * Math.log2(Math.max(length / settings.lengthAnchor, 1)));
}

type TimedMemory = Pick<Memory, "createdAt" | "accessCount" | "lastAccessedAt" | "temporalType">;

const MOST_USES = 10_000;

/** The decay period of a memory in days, extended by recent uses. */
export function fadingDays(memory: TimedMemory, now: number, settings = SCORE_RULES): number {
  const base =
    memory.temporalType === "dynamic"
      ? settings.timeDecayDays / settings.dynamicDivisor
      : settings.timeDecayDays;
  const uses = Math.min(MOST_USES, Math.max(0, memory.accessCount));
  const sinceUse = daysSince(memory.lastAccessedAt ?? memory.createdAt, now);
  const freshUses = uses * 2 ** (-sinceUse / settings.useHalfLifeDays);
  const stretch = 1 + settings.reinforcement * Math.log1p(freshUses);
  return base * Math.min(settings.mostStretch, stretch);
}

/** Never below 0.5. */
export function timeFactor(memory: TimedMemory, now: number, settings = SCORE_RULES): number {
  if (settings.timeDecayDays <= 0) return 1;
  return 0.5 + 0.5 * Math.exp(-daysSince(memory.createdAt, now) / fadingDays(memory, now, settings));
}
