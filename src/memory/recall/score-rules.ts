/** The score rules of the mode `seed`, each a factor for a memory's score or an addition to it. */
import type { Memory } from "../../memory-types.ts";
import { clamp01 } from "../clamp.ts";
import { daysSince } from "../days.ts";

/** The bonus of a new memory: at most this, falling to 37 % after so many days. */
const RECENCY = { weight: 0.1, days: 14 };
/** The share of a score that does not depend on importance. */
const IMPORTANCE_FLOOR = 0.7;
/** Length in characters up to which there is no penalty. */
const LENGTH_ANCHOR = 500;
/** Time decay: days for an unused memory, the divisor for a dynamic one, how much uses extend them, and the maximum. */
const TIME_DECAY = { days: 60, dynamicDivisor: 3, reinforcement: 0.5, mostStretch: 3 };
/** Days after which the effect of a use is halved. */
const USE_HALF_LIFE_DAYS = 30;

export function recencyBonus({ createdAt }: Pick<Memory, "createdAt">, now: number) {
  return RECENCY.weight * Math.exp(-daysSince(createdAt, now) / RECENCY.days);
}

export function importanceFactor({ importance }: Pick<Memory, "importance">): number {
  return IMPORTANCE_FLOOR + (1 - IMPORTANCE_FLOOR) * clamp01(importance);
}

/** Takes a length in characters. */
export function lengthFactor(length: number): number {
  return 1 / (1 + 0.5 * Math.log2(Math.max(length / LENGTH_ANCHOR, 1)));
}

type TimedMemory = Pick<Memory, "createdAt" | "accessCount" | "lastAccessedAt" | "temporalType">;

const MOST_USES = 10_000;

/** The decay period of a memory in days, extended by recent uses. */
export function fadingDays(memory: TimedMemory, now: number): number {
  const { days, dynamicDivisor, reinforcement, mostStretch } = TIME_DECAY;
  const base = memory.temporalType === "dynamic" ? days / dynamicDivisor : days;
  const uses = Math.min(MOST_USES, Math.max(0, memory.accessCount));
  const sinceUse = daysSince(memory.lastAccessedAt ?? memory.createdAt, now);
  const freshUses = uses * 2 ** (-sinceUse / USE_HALF_LIFE_DAYS);
  const stretch = 1 + reinforcement * Math.log1p(freshUses);
  return base * Math.min(mostStretch, stretch);
}

/** Never below 0.5. */
export function timeFactor(memory: TimedMemory, now: number): number {
  return 0.5 + 0.5 * Math.exp(-daysSince(memory.createdAt, now) / fadingDays(memory, now));
}
