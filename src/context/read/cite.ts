/** Resolves ids of messages and summaries that exist and can be read. */
import type { ScopedStore } from "../../store/store.ts";
import { isMessageId, isSummaryId, parseMessageId } from "../../text/identifiers.ts";
import type { Role } from "../../types.ts";

export interface Citation {
  readonly id: string;
  readonly kind: "message" | "summary";
  readonly conversation: string;
  /** Of a message: its seq; of a summary: the first message it covers. */
  readonly seq: number;
  /** Null for a summary. */
  readonly role: Role | null;
  /** Time of the message; for a summary, of the last message it covers. */
  readonly createdAt: string;
}

/** In the order of the ids. Unknown and erased ones are left out. */
export async function cite(store: ScopedStore, ids: readonly string[]): Promise<readonly Citation[]> {
  const found = await Promise.all(ids.map((id) => citationOf(store, id)));
  return found.filter((citation) => citation !== null);
}

async function citationOf(store: ScopedStore, id: string): Promise<Citation | null> {
  if (isMessageId(id)) return citedMessage(store, id);
  return isSummaryId(id) ? citedSummary(store, id) : null;
}

async function citedMessage(store: ScopedStore, id: string): Promise<Citation | null> {
  const { conversation, seq } = parseMessageId(id);
  const query = { from: seq, to: seq, limit: 1, withoutContent: true };
  const [row] = (await store.messages(conversation, query)).rows;
  if (row === undefined || row.erasedAt !== null) return null;
  return { id, kind: "message", conversation, seq, role: row.role, createdAt: row.createdAt };
}

async function citedSummary(store: ScopedStore, id: string): Promise<Citation | null> {
  const found = await store.summary(id);
  if (found === undefined || found.content === null) return null;
  const { conversation, firstSeq: seq, latestAt } = found;
  return { id, kind: "summary", conversation, seq, role: null, createdAt: latestAt };
}
