/** Finds the first request of a person on the active path: it stays in view when not everything fits. */
import { titleOf } from "../../message/title-of.ts";
import type { ContextWindow, OpeningMessage, ScopedStore, WindowQuery } from "../../store/store.ts";
import { type Entry, messageEntry } from "./entry.ts";
import type { EntryCache, HeldEntries } from "./entry-cache.ts";

interface FirstRequest {
  readonly entry: Entry;
  /** False when a summary covers it. It is then shown in addition to the items of the context. */
  readonly isItem: boolean;
}

/** Asks for the messages that show which request is the first, or whether the one that is held still is. */
export function openingIn({ first }: HeldEntries): NonNullable<WindowQuery["opening"]> {
  return first === undefined ? {} : { to: first.entry.seq };
}

interface Asked {
  readonly store: ScopedStore;
  readonly cache: EntryCache;
  /** What was held when the window was read, and what is held of it since. */
  readonly before: HeldEntries;
  readonly held: HeldEntries;
}

/** Looked for only if the window does not reach back to the beginning. */
export async function findFirstRequest(
  conversation: string,
  window: ContextWindow,
  candidates: readonly Entry[],
  { store, cache, before, held }: Asked,
): Promise<FirstRequest | null> {
  if (window.left.items === 0) {
    const entry = candidates.find(isRequest);
    return entry === undefined ? null : { entry, isItem: true };
  }
  const { first } = before;
  if (first !== undefined && isStillFirst(first.upTo, window.opening))
    return { entry: first.entry, isItem: window.opening.at(-1)?.isItem === true };
  // Without `first`, the window has brought the messages.
  const { opening } =
    first === undefined ? window : await store.contextWindow(conversation, { maxTokens: 0, opening: {} });
  const said = opening.flatMap(({ seq, isItem, message }) => {
    const entry = message === null ? before.messages.get(seq) : messageEntry(conversation, message);
    return entry === undefined ? [] : { entry, isItem };
  });
  const place = said.findIndex(({ entry }) => isRequest(entry));
  const found = said[place];
  if (found === undefined) return null;
  const upTo = said.slice(0, place + 1).map(({ entry }) => entry.seq);
  cache.keepFirst(conversation, held, { entry: found.entry, upTo });
  return found;
}

/** The same messages, none of which was erased or excluded since. */
function isStillFirst(upTo: readonly number[], opening: readonly OpeningMessage[]): boolean {
  return opening.length === upTo.length && opening.every(({ seq }, at) => seq === upTo[at]);
}

/** Caches the result; entries are kept between turns. */
const REQUESTS = new WeakMap<Entry["wire"], boolean>();

/** A message of a person, not of a host in the person's name and not the result of a tool. */
function isRequest({ role, wire, toolResults }: Entry): boolean {
  if (role !== "user" || wire.type !== "message" || toolResults.length > 0) return false;
  const known = REQUESTS.get(wire) ?? titleOf([{ role, parts: wire.parts }]) !== null;
  REQUESTS.set(wire, known);
  return known;
}
