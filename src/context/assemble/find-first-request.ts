/** The first thing that a person asked for on the active path: it stays in view when not everything fits. */
import { titleOf } from "../../message/title-of.ts";
import type { ContextWindow, ScopedStore } from "../../store/store.ts";
import { type Entry, messageEntry } from "./entry.ts";

/** User messages that are looked at: hosts put a few of their own first. */
const MOST_READ = 16;
const MOST_BYTES = 256 * 1024;

/** Read only where the window does not reach back to the beginning. */
export async function findFirstRequest(
  conversation: string,
  { left }: ContextWindow,
  candidates: readonly Entry[],
  store: ScopedStore,
): Promise<Entry | null> {
  if (left.items === 0) return candidates.find(isRequest) ?? null;
  const { rows } = await store.messages(conversation, {
    from: 1,
    roles: ["user"],
    limit: MOST_READ,
    maxBytes: MOST_BYTES,
    payloads: "context",
  });
  const said = rows.filter(({ content, excluded }) => content !== null && excluded === null);
  return said.map((message) => messageEntry(conversation, message)).find(isRequest) ?? null;
}

/** What a person said, and not a host in the person's name or the result of a tool. */
function isRequest({ role, wire, toolResults }: Entry): boolean {
  if (role !== "user" || wire.type !== "message" || toolResults.length > 0) return false;
  return titleOf([{ role, parts: wire.parts }]) !== null;
}
