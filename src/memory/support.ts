/**
 * How often a memory was confirmed or contradicted, by situation, and the resulting factor for a ranking. It is
 * between 0.9 and 1.1: 0.9 + 0.2 · (c + 1) / (c + x + 2). Without votes it is exactly 1, one vote moves it by a
 * thirtieth, and no number of votes reaches the limits, so support only decides between similar scores.
 */
import type { SupportSlice } from "../memory-types.ts";

export const MOST_SLICES = 8;
const LOWEST = 0.9;
const RANGE = 0.2;
/** The strength of a memory without votes. */
const UNKNOWN_STRENGTH = 0.5;

export type SupportVoice = "confirms" | "contradicts";

/** Adds a vote. Above the maximum, the slice with the oldest vote is dropped; `general` is kept. */
export function addVoice(
  slices: readonly SupportSlice[],
  context: string,
  voice: SupportVoice,
  at: string,
): readonly SupportSlice[] {
  const before = slices.find((slice) => slice.context === context);
  const changed: SupportSlice = {
    context,
    confirmations: (before?.confirmations ?? 0) + (voice === "confirms" ? 1 : 0),
    contradictions: (before?.contradictions ?? 0) + (voice === "contradicts" ? 1 : 0),
    lastObservedAt: before !== undefined && before.lastObservedAt > at ? before.lastObservedAt : at,
  };
  const others = slices.filter((slice) => slice.context !== context);
  return [...withRoomForOne(others), changed];
}

function withRoomForOne(slices: readonly SupportSlice[]): readonly SupportSlice[] {
  if (slices.length < MOST_SLICES) return slices;
  const oldest = slices
    .filter(({ context }) => context !== "general")
    .toSorted((a, b) => (a.lastObservedAt < b.lastObservedAt ? -1 : 1));
  const gone = new Set(oldest.slice(0, slices.length - MOST_SLICES + 1));
  return slices.filter((slice) => !gone.has(slice));
}

/** The share of votes that confirm it. */
export function strengthOf({
  confirmations: c,
  contradictions: x,
}: Pick<SupportSlice, "confirmations" | "contradictions">): number {
  return c + x > 0 ? c / (c + x) : UNKNOWN_STRENGTH;
}

interface Support {
  readonly factor: number;
  readonly strength: number;
  readonly reason: string;
}

export function supportOf(slices: readonly SupportSlice[]): Support {
  const total = totalOf(slices);
  const { confirmations: c, contradictions: x } = total;
  const factor = c + x === 0 ? 1 : LOWEST + (RANGE * (c + 1)) / (c + x + 2);
  return { factor, strength: strengthOf(total), reason: `Confirmed ${c} and contradicted ${x} times.` };
}

function totalOf(slices: readonly SupportSlice[]) {
  return {
    confirmations: slices.reduce((sum, { confirmations }) => sum + confirmations, 0),
    contradictions: slices.reduce((sum, { contradictions }) => sum + contradictions, 0),
  };
}
