/** Related conversations: those of one session, and their forks and sub-agents in both directions. */
import { everyRow } from "../../store/every-row.ts";
import type { ConversationQuery, ListedConversation, ScopedStore } from "../../store/store.ts";
import type { ConversationRef } from "../../types.ts";
import { requireConversation } from "./read-messages.ts";

/** Oldest first. If a parent was deleted, its forks still belong together. */
export async function familyOf(
  store: ScopedStore,
  reference: ConversationRef,
): Promise<readonly ListedConversation[]> {
  const { id } = await requireConversation(store, reference);
  const family = new Map<string, ListedConversation>();
  const waiting = [id];
  const seen = new Set(waiting);
  const add = (conversation: string | null) => {
    if (conversation === null || seen.has(conversation)) return;
    seen.add(conversation);
    waiting.push(conversation);
  };
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const child of await matching(store, { parent: next })) add(child.id);
    const own = await store.conversation({ id: next });
    if (own === undefined) continue;
    add(own.parent);
    for (const member of await matching(store, { session: own.sessionKey ?? own.sessionId })) {
      family.set(member.id, member);
      add(member.id);
    }
  }
  return [...family.values()].sort((a, b) => compare(a.createdAt, b.createdAt) || compare(a.id, b.id));
}

async function matching(store: ScopedStore, query: ConversationQuery): Promise<ListedConversation[]> {
  const rows: ListedConversation[] = [];
  const page = (from: number) => store.conversations({ archived: true, from, ...query });
  for await (const row of everyRow(page)) rows.push(row);
  return rows;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
