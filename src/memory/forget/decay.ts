/**
 * The decay of a memory: by the time since its last use, its number of uses and its importance. Decay
 * only moves a memory down in a ranking; it never hides or removes one.
 */
import type { Memory } from "../../memory-types.ts";
import { clamp01 } from "../clamp.ts";
import { DAY_MS, daysSince } from "../days.ts";

export const DECAY = {
  /** Days after which a memory of importance 0 in the tier `working` has a recency of one half. */
  halfLifeDays: 30,
  /** How much importance stretches the half-life: times exp(this · importance). */
  importanceModulation: 1.5,
  /** A dynamic memory has the half-life divided by this. */
  dynamicDivisor: 3,
  /** The exponent of the days: below 1 old memories fade slowly, above 1 they drop. */
  beta: { core: 0.8, working: 1, peripheral: 1.3 },
  weights: { recency: 0.4, frequency: 0.3, intrinsic: 0.3 },
  /** Uses after which frequency reaches 63 %. */
  usesScale: 5,
  /** Days between uses over which regular use loses its bonus. */
  gapScaleDays: 30,
  /** The minimum factor that decay applies to a search score. */
  boostMin: 0.3,
  /** The minimum value of a tier in a search. */
  tierFloors: { core: 0.9, working: 0.7, peripheral: 0.5 },
};

export type DecayingMemory = Pick<
  Memory,
  "tier" | "importance" | "confidence" | "temporalType" | "accessCount" | "lastAccessedAt" | "createdAt"
>;

interface Decay {
  /** Days since its last use or its creation. */
  readonly days: number;
  readonly halfLifeDays: number;
  readonly recency: number;
  readonly frequency: number;
  readonly intrinsic: number;
  /** The weighted sum of the three. */
  readonly composite: number;
}

export function decayOf(memory: DecayingMemory, now: number): Decay {
  const days = daysSince(lastUse(memory), now);
  const halfLifeDays = halfLifeOf(memory);
  const recency = Math.exp(-(Math.LN2 / halfLifeDays) * days ** DECAY.beta[memory.tier]);
  const frequency = frequencyOf(memory);
  const intrinsic = clamp01(memory.importance) * clamp01(memory.confidence);
  const { weights } = DECAY;
  const composite = weights.recency * recency + weights.frequency * frequency + weights.intrinsic * intrinsic;
  return { days, halfLifeDays, recency, frequency, intrinsic, composite };
}

export function halfLifeOf({
  importance,
  temporalType,
}: Pick<Memory, "importance" | "temporalType">): number {
  const base = temporalType === "dynamic" ? DECAY.halfLifeDays / DECAY.dynamicDivisor : DECAY.halfLifeDays;
  return base * Math.exp(DECAY.importanceModulation * clamp01(importance));
}

/** More uses count more, especially close together. A single use has no gaps. */
export function frequencyOf(memory: Pick<Memory, "accessCount" | "lastAccessedAt" | "createdAt">): number {
  const uses = Math.max(0, memory.accessCount);
  const base = 1 - Math.exp(-uses / DECAY.usesScale);
  if (uses <= 1) return base;
  // Uses within one day are one day apart in all, so that a burst does not count as regular use.
  const span = Math.max(1, (timeOf(lastUse(memory)) - timeOf(memory.createdAt)) / DAY_MS);
  return base * (0.5 + 0.5 * Math.exp(-(span / (uses - 1)) / DECAY.gapScaleDays));
}

interface DecayBoost {
  /** The factor for a search score. */
  readonly factor: number;
  /** Which of the three determined the factor. */
  readonly heldBy: "tier" | "composite" | "recency";
  readonly decay: Decay;
  readonly reason: string;
}

const SOURCES = { tier: "tier", composite: "composite score", recency: "recency" } as const;

export function decayBoost(memory: DecayingMemory, now: number): DecayBoost {
  const decay = decayOf(memory, now);
  const floor = DECAY.tierFloors[memory.tier];
  // Recency alone is enough, so that a new memory is not ranked lower for having no uses.
  const best = Math.max(floor, decay.composite, decay.recency);
  const factor = DECAY.boostMin + (1 - DECAY.boostMin) * best;
  const heldBy = best === floor ? "tier" : best === decay.recency ? "recency" : "composite";
  const reason = `${decay.days.toFixed(1)} days since its last use: factor ${factor.toFixed(3)}, from its ${SOURCES[heldBy]}.`;
  return { factor, heldBy, decay, reason };
}

function lastUse(memory: Pick<Memory, "accessCount" | "lastAccessedAt" | "createdAt">): string {
  return memory.accessCount > 0 ? (memory.lastAccessedAt ?? memory.createdAt) : memory.createdAt;
}

function timeOf(time: string): number {
  return Date.parse(time);
}
