/** The number of matches in one text, which is counted up to a limit. */
import { counted } from "../counted.ts";

export const MOST_MATCHES = 1_000;

/** Empty for a single match. */
export function matchCount(matches: number): string[] {
  if (matches <= 1) return [];
  const amount = counted(matches, "match", "matches");
  return [matches < MOST_MATCHES ? amount : `at least ${amount}`];
}
