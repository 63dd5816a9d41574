/** The newest items of the context that fit, with their content. Items that do not fit are not read. */

import type { Scope } from "../../types.ts";
import { findSummariesByNumber } from "../reads/summaries.ts";
import { type CountedContext, wholeTokens } from "../rules/stub-border.ts";
import {
  MOST_OPENING,
  openingWithin,
  type PlacedOpening,
  type PlacedSummary,
} from "../rules/window-items.ts";
import {
  ORDINAL_GAP,
  type StoredMessage,
  type StoredSummary,
  type StubQuery,
  type WindowQuery,
} from "../store.ts";
import { END } from "../tables/pages.ts";
import { conversationIdOf } from "./conversations.ts";
import type { Database } from "./database.ts";
import { readMessagesById } from "./messages.ts";
import type { PackedRows } from "./packed-page.ts";
import { messageRowId, seqOfRowId } from "./rows.ts";
import { portOf } from "./sqlite-port.ts";

/** A window whose messages are packed, ready to be transferred. */
export interface PackedWindow extends PackedRows<StoredMessage> {
  /** Of all its messages: a typed array is transferred faster than a thousand objects. */
  readonly seqs: Uint32Array;
  /** Summaries in the window. */
  readonly between: readonly PlacedSummary[];
  readonly pinned: readonly number[];
  readonly opening: readonly PlacedOpening[];
  /** Ids of the summaries before the window. */
  readonly before: readonly string[];
  /** Of the summaries that the caller does not hold. */
  readonly summaries: readonly StoredSummary[];
  readonly left: { readonly items: number; readonly tokens: number };
  /** Seqs of the messages whose tool results are shown as stubs. */
  readonly stubs: Uint32Array;
}

/** Undefined if the scope has no such conversation. */
export async function readWindow(
  database: Database,
  scope: Scope,
  conversation: string,
  query: WindowQuery,
): Promise<PackedWindow | undefined> {
  const id = conversationIdOf(database, scope, conversation);
  if (id === 0) return undefined;
  return database.inSnapshot(async () => {
    const { summaries, ...window } = readPacked(database, id, query);
    const found = await findSummariesByNumber(portOf(database), scope, conversation, summaries);
    return { ...window, summaries: found.map(({ summary }) => summary) };
  });
}

/** With numbers instead of summaries. */
type WithoutSummaries = Omit<PackedWindow, "summaries"> & { readonly summaries: readonly number[] };

function readPacked(database: Database, conversationId: number, query: WindowQuery): WithoutSummaries {
  const border = stubBorder(database, conversationId, query.stubs);
  const extent = measureWindow(database, conversationId, query, border);
  const messages = messagesFrom(database, conversationId, extent.from);
  const pinned = pinnedBefore(database, conversationId, extent.from);
  const stubs = new Set(stubsFrom(database, conversationId, extent.from, border));
  const between = summariesFrom(database, conversationId, extent.from);
  const before = summariesBefore(database, conversationId, extent.from, query.summaryTokens ?? 0);
  const left = leftOver(database, conversationId, extent, border);
  const opening = left.items === 0 ? [] : openingOf(database, conversationId, query.opening);
  const read = query.opening?.to === undefined ? openingWithin(opening) : [];
  const older = [...pinned, ...read.map((seq) => messageRowId(conversationId, seq))];
  const heldSeqs = new Set(query.held?.seqs);
  const heldStubs = new Set(query.held?.stubs);
  const heldSummaries = new Set(query.held?.summaries);
  const isWanted = (id: number) => !(stubs.has(id) ? heldStubs : heldSeqs).has(seqOfRowId(id));
  const payloadsOf = (id: number) => (stubs.has(id) ? "stubs" : "context");
  return {
    ...readMessagesById(database, [...new Set([...messages, ...older])].filter(isWanted), payloadsOf),
    seqs: Uint32Array.from(messages, seqOfRowId),
    between: between.map((row) => [row.ordinal, row.summary_id]),
    pinned: pinned.map(seqOfRowId),
    opening,
    before: before.map((row) => row.summary_id),
    summaries: [...before, ...between]
      .filter((row) => !heldSummaries.has(row.summary_id))
      .map((row) => row.summary_number),
    left,
    stubs: Uint32Array.from(stubs, seqOfRowId),
  };
}

