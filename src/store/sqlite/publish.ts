/** Puts a summary in the place of its sources, or of one that was made from them, if they still stand there. */
import { PalimpsestError } from "../../errors.ts";
import type { Scope } from "../../types.ts";
import { merkleRoot } from "../seal.ts";
import {
  ORDINAL_GAP,
  type PublishWrite,
  type StoredSummary,
  type SummarySources,
  type WriteResult,
} from "../store.ts";
import { type SourceFacts, summarise } from "../summary-facts.ts";
import { insertEvent } from "./compaction-events.ts";
import { adjustCounters, insertSummaryItem } from "./context-items.ts";
import { requireConversation, toConversation } from "./conversations.ts";
import type { Database } from "./database.ts";
import { bytes, hex, messageRowId } from "./rows.ts";
import { insertSummary } from "./summaries.ts";

/** Something that stands in the context. */
interface Item {
  readonly ordinal: number;
  readonly messageId: number | null;
  readonly summaryNumber: number | null;
  readonly tokens: number;
  readonly stubTokens: number;
}

export function publish(
  database: Database,
  scope: Scope,
  write: PublishWrite,
): Extract<WriteResult, { kind: "publish" }> {
  const conversation = requireConversation(database, scope, write.id);
  const id = conversation.conversation_id;
  const sources = readSourceFacts(database, id, write);
  const items = requireInPlace(database, id, write, sources);
  const summary: StoredSummary = { ...summarise(write.summary, sources), conversation: write.id };
  const number = conversation.last_summary + 1;
  database.run(
    "UPDATE conversations SET last_summary = ?, updated_at = ? WHERE conversation_id = ?",
    number,
    write.at,
    id,
  );
  insertSummary(database, id, number, summary);
  replaceItems(database, id, number, summary, items);
  insertEvent(database, id, number, write.event);
  return {
    kind: "publish",
    summary,
    conversation: toConversation(requireConversation(database, scope, write.id)),
  };
}

/** What each source contributes, in the order of the write. */
function readSourceFacts(database: Database, id: number, { summary }: PublishWrite): SourceFacts[] {
  return summary.sources.type === "messages"
    ? readMessageFacts(database, id, summary.sources.seqs)
    : readSummaryFacts(database, id, summary.sources.ids);
}

function readMessageFacts(database: Database, id: number, seqs: readonly number[]): SourceFacts[] {
  const rows = database.lists<[seq: number, at: string, tokens: number, hash: Uint8Array]>(
    `SELECT m.seq, m.created_at, m.token_count, m.hash
     FROM json_each(?) wanted CROSS JOIN messages m ON m.message_id = ? + wanted.value ORDER BY wanted.key`,
    JSON.stringify(seqs),
    messageRowId(id, 0),
  );
  return rows.map(([seq, at, tokens, hash]) => ({
    position: seq,
    depth: -1,
    firstSeq: seq,
    lastSeq: seq,
    earliestAt: at,
    latestAt: at,
    messageCount: 1,
    sourceTokenCount: tokens,
    descendantCount: 0,
    descendantTokenCount: 0,
    hash: hex(hash),
  }));
}

type FactsRow = Omit<SourceFacts, "hash" | "position"> & { hash: Uint8Array; position: number };

function readSummaryFacts(database: Database, id: number, ids: readonly string[]): SourceFacts[] {
  const rows = database.all<FactsRow>(
    `SELECT s.summary_number AS position, s.depth, s.first_seq AS firstSeq, s.last_seq AS lastSeq,
       s.earliest_at AS earliestAt, s.latest_at AS latestAt, s.message_count AS messageCount,
       s.source_token_count AS sourceTokenCount, s.descendant_count + 1 AS descendantCount,
       s.descendant_token_count + s.token_count AS descendantTokenCount, s.merkle_root AS hash
     FROM json_each(?) wanted CROSS JOIN summaries s ON s.summary_id = wanted.value AND s.conversation_id = ?
     ORDER BY wanted.key`,
    JSON.stringify(ids),
    id,
  );
  return rows.map((row) => ({ ...row, hash: hex(row.hash) }));
}

