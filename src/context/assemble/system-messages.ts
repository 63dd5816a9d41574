/**
 * Which system messages are shown. Hosts log the same one again and again: it is sent once, where it stood first, so that
 * what was sent before stays a prefix. The newest holds; older ones give way to it when room is short, and one that is
 * larger than the budget is cut. Pure.
 */
import { cutEntry } from "./cut-entry.ts";
import type { Entry } from "./entry.ts";
import { isSystem, sumOf } from "./fit-entries.ts";

/** Of the budget. What depends on nothing else moves nothing from one turn to the next. */
const SHARE = 0.5;

/** The messages among the entries, each once, oldest first. */
export function systemMessages(entries: readonly Entry[], budget: number): readonly Entry[] {
  const kept = distinctSystems(entries);
  while (kept.length > 1 && sumOf(kept) > budget * SHARE) kept.pop();
  return kept
    .map((entry) => (entry.tokens > budget ? cutEntry(entry, Math.floor(budget * SHARE)) : entry))
    .toSorted((a, b) => a.seq - b.seq);
}

/** Each text once, by its first occurrence; newest first, by its last. */
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

/** What a model reads of it: ids and times that a host puts beside it make no other message. Entries are kept between turns. */
function textOf({ wire }: Entry): string {
  const known = TEXTS.get(wire);
  if (known !== undefined) return known;
  const text = wire.type === "text" ? wire.text : JSON.stringify(wire.parts);
  TEXTS.set(wire, text);
  return text;
}
