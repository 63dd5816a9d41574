/**
 * The ordered list that the model sees. Every change keeps the conversation's counters in step, so that its
 * size is known without counting.
 */
import type { ExclusionReason, Role, SummaryQuality } from "../../types.ts";
import { type ContextItem, ORDINAL_GAP, type Page, type RangeQuery, type ShapeItem } from "../store.ts";
import type { Database } from "./database.ts";
import { readParts } from "./message-parts.ts";
import { insertExclusion } from "./messages.ts";
import { DEFAULT_LIMIT, END, messageRowId, pageOf, seqOfRowId } from "./rows.ts";
import { takeApartAbove, takeApartAround } from "./take-apart.ts";

/** Takes a message out of the context. One that is out already keeps its reason. */
export function leaveContext(
  database: Database,
  conversationId: number,
  seq: number,
  reason: ExclusionReason,
): void {
  if (exclusionOf(database, conversationId, seq) !== undefined) return;
  takeApartAbove(database, conversationId, [seq]);
  dropContextItem(database, conversationId, seq * ORDINAL_GAP);
  insertExclusion(database, conversationId, seq, reason);
}

/** Brings a message that was excluded back into the context. What was erased stays out. */
export function enterContext(database: Database, conversationId: number, seq: number): void {
  const id = messageRowId(conversationId, seq);
  const returned = database.run(
    "DELETE FROM context_exclusions WHERE message_id = ? AND reason <> 'erased'",
    id,
  );
  if (returned === 0) return;
  takeApartAround(database, conversationId, seq);
  placeKnownMessage(database, conversationId, seq);
}

/** Puts a message at its place unless something stands there. */
export function placeKnownMessage(database: Database, conversationId: number, seq: number): void {
  const message = database.one<TokenRow>(
    "SELECT token_count, stub_token_count FROM messages WHERE message_id = ?",
    messageRowId(conversationId, seq),
  );
  if (message !== undefined) placeMessage(database, conversationId, seq, message);
}

export type TokenRow = { token_count: number; stub_token_count: number | null };

export function placeMessage(
  database: Database,
  conversationId: number,
  seq: number,
  { token_count, stub_token_count }: TokenRow,
): void {
  if (insertMessageItem(database, conversationId, seq) > 0)
    adjustCounters(database, conversationId, 1, token_count, stub_token_count ?? token_count);
}

export function placeSummary(
  database: Database,
  conversationId: number,
  ordinal: number,
  summaryNumber: number,
  tokenCount: number,
): void {
  if (insertSummaryItem(database, conversationId, ordinal, summaryNumber, tokenCount) > 0)
    adjustCounters(database, conversationId, 1, tokenCount, tokenCount);
}

/** Puts a known message on the active path of its transcript or off it; other reasons are left alone. */
export function setBranch(database: Database, conversationId: number, seq: number, isOffPath: boolean): void {
  const reason = exclusionOf(database, conversationId, seq);
  if (isOffPath && reason === undefined) leaveContext(database, conversationId, seq, "branch");
  if (!isOffPath && reason === "branch") enterContext(database, conversationId, seq);
}

function exclusionOf(database: Database, conversationId: number, seq: number): ExclusionReason | undefined {
  return database.one<{ reason: ExclusionReason }>(
    "SELECT reason FROM context_exclusions WHERE message_id = ?",
    messageRowId(conversationId, seq),
  )?.reason;
}

/** Without the counters, which an append moves once for all its messages. */
export function insertMessageItem(database: Database, conversationId: number, seq: number): number {
  return database.run(
    `INSERT INTO context_items (conversation_id, ordinal, item_type, message_id, token_count, stub_token_count)
     SELECT ?1, ?2, 'message', message_id, token_count, stub_token_count FROM messages WHERE message_id = ?3
     ON CONFLICT DO NOTHING`,
    conversationId,
    seq * ORDINAL_GAP,
    messageRowId(conversationId, seq),
  );
}

export function insertSummaryItem(
  database: Database,
  conversationId: number,
  ordinal: number,
  summaryNumber: number,
  tokenCount: number,
): number {
  return database.run(
    `INSERT INTO context_items (conversation_id, ordinal, item_type, summary_number, token_count)
     VALUES (?, ?, 'summary', ?, ?) ON CONFLICT DO NOTHING`,
    conversationId,
    ordinal,
    summaryNumber,
    tokenCount,
  );
}

