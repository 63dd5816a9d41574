/** The newest items of the context that fit, with their content. Reads nothing that does not fit. */
import type { StoredSummary, WindowQuery } from "../store.ts";
import type { Database } from "./database.ts";
import { type PackedMessages, readMessagesById } from "./messages.ts";
import { readSummariesByNumber } from "./summaries.ts";

/** A window whose messages are packed, ready to change threads. */
export interface PackedWindow extends Omit<PackedMessages, "next"> {
  /** In order: the ordinal, and for a summary its place in `summaries`; messages come in the order of `rows`. */
  readonly items: readonly { readonly ordinal: number; readonly summary: number | null }[];
  readonly summaries: readonly StoredSummary[];
  /** How many of the rows, at the end, are pinned and not items. */
  readonly pinned: number;
  readonly left: { readonly items: number; readonly tokens: number };
}

type ItemRow = {
  ordinal: number;
  message_id: number | null;
  summary_number: number | null;
  token_count: number;
};

export function readWindow(database: Database, conversationId: number, query: WindowQuery): PackedWindow {
  const items = newestItems(database, conversationId, query.maxTokens);
  const messages = items.flatMap((item) => item.message_id ?? []);
  const numbers = items.flatMap((item) => item.summary_number ?? []);
  const pinned = pinnedBefore(database, conversationId, items[0]?.ordinal ?? 0);
  const packed = readMessagesById(database, [...messages, ...pinned]);
  let summary = 0;
  return {
    ...packed,
    items: items.map((item) => ({
      ordinal: item.ordinal,
      summary: item.message_id === null ? summary++ : null,
    })),
    summaries: readSummariesByNumber(database, conversationId, numbers),
    pinned: pinned.length,
    left: leftOver(database, conversationId, items),
  };
}

function newestItems(database: Database, conversationId: number, maxTokens: number): ItemRow[] {
  const items: ItemRow[] = [];
  let tokens = 0;
  const newestFirst = database.iterate<ItemRow>(
    `SELECT ordinal, message_id, summary_number, token_count FROM context_items
     WHERE conversation_id = ? ORDER BY ordinal DESC`,
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

function pinnedBefore(database: Database, conversationId: number, ordinal: number): number[] {
  return database
    .all<{ message_id: number }>(
      `SELECT m.message_id FROM messages m JOIN context_items c
         ON c.conversation_id = m.conversation_id AND c.ordinal = m.seq * 1024
       WHERE m.conversation_id = ? AND m.role = 'system' AND c.ordinal < ? AND c.item_type = 'message'
       ORDER BY m.seq`,
      conversationId,
      ordinal,
    )
    .map((row) => row.message_id);
}
