/** Cuts the longest messages so that the rest of what must be shown fits beside them. Pure. */
import { cutEntry } from "./cut-entry.ts";
import type { Entry } from "./entry.ts";

/** A message cut to less says nothing. */
const SMALLEST = 60;

/** Entries whose tokens together are at most `room`, or as near as cutting gets. System messages stay whole. */
export function fitEntries(entries: readonly Entry[], room: number): readonly Entry[] {
  const limit = longestAllowed(entries, room);
  return entries.map((entry) => (isCuttable(entry) && entry.tokens > limit ? cutEntry(entry, limit) : entry));
}

/** The length at which cutting everything longer makes the sum fit. */
function longestAllowed(entries: readonly Entry[], room: number): number {
  const fixed = sumOf(entries.filter((entry) => !isCuttable(entry)));
  const sizes = entries
    .filter(isCuttable)
    .map((entry) => entry.tokens)
    .toSorted((a, b) => a - b);
  let left = room - fixed;
  for (const [index, size] of sizes.entries()) {
    const share = Math.floor(left / (sizes.length - index));
    if (size > share) return Math.max(SMALLEST, share);
    left -= size;
  }
  return Infinity;
}

function isCuttable(entry: Entry): boolean {
  return entry.role !== "system";
}

export function sumOf(entries: readonly { readonly tokens: number }[]): number {
  return entries.reduce((sum, entry) => sum + entry.tokens, 0);
}