/** Row ids of the messages in the window, in order. */
function messagesFrom(database: Database, conversationId: number, from: number): number[] {
  // Reading one text takes a fraction of the time of as many rows.
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

/** Otherwise SQLite's planner reads every item to find the few that are summaries. */
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

/** The newest summaries before the window, oldest first. The last that is read may exceed the limit. */
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
    found.push(summary);
    tokens += summary.token_count;
    if (tokens >= maxTokens) break;
  }
  return found.reverse();
}

/** Row ids of the messages in the window whose tool results are shown as stubs. */
function stubsFrom(database: Database, conversationId: number, from: number, border: number): number[] {
  if (border <= from) return [];
  return database
    .all<{ message_id: number }>(
      `SELECT message_id FROM context_items
       WHERE conversation_id = ? AND ordinal >= ? AND ordinal < ? AND stub_token_count IS NOT NULL`,
      conversationId,
      from,
      border,
    )
    .map((row) => row.message_id);
}

/** The ordinal before which tool results are stubs; 0 if there are none. */
function stubBorder(database: Database, conversationId: number, query: StubQuery | undefined): number {
  if (query === undefined) return 0;
  const settled = newestFreshFrom(database, conversationId) * ORDINAL_GAP;
  const { context_tokens: all, context_stub_tokens: asStubs } = totalsOf(database, conversationId);
  if (all <= query.above) return settled;
  const newest = newestTokens(database, conversationId, query.freshItems);
  const whole = wholeTokens({ all, asStubs, ...newest }, query);
  let [from, tokens] = [END, 0];
  for (;;) {
    const rows = database.all<{ ordinal: number; token_count: number }>(NEWEST_BEFORE, conversationId, from);
    for (const { ordinal, token_count } of rows) {
      tokens += token_count;
      if (tokens > whole) return Math.max(settled, ordinal + 1);
      from = ordinal;
    }
    if (rows.length < STEP) return settled;
  }
}

function newestTokens(
  database: Database,
  conversationId: number,
  items: number,
): Pick<CountedContext, "newest" | "last"> {
  const row = database.one<Pick<CountedContext, "newest" | "last">>(
    `WITH newest AS (
       SELECT ordinal, token_count FROM context_items WHERE conversation_id = ?1 ORDER BY ordinal DESC LIMIT ?2)
     SELECT coalesce(sum(token_count), 0) AS newest, coalesce((
       SELECT token_count FROM context_items WHERE conversation_id = ?1 ORDER BY ordinal DESC LIMIT 1), 0) AS last
     FROM newest`,
    conversationId,
    items,
  );
  return row ?? { newest: 0, last: 0 };
}

interface Extent {
  /** The first ordinal of the window. */
  readonly from: number;
  readonly items: number;
  readonly tokens: number;
  /** The same with every tool result as a stub. */
  readonly stubTokens: number;
}

/** Items that are added up at a time. */
const STEP = 256;

const NEWEST_BEFORE = `SELECT ordinal, token_count, coalesce(stub_token_count, token_count) AS stub_tokens
  FROM context_items WHERE conversation_id = ?1 AND ordinal < ?2 ORDER BY ordinal DESC LIMIT ${STEP}`;

type StepRow = { items: number; tokens: number; stubTokens: number; first: number };

