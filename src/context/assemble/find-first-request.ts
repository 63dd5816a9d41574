/** The first thing that a person asked for on the active path: it stays in view when not everything fits. */
import { titleOf } from "../../message/title-of.ts";
import { type ContextWindow, ORDINAL_GAP, type ScopedStore } from "../../store/store.ts";
import { type Entry, messageEntry } from "./entry.ts";

/** User messages that are looked at: hosts put a few of their own first. */
const MOST_READ = 16;
const MOST_BYTES = 256 * 1024;

export interface FirstRequest {
  readonly entry: Entry;
  /** False when a summary covers it. It is then shown in addition to the items of the context. */
  readonly isItem: boolean;
}

/** Read only where the window does not reach back to the beginning. */
export async function findFirstRequest(
  conversation: string,
  { left }: ContextWindow,
  candidates: readonly Entry[],
  store: ScopedStore,
): Promise<FirstRequest | null> {
  if (left.items === 0) {
    const entry = candidates.find(isRequest);
    return entry === undefined ? null : { entry, isItem: true };
  }
  const { rows } = await store.messages(conversation, {
    from: 1,
    roles: ["user"],
    limit: MOST_READ,
    maxBytes: MOST_BYTES,
    payloads: "context",
  });
  const said = rows.filter(({ content, excluded }) => content !== null && excluded === null);
  const first = said.map((message) => messageEntry(conversation, message)).find(isRequest);
  if (first === undefined) return null;
  const ordinal = first.seq * ORDINAL_GAP;
  const { rows: items } = await store.contextShape(conversation, { from: ordinal, to: ordinal });
  return { entry: first, isItem: items.some(({ type }) => type === "message") };
}

/** What a person said, and not a host in the person's name or the result of a tool. */
function isRequest({ role, wire, toolResults }: Entry): boolean {
  if (role !== "user" || wire.type !== "message" || toolResults.length > 0) return false;
  return titleOf([{ role, parts: wire.parts }]) !== null;
}
