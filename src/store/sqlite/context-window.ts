/** The newest items of the context that fit, with their content. Reads nothing that does not fit. */
import { ORDINAL_GAP, type StoredSummary, type WindowQuery } from "../store.ts";
import type { PlacedSummary } from "../window-items.ts";
import { newestFreshFrom } from "./compaction-events.ts";
import type { Database } from "./database.ts";
import { type PackedMessages, readMessagesById } from "./messages.ts";
import { END, seqOfRowId } from "./rows.ts";
import { readSummariesByNumber } from "./summaries.ts";

/** A window whose messages are packed, ready to change threads. */
export interface PackedWindow extends Omit<PackedMessages, "next"> {
  /** Of all its messages: numbers in a row change threads faster than a thousand objects. */
  readonly seqs: Uint32Array;
  /** Summaries in the window. */
  readonly between: readonly PlacedSummary[];
  readonly pinned: readonly number[];
  /** Ids of the summaries before the window. */
  readonly before: readonly string[];
  /** Of the summaries that the caller does not hold. */
  readonly summaries: readonly StoredSummary[];
  readonly left: { readonly items: number; readonly tokens: number };
  readonly freshFrom: number;
}

export function readWindow(database: Database, conversationId: number, query: WindowQuery): PackedWindow {
  return database.snapshot(() => readPacked(database, conversationId, query));
}

function readPacked(database: Database, conversationId: number, query: WindowQuery): PackedWindow {
  const extent = measureWindow(database, conversationId, query);
  const messages = messagesFrom(database, conversationId, extent.from);
  const pinned = pinnedBefore(database, conversationId, extent.from);
  const between = summariesFrom(database, conversationId, extent.from);
  const before = summariesBefore(database, conversationId, extent.from, query.summaryTokens ?? 0);
  const heldSeqs = new Set(query.held?.seqs);
  const heldSummaries = new Set(query.held?.summaries);
  const isWanted = (id: number) => !heldSeqs.has(seqOfRowId(id));
  return {
    ...readMessagesById(database, [...messages.filter(isWanted), ...pinned.filter(isWanted)]),
    seqs: Uint32Array.from(messages, seqOfRowId),
    between: between.map((row) => [row.ordinal, row.summary_id]),
    pinned: pinned.map(seqOfRowId),
    before: before.map((row) => row.summary_id),
    summaries: readSummariesByNumber(
      database,
      conversationId,
      [...before, ...between]
        .filter((row) => !heldSummaries.has(row.summary_id))
        .map((row) => row.summary_number),
    ),
    left: leftOver(database, conversationId, extent),
    freshFrom: newestFreshFrom(database, conversationId),
  };
}

/** Row ids of the messages in the window, in order. */
function messagesFrom(database: Database, conversationId: number, from: number): number[] {
  // One text is read in a fraction of the time that as many rows take.
  const row = database.one<{ ids: string | null }>(
    `SELECT group_concat(message_id) AS ids FROM (
       SELECT message_id FROM context_items
       WHERE conversation_id = ? AND ordinal >= ? AND item_type = 'message' ORDER BY ordinal)`,
    conversationId,
    from,
  );
  return JSON.parse(`[${row?.ids ?? ""}]`) as number[];
}

type PlacedRow = { ordinal: number; summary_number: number; summary_id: string; token_count: number };

/** Left to choose, SQLite reads every item to find the few that are summaries. */
const PLACED_SUMMARIES = `SELECT c.ordinal, c.summary_number, s.summary_id, c.token_count
  FROM context_items c INDEXED BY context_items_summary_idx
  CROSS JOIN summaries s ON s.conversation_id = c.conversation_id AND s.summary_number = c.summary_number
  WHERE c.conversation_id = ? AND c.item_type = 'summary'`;

function summariesFrom(database: Database, conversationId: number, from: number): PlacedRow[] {
  return database.all<PlacedRow>(
    `${PLACED_SUMMARIES} AND c.ordinal >= ? ORDER BY c.ordinal`,
    conversationId,
    from,
  );
}

/** The newest summaries before the window that fit, oldest first. */
function summariesBefore(
  database: Database,
  conversationId: number,
  from: number,
  maxTokens: number,
): PlacedRow[] {
  if (maxTokens <= 0) return [];
  const found: PlacedRow[] = [];
  let tokens = 0;
  const newestFirst = database.iterate<PlacedRow>(
    `${PLACED_SUMMARIES} AND c.ordinal < ? ORDER BY c.ordinal DESC`,
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
function measureWindow(database: Database, conversationId: number, query: WindowQuery): Extent {
  let extent: Extent = { from: END, items: 0, tokens: 0 };
  for (;;) {
    const step = database.one<StepRow>(
      `SELECT count(*) AS items, coalesce(sum(token_count), 0) AS tokens, coalesce(min(ordinal), 0) AS first
       FROM (${NEWEST_BEFORE})`,
      conversationId,
      extent.from,
    );
    if (step === undefined || step.items === 0) return extent;
    const next = { from: step.first, items: extent.items + step.items, tokens: extent.tokens + step.tokens };
    if (!fits(next, query)) return lastStep(database, conversationId, query, extent);
    extent = next;
    if (step.items < STEP) return extent;
  }
}

/** As many of the next items as still fit; the newest of all in any case. */
function lastStep(database: Database, conversationId: number, query: WindowQuery, whole: Extent): Extent {
  let extent = whole;
  for (const row of database.all<{ ordinal: number; token_count: number }>(
    NEWEST_BEFORE,
    conversationId,
    whole.from,
  )) {
    const next = { from: row.ordinal, items: extent.items + 1, tokens: extent.tokens + row.token_count };
    if (next.items > 1 && !fits(next, query)) break;
    extent = next;
  }
  return extent;
}

function fits({ items, tokens }: Extent, { maxTokens, itemTokens = 0 }: WindowQuery): boolean {
  return tokens + items * itemTokens <= maxTokens;
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
