/** Memories that have faded so far that somebody may want to look at them. Being stale changes nothing by itself. */
import { DECAY, type DecayingMemory, decayOf } from "./decay.ts";

export interface Staleness<Kind extends DecayingMemory> {
  readonly memory: Kind;
  readonly composite: number;
  readonly reason: string;
}

/** The most faded first; equal ones keep their order. */
export function findStale<Kind extends DecayingMemory>(
  memories: readonly Kind[],
  now: number,
  settings = DECAY,
): readonly Staleness<Kind>[] {
  return memories
    .map((memory) => ({ memory, ...decayOf(memory, now, settings) }))
    .filter(({ composite }) => composite < settings.staleBelow)
    .toSorted((a, b) => a.composite - b.composite)
    .map(({ memory, composite, days }) => ({
      memory,
      composite,
      reason: `Faded to ${composite.toFixed(3)} in ${Math.floor(days)} days, below ${settings.staleBelow}.`,
    }));
}
