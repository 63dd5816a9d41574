/** The initial importance and confidence of a new memory. */
import type { MemoryCategory } from "../../memory-types.ts";

const IMPORTANCE: Readonly<Record<MemoryCategory, number>> = {
  profile: 0.9,
  preferences: 0.8,
  entities: 0.7,
  events: 0.6,
  cases: 0.8,
  patterns: 0.85,
};

/** An explicit request is a little more important than an extracted statement. */
const ASKED_FOR = 0.1;
const MOST = 0.95;

export function importanceOf(category: MemoryCategory, wasAskedFor = false): number {
  return wasAskedFor ? Math.min(MOST, IMPORTANCE[category] + ASKED_FOR) : IMPORTANCE[category];
}

/** By origin: extracted from a conversation, merged from several memories, or stored explicitly. */
export const CONFIDENCE = { extracted: 0.7, merged: 0.8, told: 0.9 } as const;
