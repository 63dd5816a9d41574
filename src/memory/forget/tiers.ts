/**
 * Which tier a memory belongs to, one step at a time. Uses fade here: a use counts half after `useHalfLifeDays`
 * without another one. The counter itself never falls, and a core memory matters by definition, so a rule that asks
 * core memories for few uses and next to no weight could never be met; with faded uses it can. Going up asks for 0.7
 * and coming down for less than 0.4, and fading takes off less than the 0.3 that frequency weighs, so no memory can be
 * due for both.
 */
import type { Memory, MemoryTier } from "../../memory-types.ts";
import { daysSince } from "../days.ts";
import { DECAY, type DecayingMemory, decayOf } from "./decay.ts";

interface TierSettings {
  readonly toWorking: { readonly uses: number; readonly composite: number };
  readonly toCore: { readonly uses: number; readonly composite: number; readonly importance: number };
  readonly toPeripheral: { readonly composite: number; readonly ageDays: number; readonly uses: number };
  /** Of faded uses, and of the composite that has its frequency from them. */
  readonly fromCore: { readonly composite: number; readonly uses: number };
  /** Days after which a use counts half. Default 30. */
  readonly useHalfLifeDays: number;
}

const TIERS: TierSettings = {
  toWorking: { uses: 3, composite: 0.4 },
  toCore: { uses: 10, composite: 0.7, importance: 0.8 },
  toPeripheral: { composite: 0.15, ageDays: 60, uses: 3 },
  fromCore: { composite: 0.4, uses: 3 },
  useHalfLifeDays: 30,
};

export interface TierDecision {
  readonly from: MemoryTier;
  readonly to: MemoryTier;
  readonly reason: string;
  readonly numbers: {
    readonly uses: number;
    readonly fadedUses: number;
    readonly composite: number;
    readonly fadedComposite: number;
    readonly importance: number;
    readonly ageDays: number;
  };
}

export function decideTier(
  memory: DecayingMemory,
  now: number,
  settings = TIERS,
  decaySettings = DECAY,
): TierDecision {
  const fadedUses = fadedUsesOf(memory, now, settings.useHalfLifeDays);
  const numbers = {
    uses: memory.accessCount,
    fadedUses,
    composite: decayOf(memory, now, decaySettings).composite,
    fadedComposite: fadedComposite(memory, fadedUses, now, decaySettings),
    importance: memory.importance,
    ageDays: daysSince(memory.createdAt, now),
  };
  return { from: memory.tier, ...step(memory.tier, numbers, settings), numbers };
}

/** What is left of its uses, by the time since the last one. */
export function fadedUsesOf(
  memory: Pick<Memory, "accessCount" | "lastAccessedAt" | "createdAt">,
  now: number,
  halfLifeDays: number,
): number {
  const days = daysSince(memory.lastAccessedAt ?? memory.createdAt, now);
  return Math.max(0, memory.accessCount) * 2 ** (-days / halfLifeDays);
}

/** The share of uses that faded is taken off the frequency. Times stay as they are, so recency does not change. */
function fadedComposite(memory: DecayingMemory, fadedUses: number, now: number, settings = DECAY): number {
  const { composite, frequency } = decayOf(memory, now, settings);
  const base = 1 - Math.exp(-Math.max(0, memory.accessCount) / settings.usesScale);
  const faded = 1 - Math.exp(-fadedUses / settings.usesScale);
  const left = base > 0 ? frequency * (faded / base) : 0;
  return composite - settings.weights.frequency * (frequency - left);
}

function step(
  tier: MemoryTier,
  numbers: TierDecision["numbers"],
  settings: TierSettings,
): { readonly to: MemoryTier; readonly reason: string } {
  if (tier === "peripheral") return fromPeripheral(numbers, settings);
  return tier === "working" ? fromWorking(numbers, settings) : fromCore(numbers, settings);
}

type Step = { readonly to: MemoryTier; readonly reason: string };

function fromPeripheral({ uses, composite }: TierDecision["numbers"], { toWorking }: TierSettings): Step {
  if (uses >= toWorking.uses && composite >= toWorking.composite)
    return { to: "working", reason: `Used ${uses} times, with a score of ${composite.toFixed(3)}.` };
  return { to: "peripheral", reason: "Not used enough and too faded to be promoted." };
}

function fromWorking(numbers: TierDecision["numbers"], { toCore, toPeripheral }: TierSettings): Step {
  const { uses, composite, importance, ageDays } = numbers;
  if (uses >= toCore.uses && composite >= toCore.composite && importance >= toCore.importance)
    return { to: "core", reason: `Used ${uses} times, important (${importance}) and not faded.` };
  if (composite < toPeripheral.composite)
    return { to: "peripheral", reason: `Faded to ${composite.toFixed(3)}.` };
  if (ageDays > toPeripheral.ageDays && uses < toPeripheral.uses)
    return { to: "peripheral", reason: `Used ${uses} times in ${Math.floor(ageDays)} days.` };
  return { to: "working", reason: "In use." };
}

function fromCore({ fadedUses, fadedComposite }: TierDecision["numbers"], settings: TierSettings): Step {
  const { composite, uses } = settings.fromCore;
  if (fadedComposite < composite && fadedUses < uses)
    return {
      to: "working",
      reason: `Its uses faded to ${fadedUses.toFixed(1)} and its score to ${fadedComposite.toFixed(3)}.`,
    };
  return { to: "core", reason: "Still in use, or too important to be demoted." };
}
