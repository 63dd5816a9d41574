/**
 * Which tier a memory belongs to, one step at a time. Uses decay: a use counts half after `useHalfLifeDays`
 * without another one. The counter itself never falls, and a core memory matters by definition, so a rule that asks
 * core memories for few uses and little importance could never match; with decayed uses it can. Promotion requires 0.7
 * and demotion less than 0.4, and decay subtracts less than the weight of frequency, 0.3, so no memory can be
 * due for both.
 */
import type { Memory, MemoryTier } from "../../memory-types.ts";
import { daysSince } from "../days.ts";
import { DECAY, type DecayingMemory, decayOf } from "./decay.ts";

const TO_WORKING = { uses: 3, composite: 0.4 };
const TO_CORE = { uses: 10, composite: 0.7, importance: 0.8 };
const TO_PERIPHERAL = { composite: 0.15, ageDays: 60, uses: 3 };
/** Thresholds for decayed uses, and for the composite computed with them. */
const FROM_CORE = { composite: 0.4, uses: 3 };
/** Days after which a use counts half. */
const USE_HALF_LIFE_DAYS = 30;

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

export function decideTier(memory: DecayingMemory, now: number): TierDecision {
  const fadedUses = fadedUsesOf(memory, now, USE_HALF_LIFE_DAYS);
  const numbers = {
    uses: memory.accessCount,
    fadedUses,
    composite: decayOf(memory, now).composite,
    fadedComposite: fadedComposite(memory, fadedUses, now),
    importance: memory.importance,
    ageDays: daysSince(memory.createdAt, now),
  };
  return { from: memory.tier, ...STEPS[memory.tier](numbers), numbers };
}

/** Its use count, decayed by the time since the last use. */
export function fadedUsesOf(
  memory: Pick<Memory, "accessCount" | "lastAccessedAt" | "createdAt">,
  now: number,
  halfLifeDays: number,
): number {
  const days = daysSince(memory.lastAccessedAt ?? memory.createdAt, now);
  return Math.max(0, memory.accessCount) * 2 ** (-days / halfLifeDays);
}

/** Reduces the frequency by the decayed share of uses. Times are unchanged, and so is recency. */
function fadedComposite(memory: DecayingMemory, fadedUses: number, now: number): number {
  const { composite, frequency } = decayOf(memory, now);
  const base = 1 - Math.exp(-Math.max(0, memory.accessCount) / DECAY.usesScale);
  const faded = 1 - Math.exp(-fadedUses / DECAY.usesScale);
  const left = base > 0 ? frequency * (faded / base) : 0;
  return composite - DECAY.weights.frequency * (frequency - left);
}

type Step = { readonly to: MemoryTier; readonly reason: string };

const STEPS: Readonly<Record<MemoryTier, (numbers: TierDecision["numbers"]) => Step>> = {
  peripheral: fromPeripheral,
  working: fromWorking,
  core: fromCore,
};

function fromPeripheral({ uses, composite }: TierDecision["numbers"]): Step {
  if (uses >= TO_WORKING.uses && composite >= TO_WORKING.composite)
    return { to: "working", reason: `Used ${uses} times, with a score of ${composite.toFixed(3)}.` };
  return { to: "peripheral", reason: "Not used enough and too faded to be promoted." };
}

function fromWorking({ uses, composite, importance, ageDays }: TierDecision["numbers"]): Step {
  if (uses >= TO_CORE.uses && composite >= TO_CORE.composite && importance >= TO_CORE.importance)
    return { to: "core", reason: `Used ${uses} times, important (${importance}) and not faded.` };
  if (composite < TO_PERIPHERAL.composite)
    return { to: "peripheral", reason: `Faded to ${composite.toFixed(3)}.` };
  if (ageDays > TO_PERIPHERAL.ageDays && uses < TO_PERIPHERAL.uses)
    return { to: "peripheral", reason: `Used ${uses} times in ${Math.floor(ageDays)} days.` };
  return { to: "working", reason: "In use." };
}

function fromCore({ fadedUses, fadedComposite }: TierDecision["numbers"]): Step {
  if (fadedComposite < FROM_CORE.composite && fadedUses < FROM_CORE.uses)
    return {
      to: "working",
      reason: `Its uses faded to ${fadedUses.toFixed(1)} and its score to ${fadedComposite.toFixed(3)}.`,
    };
  return { to: "core", reason: "Still in use, or too important to be demoted." };
}
