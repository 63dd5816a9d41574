/**
 * Chooses the system messages to show. Hosts log the same one repeatedly: it is sent once, at its first position, so that
 * the context sent before stays a prefix. The newest has priority; older ones are dropped when room is short, and one
 * larger than the budget is cut. Pure.
 */
import { cutEntry } from "./cut-entry.ts";
import type { Entry } from "./entry.ts";
import { isSystem, sumOf } from "./fit-entries.ts";

/** Share of the budget. It depends on nothing else, so the choice is stable between turns. */
const SHARE = 0.5;

/** The system messages among the entries, each once, oldest first. */
export function systemMessages(entries: readonly Entry[], budget: number): readonly Entry[] {
  const kept = distinctSystems(entries);
  while (kept.length > 1 && sumOf(kept) > budget * SHARE) kept.pop();
  return kept
    .map((entry) => (entry.tokens > budget ? cutEntry(entry, Math.floor(budget * SHARE)) : entry))
    .toSorted((a, b) => a.seq - b.seq);
}

/** Each text once, at its first occurrence; ordered by last occurrence, newest first. */
export function distinctSystems(entries: readonly Entry[]): Entry[] {
  const byText = new Map<string, Entry>();
  for (const entry of entries.filter(isSystem)) {
    const text = textOf(entry);
    const first = byText.get(text) ?? entry;
    byText.delete(text);
    byText.set(text, first);
  }
  return [...byText.values()].toReversed();
}

const TEXTS = new WeakMap<Entry["wire"], string>();

/** The text that a model reads: ids and times that a host adds do not make it a different message. Entries are kept between turns. */
function textOf({ wire }: Entry): string {
  const known = TEXTS.get(wire);
  if (known !== undefined) return known;
  const text = wire.type === "text" ? wire.text : JSON.stringify(wire.parts);
  TEXTS.set(wire, text);
  return text;
}
