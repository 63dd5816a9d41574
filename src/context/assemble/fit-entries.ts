/** Cuts the longest messages so that all required entries fit. Pure. */
import { cutEntry } from "./cut-entry.ts";
import type { Entry } from "./entry.ts";

/** A message cut to fewer tokens is useless. */
const SMALLEST = 60;

/**
 * Entries whose tokens add up to at most `room`, or as near as cutting gets. System messages stay whole as long as
 * cutting the others is enough; if system messages alone are too long, the others come first.
 */
export function fitEntries(entries: readonly Entry[], room: number): readonly Entry[] {
  if (sumOf(entries) <= room) return entries;
  const systems = entries.filter(isSystem);
  const others = entries.filter((entry) => !isSystem(entry));
  const limit = longestAllowed(others, room - sumOf(systems));
  const left = room - sumOf(others.map((entry) => cutTo(entry, limit)));
  if (sumOf(systems) <= left) return entries.map((entry) => (isSystem(entry) ? entry : cutTo(entry, limit)));
  const forOthers = longestAllowed(others, room - SMALLEST * systems.length);
  const forSystems = longestAllowed(systems, room - sumOf(others.map((entry) => cutTo(entry, forOthers))));
  return entries.map((entry) => cutTo(entry, isSystem(entry) ? forSystems : forOthers));
}

function cutTo(entry: Entry, limit: number): Entry {
  return entry.tokens > limit ? cutEntry(entry, limit) : entry;
}

/** The length limit at which the sum fits. */
function longestAllowed(entries: readonly Entry[], room: number): number {
  const sizes = entries.map((entry) => entry.tokens).toSorted((a, b) => a - b);
  let left = room;
  for (const [index, size] of sizes.entries()) {
    const share = Math.floor(left / (sizes.length - index));
    if (size > share) return Math.max(SMALLEST, share);
    left -= size;
  }
  return Infinity;
}

export function isSystem(entry: Entry): boolean {
  return entry.role === "system";
}

export function sumOf(entries: readonly { readonly tokens: number }[]): number {
  return entries.reduce((sum, entry) => sum + entry.tokens, 0);
}