/** What the summary takes the place of, or `busy` when the context has moved on. */
function requireInPlace(
  database: Database,
  id: number,
  { summary: { sources }, replaces }: PublishWrite,
  facts: readonly SourceFacts[],
): Item[] {
  const items =
    replaces === undefined
      ? sourceItems(database, id, sources, facts)
      : standingItem(database, id, replaces, facts);
  if (items.length > 0) return items;
  throw new PalimpsestError("busy", "the context changed while its summary was being made", {
    advice: "Plan again; nothing was written.",
  });
}

type ItemRow = [
  ordinal: number,
  messageId: number | null,
  summaryNumber: number | null,
  tokens: number,
  stubTokens: number,
];

function toItem([ordinal, messageId, summaryNumber, tokens, stubTokens]: ItemRow): Item {
  return { ordinal, messageId, summaryNumber, tokens, stubTokens };
}

/** The item of a summary, if it was made from the same sources. */
function standingItem(
  database: Database,
  id: number,
  summary: string,
  facts: readonly SourceFacts[],
): Item[] {
  const rows = database.lists<ItemRow>(
    `SELECT c.ordinal, c.message_id, c.summary_number, c.token_count, c.token_count FROM summaries s
     JOIN context_items c ON c.conversation_id = s.conversation_id AND c.ordinal = s.first_seq * ${ORDINAL_GAP}
       AND c.summary_number = s.summary_number
     WHERE s.conversation_id = ? AND s.summary_id = ? AND s.merkle_root = ?`,
    id,
    summary,
    bytes(merkleRoot(facts.map(({ hash }) => hash))),
  );
  return rows.map(toItem);
}

/** The items of the sources; none when they do not all stand side by side. */
function sourceItems(
  database: Database,
  id: number,
  sources: SummarySources,
  facts: readonly SourceFacts[],
): Item[] {
  const wanted = sources.type === "messages" ? sources.seqs.length : sources.ids.length;
  const first = facts[0];
  const last = facts.at(-1);
  const items =
    first === undefined || last === undefined
      ? []
      : itemsBetween(database, id, first.firstSeq * ORDINAL_GAP, last.firstSeq * ORDINAL_GAP);
  const isInPlace =
    items.length === wanted &&
    facts.length === wanted &&
    wanted > 0 &&
    items.every((item, index) => {
      const position = facts[index]?.position ?? -1;
      return sources.type === "messages"
        ? item.messageId === messageRowId(id, position)
        : item.summaryNumber === position;
    });
  return isInPlace ? items : [];
}

function itemsBetween(database: Database, id: number, from: number, to: number): Item[] {
  const rows = database.lists<ItemRow>(
    `SELECT ordinal, message_id, summary_number, token_count, coalesce(stub_token_count, token_count)
     FROM context_items WHERE conversation_id = ? AND ordinal BETWEEN ? AND ? ORDER BY ordinal`,
    id,
    from,
    to,
  );
  return rows.map(toItem);
}

function replaceItems(
  database: Database,
  id: number,
  number: number,
  summary: StoredSummary,
  items: readonly Item[],
): void {
  const [first, last] = [items[0]?.ordinal ?? 0, items.at(-1)?.ordinal ?? 0];
  database.run(
    "DELETE FROM context_items WHERE conversation_id = ? AND ordinal BETWEEN ? AND ?",
    id,
    first,
    last,
  );
  insertSummaryItem(database, id, summary.firstSeq * ORDINAL_GAP, number, summary.tokenCount);
  const removed = items.reduce((sum, item) => sum + item.tokens, 0);
  const removedStubs = items.reduce((sum, item) => sum + item.stubTokens, 0);
  const { tokenCount } = summary;
  adjustCounters(database, id, 1 - items.length, tokenCount - removed, tokenCount - removedStubs);
}
