/**
 * Finds the conversation of a transcript. A file that was read before continues in its conversation, even if
 * that was archived since: archiving it, or erasing from it, is not a request for a second copy.
 */
import { isRecovered } from "../../../store/rules/recovered-session.ts";
import type { Address, ScopedStore, StoredConversation } from "../../../store/store.ts";

interface Destination {
  /** Undefined for a session without one: the first batch creates it. */
  readonly conversation: StoredConversation | undefined;
  readonly address: Address;
}

export async function findConversation(
  store: ScopedStore,
  sessionId: string,
  path: string,
): Promise<Destination> {
  const bySession = { sessionId, sessionKey: null };
  const active = await store.conversation(bySession);
  const readInto = (await store.transcriptsAt(path)).map((transcript) => transcript.conversation);
  if (active !== undefined && readInto.includes(active.id))
    return { conversation: active, address: bySession };
  // Newest first. Another session may have had a file of this name.
  for (const id of readInto.toReversed()) {
    const conversation = await store.conversation({ id });
    if (conversation?.sessionId === sessionId || conversation?.sessionKey === sessionId)
      return { conversation, address: { id } };
  }
  // A conversation whose session name was lost with its row is found by its file.
  if (active === undefined)
    for (const id of readInto) {
      const conversation = await store.conversation({ id });
      if (conversation !== undefined && isRecovered(conversation)) return { conversation, address: { id } };
    }
  return { conversation: active, address: bySession };
}