export function dropContextItem(database: Database, conversationId: number, ordinal: number): void {
  const item = database.one<TokenRow>(
    "DELETE FROM context_items WHERE conversation_id = ? AND ordinal = ? RETURNING token_count, stub_token_count",
    conversationId,
    ordinal,
  );
  if (item === undefined) return;
  const { token_count, stub_token_count } = item;
  adjustCounters(database, conversationId, -1, -token_count, -(stub_token_count ?? token_count));
}

export function adjustCounters(
  database: Database,
  conversationId: number,
  items: number,
  tokens: number,
  stubTokens: number,
): void {
  database.run(
    `UPDATE conversations SET context_items = context_items + ?, context_tokens = context_tokens + ?,
       context_stub_tokens = context_stub_tokens + ? WHERE conversation_id = ?`,
    items,
    tokens,
    stubTokens,
    conversationId,
  );
}

/** Counts the context anew. */
export function recountContext(database: Database, conversationId: number): void {
  database.run(
    `UPDATE conversations SET (context_items, context_tokens, context_stub_tokens) =
       (SELECT count(*), coalesce(sum(token_count), 0), coalesce(sum(coalesce(stub_token_count, token_count)), 0)
        FROM context_items WHERE conversation_id = ?1)
     WHERE conversation_id = ?1`,
    conversationId,
  );
}

type ContextItemRow = {
  ordinal: number;
  message_id: number | null;
  summary_id: string | null;
  token_count: number;
};

export function readContextItems(
  database: Database,
  conversationId: number,
  query: RangeQuery,
): Page<ContextItem> {
  const limit = query.limit ?? DEFAULT_LIMIT;
  const rows = database.all<ContextItemRow>(
    `SELECT c.ordinal, c.message_id, c.token_count, s.summary_id FROM context_items c
     LEFT JOIN summaries s ON s.conversation_id = c.conversation_id AND s.summary_number = c.summary_number
     WHERE c.conversation_id = ? AND c.ordinal BETWEEN ? AND ? ORDER BY c.ordinal LIMIT ?`,
    conversationId,
    query.from ?? 0,
    query.to ?? END,
    limit + 1,
  );
  const page = pageOf(rows, limit, (row) => row.ordinal);
  return { rows: page.rows.map(toItem), next: page.next };
}

function toItem({ ordinal, message_id, summary_id, token_count }: ContextItemRow): ContextItem {
  if (message_id === null)
    return { ordinal, type: "summary", summary: summary_id ?? "", tokenCount: token_count };
  return { ordinal, type: "message", seq: seqOfRowId(message_id), tokenCount: token_count };
}

type ShapeRow = ContextItemRow & { role: Role | null; depth: number | null; quality: SummaryQuality | null };

export function readContextShape(
  database: Database,
  conversationId: number,
  query: RangeQuery,
): Page<ShapeItem> {
  const limit = query.limit ?? DEFAULT_LIMIT;
  const rows = database.all<ShapeRow>(
    `SELECT c.ordinal, c.message_id, c.token_count, m.role, s.summary_id, s.depth, s.quality FROM context_items c
     LEFT JOIN messages m ON m.message_id = c.message_id
     LEFT JOIN summaries s ON s.conversation_id = c.conversation_id AND s.summary_number = c.summary_number
     WHERE c.conversation_id = ? AND c.ordinal BETWEEN ? AND ? ORDER BY c.ordinal LIMIT ?`,
    conversationId,
    query.from ?? 0,
    query.to ?? END,
    limit + 1,
  );
  const page = pageOf(rows, limit, (row) => row.ordinal);
  const ids = page.rows.flatMap((row) => row.message_id ?? []);
  const parts = readParts(database, ids);
  return { rows: page.rows.map((row) => toShape(row, parts)), next: page.next };
}

function toShape(row: ShapeRow, parts: ReturnType<typeof readParts>): ShapeItem {
  const { ordinal, message_id, summary_id, token_count } = row;
  if (message_id === null)
    return {
      ordinal,
      type: "summary",
      summary: summary_id ?? "",
      tokenCount: token_count,
      depth: row.depth ?? 0,
      quality: row.quality ?? "normal",
    };
  const tools = (parts.get(message_id) ?? []).filter((part) => part.toolCallId !== null);
  const ids = (isCall: boolean) =>
    tools
      .filter((part) => (part.toolStatus === "pending") === isCall)
      .flatMap((part) => part.toolCallId ?? []);
  return {
    ordinal,
    type: "message",
    seq: seqOfRowId(message_id),
    tokenCount: token_count,
    role: row.role ?? "user",
    toolCalls: ids(true),
    toolResults: ids(false),
  };
}
