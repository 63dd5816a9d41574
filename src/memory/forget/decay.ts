/**
 * The decay of a memory: by the time since its last use, its number of uses and its importance. Decay
 * only moves a memory down in a ranking; it never hides or removes one.
 */
import type { Memory, MemoryTier } from "../../memory-types.ts";
import { clamp01 } from "../clamp.ts";
import { DAY_MS, daysSince } from "../days.ts";

export interface DecaySettings {
  /** Days after which a memory of importance 0 in the tier `working` has a recency of one half. Default 30. */
  readonly halfLifeDays: number;
  /** How much importance stretches the half-life: times exp(this · importance). Default 1.5. */
  readonly importanceModulation: number;
  /** A dynamic memory has the half-life divided by this. Default 3. */
  readonly dynamicDivisor: number;
  /** The exponent of the days: below 1 old memories fade slowly, above 1 they drop. */
  readonly beta: Readonly<Record<MemoryTier, number>>;
  readonly weights: { readonly recency: number; readonly frequency: number; readonly intrinsic: number };
  /** Uses after which frequency reaches 63 %. Default 5. */
  readonly usesScale: number;
  /** Days between uses over which regular use loses its bonus. Default 30. */
  readonly gapScaleDays: number;
  /** Below this composite, a memory counts as stale. Default 0.3. */
  readonly staleBelow: number;
  /** The minimum factor that decay applies to a search score. Default 0.3. */
  readonly boostMin: number;
  /** The minimum value of a tier in a search. */
  readonly tierFloors: Readonly<Record<MemoryTier, number>>;
}

export const DECAY: DecaySettings = {
  halfLifeDays: 30,
  importanceModulation: 1.5,
  dynamicDivisor: 3,
  beta: { core: 0.8, working: 1, peripheral: 1.3 },
  weights: { recency: 0.4, frequency: 0.3, intrinsic: 0.3 },
  usesScale: 5,
  gapScaleDays: 30,
  staleBelow: 0.3,
  boostMin: 0.3,
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

export function decayOf(memory: DecayingMemory, now: number, settings = DECAY): Decay {
  const days = daysSince(lastUse(memory), now);
  const halfLifeDays = halfLifeOf(memory, settings);
  const recency = Math.exp(-(Math.LN2 / halfLifeDays) * days ** settings.beta[memory.tier]);
  const frequency = frequencyOf(memory, settings);
  const intrinsic = clamp01(memory.importance) * clamp01(memory.confidence);
  const { weights } = settings;
  const composite = weights.recency * recency + weights.frequency * frequency + weights.intrinsic * intrinsic;
  return { days, halfLifeDays, recency, frequency, intrinsic, composite };
}

export function halfLifeOf(
  { importance, temporalType }: Pick<Memory, "importance" | "temporalType">,
  settings = DECAY,
): number {
  const base =
    temporalType === "dynamic" ? settings.halfLifeDays / settings.dynamicDivisor : settings.halfLifeDays;
  return base * Math.exp(settings.importanceModulation * clamp01(importance));
}

/** More uses count more, especially close together. A single use has no gaps. */
export function frequencyOf(
  memory: Pick<Memory, "accessCount" | "lastAccessedAt" | "createdAt">,
  settings = DECAY,
): number {
  const uses = Math.max(0, memory.accessCount);
  const base = 1 - Math.exp(-uses / settings.usesScale);
  if (uses <= 1) return base;
  // Uses within one day are one day apart in all, so that a burst does not count as regular use.
  const span = Math.max(1, (timeOf(lastUse(memory)) - timeOf(memory.createdAt)) / DAY_MS);
  return base * (0.5 + 0.5 * Math.exp(-(span / (uses - 1)) / settings.gapScaleDays));
}

interface DecayBoost {
  /** The factor for a search score. */
  readonly factor: number;
  /** Which of the three determined the factor. */
  readonly heldBy: "tier" | "composite" | "recency";
  readonly decay: Decay;
  readonly reason: string;
}

export function decayBoost(memory: DecayingMemory, now: number, settings = DECAY): DecayBoost {
  const decay = decayOf(memory, now, settings);
  const floor = settings.tierFloors[memory.tier];
  // Recency alone is enough, so that a new memory is not ranked lower for having no uses.
  const best = Math.max(floor, decay.composite, decay.recency);
  const factor = Math.min(1, Math.max(settings.boostMin, settings.boostMin + (1 - settings.boostMin) * best));
  const heldBy = best === floor ? "tier" : best === decay.recency ? "recency" : "composite";
  const reason = `${decay.days.toFixed(1)} days since its last use; its ${heldBy} keeps it at ${factor.toFixed(3)}.`;
  return { factor, heldBy, decay, reason };
}

function lastUse(memory: Pick<Memory, "accessCount" | "lastAccessedAt" | "createdAt">): string {
  return memory.accessCount > 0 ? (memory.lastAccessedAt ?? memory.createdAt) : memory.createdAt;
}

function timeOf(time: string): number {
  return Date.parse(time);
}
