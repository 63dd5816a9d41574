/** How much a new memory matters before anybody has used it, and how sure it is. */
import type { MemoryCategory } from "../../memory-types.ts";

const IMPORTANCE: Readonly<Record<MemoryCategory, number>> = {
  profile: 0.9,
  preferences: 0.8,
  entities: 0.7,
  events: 0.6,
  cases: 0.8,
  patterns: 0.85,
};

/** What was asked for matters a little more than what was overheard. */
const ASKED_FOR = 0.1;
const MOST = 0.95;

export function importanceOf(category: MemoryCategory, wasAskedFor = false): number {
  return wasAskedFor ? Math.min(MOST, IMPORTANCE[category] + ASKED_FOR) : IMPORTANCE[category];
}

/** By how it came: taken from talk, put together from several, or told outright. */
export const CONFIDENCE = { extracted: 0.7, merged: 0.8, told: 0.9 } as const;
