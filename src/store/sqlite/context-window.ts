/** The newest items of the context that fit, with their content. Reads nothing that does not fit. */
import { ORDINAL_GAP, type StoredSummary, type WindowQuery } from "../store.ts";
import { newestFreshFrom } from "./compaction-events.ts";
import type { Database } from "./database.ts";
import { type PackedMessages, readMessagesById } from "./messages.ts";
import { END, seqOfRowId } from "./rows.ts";
import { readSummariesByNumber } from "./summaries.ts";

/** A window whose messages are packed, ready to change threads. */
export interface PackedWindow extends Omit<PackedMessages, "next"> {
  /** JSON of `PackedItem`s: a text changes threads faster than a thousand objects. */
  readonly items: string;
  readonly pinned: readonly number[];
  /** Ids of the summaries before the window. */
  readonly before: readonly string[];
  /** Of the summaries that the caller does not hold. */
  readonly summaries: readonly StoredSummary[];
  readonly left: { readonly items: number; readonly tokens: number };
  readonly freshFrom: number;
}

/** The ordinal; the row id of a message, or null; the number and id of a summary, or null. */
export type PackedItem = readonly [number, number | null, number | null, string | null];

export function readWindow(database: Database, conversationId: number, query: WindowQuery): PackedWindow {
  const extent = measureWindow(database, conversationId, query.maxTokens);
  const packed = readItems(database, conversationId, extent.from);
  const items = JSON.parse(packed) as PackedItem[];
  const pinned = pinnedBefore(database, conversationId, extent.from);
  const before = summariesBefore(database, conversationId, extent.from, query.summaryTokens ?? 0);
  const heldSeqs = new Set(query.held?.seqs);
  const heldSummaries = new Set(query.held?.summaries);
  const wanted = [...items.flatMap(([, message]) => message ?? []), ...pinned];
  const shown = items.flatMap(([, , number, id]) => (id === null ? [] : [{ number: number ?? 0, id }]));
  const numbers = [...before.map((row) => ({ number: row.summary_number, id: row.summary_id })), ...shown]
    .filter(({ id }) => !heldSummaries.has(id))
    .map(({ number }) => number);
  return {
    ...readMessagesById(
      database,
      wanted.filter((id) => !heldSeqs.has(seqOfRowId(id))),
    ),
    items: packed,
    pinned: pinned.map(seqOfRowId),
    before: before.map((summary) => summary.summary_id),
    summaries: readSummariesByNumber(database, conversationId, numbers),
    left: leftOver(database, conversationId, extent),
    freshFrom: newestFreshFrom(database, conversationId),
  };
}

type SummaryBefore = { summary_number: number; summary_id: string; token_count: number };

/** The newest summaries before the window that fit, oldest first. */
function summariesBefore(
  database: Database,
  conversationId: number,
  from: number,
  maxTokens: number,
): SummaryBefore[] {
  if (maxTokens <= 0) return [];
  const found: SummaryBefore[] = [];
  let tokens = 0;
  const newestFirst = database.iterate<SummaryBefore>(
    `SELECT c.summary_number, s.summary_id, c.token_count FROM context_items c
     CROSS JOIN summaries s ON s.conversation_id = c.conversation_id AND s.summary_number = c.summary_number
     WHERE c.conversation_id = ? AND c.item_type = 'summary' AND c.ordinal < ? ORDER BY c.ordinal DESC`,
    conversationId,
    from,
  );
  for (const summary of newestFirst) {
    tokens += summary.token_count;
    if (tokens > maxTokens) break;
    found.push(summary);
  }
  return found.reverse();
}

interface Extent {
  /** The first ordinal of the window. */
  readonly from: number;
  readonly items: number;
  readonly tokens: number;
}

/** Items that are added up at a time. */
const STEP = 256;

const NEWEST_BEFORE = `SELECT ordinal, token_count FROM context_items
  WHERE conversation_id = ? AND ordinal < ? ORDER BY ordinal DESC LIMIT ${STEP}`;

type StepRow = { items: number; tokens: number; first: number };

/** How far back the budget reaches. Adds up step by step, and looks at single items in the last step only. */
function measureWindow(database: Database, conversationId: number, maxTokens: number): Extent {
  let extent: Extent = { from: END, items: 0, tokens: 0 };
  for (;;) {
    const step = database.one<StepRow>(
      `SELECT count(*) AS items, coalesce(sum(token_count), 0) AS tokens, coalesce(min(ordinal), 0) AS first
       FROM (${NEWEST_BEFORE})`,
      conversationId,
      extent.from,
    );
    if (step === undefined || step.items === 0) return extent;
    const tokens = extent.tokens + step.tokens;
    if (tokens > maxTokens) return lastStep(database, conversationId, maxTokens, extent);
    extent = { from: step.first, items: extent.items + step.items, tokens };
    if (step.items < STEP) return extent;
  }
}

/** As many of the next items as still fit; the newest of all in any case. */
function lastStep(database: Database, conversationId: number, maxTokens: number, extent: Extent): Extent {
  const step = database.one<StepRow>(
    `SELECT count(*) AS items, coalesce(sum(token_count), 0) AS tokens, coalesce(min(ordinal), 0) AS first
     FROM (SELECT ordinal, token_count, sum(token_count) OVER newest AS running, row_number() OVER newest AS place
       FROM (${NEWEST_BEFORE}) WINDOW newest AS (ORDER BY ordinal DESC))
     WHERE running <= ? OR place = ?`,
    conversationId,
    extent.from,
    maxTokens - extent.tokens,
    extent.items === 0 ? 1 : 0,
  );
  if (step === undefined || step.items === 0) return extent;
  return { from: step.first, items: extent.items + step.items, tokens: extent.tokens + step.tokens };
}

function readItems(database: Database, conversationId: number, from: number): string {
  const row = database.one<{ items: string }>(
    `SELECT json_group_array(json_array(ordinal, message_id, summary_number, summary_id)) AS items FROM (
       SELECT c.ordinal, c.message_id, c.summary_number, s.summary_id FROM context_items c
       LEFT JOIN summaries s ON s.conversation_id = c.conversation_id AND s.summary_number = c.summary_number
       WHERE c.conversation_id = ? AND c.ordinal >= ? ORDER BY c.ordinal)`,
    conversationId,
    from,
  );
  return row?.items ?? "[]";
}

function leftOver(database: Database, conversationId: number, { items, tokens }: Extent) {
  const totals = database.one<{ context_items: number; context_tokens: number }>(
    "SELECT context_items, context_tokens FROM conversations WHERE conversation_id = ?",
    conversationId,
  );
  return { items: (totals?.context_items ?? 0) - items, tokens: (totals?.context_tokens ?? 0) - tokens };
}

/** Row ids of the messages that are shown although they stand before the window, in order. */
function pinnedBefore(database: Database, conversationId: number, before: number): number[] {
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