/** How far back the budget reaches. Adds up in steps, and reads single items in the last step only. */
function measureWindow(
  database: Database,
  conversationId: number,
  query: WindowQuery,
  border: number,
): Extent {
  let extent: Extent = { from: END, items: 0, tokens: 0, stubTokens: 0 };
  for (;;) {
    const step = database.one<StepRow>(
      `SELECT count(*) AS items, coalesce(sum(iif(ordinal < ?3, stub_tokens, token_count)), 0) AS tokens,
         coalesce(sum(stub_tokens), 0) AS stubTokens, coalesce(min(ordinal), 0) AS first
       FROM (${NEWEST_BEFORE})`,
      conversationId,
      extent.from,
      border,
    );
    if (step === undefined || step.items === 0) return extent;
    const next = {
      from: step.first,
      items: extent.items + step.items,
      tokens: extent.tokens + step.tokens,
      stubTokens: extent.stubTokens + step.stubTokens,
    };
    if (!fits(next, query)) return lastStep(database, conversationId, query, extent, border);
    extent = next;
    if (step.items < STEP) return extent;
  }
}

/** As many of the next items as still fit; the newest of all is always included. */
function lastStep(
  database: Database,
  conversationId: number,
  query: WindowQuery,
  whole: Extent,
  border: number,
): Extent {
  let extent = whole;
  for (const { ordinal, token_count, stub_tokens } of database.all<{
    ordinal: number;
    token_count: number;
    stub_tokens: number;
  }>(NEWEST_BEFORE, conversationId, whole.from)) {
    const next = {
      from: ordinal,
      items: extent.items + 1,
      tokens: extent.tokens + (ordinal < border ? stub_tokens : token_count),
      stubTokens: extent.stubTokens + stub_tokens,
    };
    if (next.items > 1 && !fits(next, query)) break;
    extent = next;
  }
  return extent;
}

function fits({ items, tokens }: Extent, { maxTokens, itemTokens = 0 }: WindowQuery): boolean {
  return tokens + items * itemTokens <= maxTokens;
}

/** Items before the window are old: if there are stubs at all, their tool results are stubs. */
function leftOver(
  database: Database,
  conversationId: number,
  { items, tokens, stubTokens }: Extent,
  border: number,
) {
  const totals = totalsOf(database, conversationId);
  const left = border === 0 ? totals.context_tokens - tokens : totals.context_stub_tokens - stubTokens;
  return { items: totals.context_items - items, tokens: left };
}

const NO_TOTALS = { context_items: 0, context_tokens: 0, context_stub_tokens: 0 };

function totalsOf(database: Database, conversationId: number): typeof NO_TOTALS {
  return (
    database.one<typeof NO_TOTALS>(
      "SELECT context_items, context_tokens, context_stub_tokens FROM conversations WHERE conversation_id = ?",
      conversationId,
    ) ?? NO_TOTALS
  );
}

/** Row ids of the messages before the window that are always shown, in order. */
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

/** The user's first messages on the active path. */
function openingOf(
  database: Database,
  conversationId: number,
  opening: WindowQuery["opening"],
): PlacedOpening[] {
  if (opening === undefined) return [];
  return database.lists<PlacedOpening>(
    `SELECT m.seq, EXISTS (
       SELECT 1 FROM context_items c
       WHERE c.conversation_id = ?1 AND c.ordinal = m.seq * ${ORDINAL_GAP} AND c.item_type = 'message'), m.token_count
     FROM (
       SELECT message_id, seq, token_count, erased_at FROM messages
       WHERE conversation_id = ?1 AND role = 'user' AND seq <= ?2 ORDER BY seq LIMIT ${MOST_OPENING}) m
     WHERE m.erased_at IS NULL
       AND NOT EXISTS (SELECT 1 FROM context_exclusions x WHERE x.message_id = m.message_id) ORDER BY m.seq`,
    conversationId,
    opening.to ?? END,
  );
}

/** The start of the fresh tail when the newest compaction was planned. */
function newestFreshFrom(database: Database, conversationId: number): number {
  const newest = database.one<{ fresh_from: number }>(
    "SELECT fresh_from FROM compaction_events WHERE conversation_id = ? ORDER BY event_number DESC LIMIT 1",
    conversationId,
  );
  return newest?.fresh_from ?? 0;
}
