/** How often something was found in one text. Beyond so many nobody counts on. */
import { counted } from "../counted.ts";

export const MOST_MATCHES = 1_000;

/** Nothing where it was found once. */
export function matchCount(matches: number): string[] {
  if (matches <= 1) return [];
  const amount = counted(matches, "match", "matches");
  return [matches < MOST_MATCHES ? amount : `at least ${amount}`];
}
