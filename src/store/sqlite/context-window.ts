/** The newest items of the context that fit, with their content. Reads nothing that does not fit. */
import { type ContextItem, ORDINAL_GAP, type StoredSummary, type WindowQuery } from "../store.ts";
import { newestFreshFrom } from "./compaction-events.ts";
import { toItem } from "./context-items.ts";
import type { Database } from "./database.ts";
import { type PackedMessages, readMessagesById } from "./messages.ts";
import { seqOfRowId } from "./rows.ts";
import { readSummariesByNumber } from "./summaries.ts";

/** A window whose messages are packed, ready to change threads. */
export interface PackedWindow extends Omit<PackedMessages, "next"> {
  readonly items: readonly ContextItem[];
  readonly pinned: readonly number[];
  /** Of the summaries that the caller does not hold. */
  readonly summaries: readonly StoredSummary[];
  readonly left: { readonly items: number; readonly tokens: number };
  readonly freshFrom: number;
}

type ItemRow = {
  ordinal: number;
  message_id: number | null;
  summary_number: number | null;
  summary_id: string | null;
  token_count: number;
};

export function readWindow(database: Database, conversationId: number, query: WindowQuery): PackedWindow {
  const rows = newestItems(database, conversationId, query.maxTokens);
  const pinned = pinnedBefore(database, conversationId, rows);
  const heldSeqs = new Set(query.held?.seqs);
  const heldSummaries = new Set(query.held?.summaries);
  const wanted = [...rows.flatMap((row) => row.message_id ?? []), ...pinned];
  const packed = readMessagesById(
    database,
    wanted.filter((id) => !heldSeqs.has(seqOfRowId(id))),
  );
  const numbers = rows.filter((row) => row.summary_id !== null && !heldSummaries.has(row.summary_id));
  return {
    ...packed,
    items: rows.map(toItem),
    pinned: pinned.map(seqOfRowId),
    summaries: readSummariesByNumber(
      database,
      conversationId,
      numbers.flatMap((row) => row.summary_number ?? []),
    ),
    left: leftOver(database, conversationId, rows),
    freshFrom: newestFreshFrom(database, conversationId),
  };
}

function newestItems(database: Database, conversationId: number, maxTokens: number): ItemRow[] {
  const items: ItemRow[] = [];
  let tokens = 0;
  const newestFirst = database.iterate<ItemRow>(
    `SELECT c.ordinal, c.message_id, c.summary_number, s.summary_id, c.token_count FROM context_items c
     LEFT JOIN summaries s ON s.conversation_id = c.conversation_id AND s.summary_number = c.summary_number
     WHERE c.conversation_id = ? ORDER BY c.ordinal DESC`,
    conversationId,
  );
  for (const item of newestFirst) {
    tokens += item.token_count;
    if (items.length > 0 && tokens > maxTokens) break;
    items.push(item);
  }
  return items.reverse();
}

function leftOver(database: Database, conversationId: number, items: readonly ItemRow[]) {
  const totals = database.one<{ context_items: number; context_tokens: number }>(
    "SELECT context_items, context_tokens FROM conversations WHERE conversation_id = ?",
    conversationId,
  );
  const tokens = items.reduce((sum, item) => sum + item.token_count, 0);
  return {
    items: (totals?.context_items ?? 0) - items.length,
    tokens: (totals?.context_tokens ?? 0) - tokens,
  };
}

/** Row ids of the messages that are shown although they stand before the window, in order. */
function pinnedBefore(database: Database, conversationId: number, window: readonly ItemRow[]): number[] {
  const before = window[0]?.ordinal ?? 0;
  const system = database.all<{ message_id: number }>(
    `SELECT m.message_id FROM messages m JOIN context_items c
       ON c.conversation_id = m.conversation_id AND c.ordinal = m.seq * ${ORDINAL_GAP}
     WHERE m.conversation_id = ? AND m.role = 'system' AND c.ordinal < ? AND c.item_type = 'message'
     ORDER BY m.seq`,
    conversationId,
    before,
  );
  const newest = database.one<{ message_id: number }>(
    `SELECT m.message_id FROM messages m JOIN context_items c
       ON c.conversation_id = m.conversation_id AND c.ordinal = m.seq * ${ORDINAL_GAP}
     WHERE m.conversation_id = ? AND m.role = 'user' AND c.item_type = 'message'
     ORDER BY m.seq DESC LIMIT 1`,
    conversationId,
  );
  const user = newest !== undefined && seqOfRowId(newest.message_id) * ORDINAL_GAP < before ? [newest] : [];
  return [...system, ...user].map((row) => row.message_id).sort((a, b) => a - b);
}
