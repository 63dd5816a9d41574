/** Finds the first request of a person on the active path: it stays in view when not everything fits. */
import { titleOf } from "../../message/title-of.ts";
import { type ContextWindow, type MessageQuery, ORDINAL_GAP, type ScopedStore } from "../../store/store.ts";
import { type Entry, messageEntry } from "./entry.ts";
import type { EntryCache } from "./entry-cache.ts";

/** User messages to read: hosts put a few of their own first. */
const MOST_READ = 16;
const MOST_BYTES = 256 * 1024;

interface FirstRequest {
  readonly entry: Entry;
  /** False when a summary covers it. It is then shown in addition to the items of the context. */
  readonly isItem: boolean;
}

/** Read only if the window does not reach back to the beginning. */
export async function findFirstRequest(
  conversation: string,
  window: ContextWindow,
  candidates: readonly Entry[],
  use: { readonly store: ScopedStore; readonly cache: EntryCache },
): Promise<FirstRequest | null> {
  if (window.left.items === 0) {
    const entry = candidates.find(isRequest);
    return entry === undefined ? null : { entry, isItem: true };
  }
  const held = use.cache.of(conversation);
  if (held.first !== undefined) {
    const { entry, upTo } = held.first;
    const [said, isItem] = await Promise.all([
      readSaid(conversation, { to: entry.seq, withoutContent: true }, use.store),
      isInContext(conversation, entry, window, use.store),
    ]);
    const isFirst = said.length === upTo.length && said.every(({ seq }, at) => seq === upTo[at]);
    if (isFirst) return { entry, isItem };
  }
  const said = await readSaid(conversation, { maxBytes: MOST_BYTES, payloads: "context" }, use.store);
  const entries = said.map((message) => messageEntry(conversation, message));
  const entry = entries.find(isRequest);
  if (entry === undefined) return null;
  const upTo = entries.slice(0, entries.indexOf(entry) + 1).map(({ seq }) => seq);
  use.cache.keepFirst(conversation, held, { entry, upTo });
  return { entry, isItem: await isInContext(conversation, entry, window, use.store) };
}

/** The first user messages of the active path. */
async function readSaid(conversation: string, query: Partial<MessageQuery>, store: ScopedStore) {
  const range = { from: 1, roles: ["user"], limit: MOST_READ } as const;
  const { rows } = await store.messages(conversation, { ...range, ...query });
  return rows.filter(({ erasedAt, excluded }) => erasedAt === null && excluded === null);
}

async function isInContext(
  conversation: string,
  { seq }: Entry,
  { summaries, items }: ContextWindow,
  store: ScopedStore,
): Promise<boolean> {
  const ordinal = seq * ORDINAL_GAP;
  // Nothing before the window is covered by a summary.
  if (summaries.length === 0 && ordinal < (items[0]?.ordinal ?? 0)) return true;
  const { rows } = await store.contextShape(conversation, { from: ordinal, to: ordinal });
  return rows.some(({ type }) => type === "message");
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
