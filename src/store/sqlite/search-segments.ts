/** Reads the search index. */
import { compareBytes, joinBytes } from "../../text/bytes.ts";
import type { Scope } from "../../types.ts";
import { findSummariesByNumber } from "../reads/summaries.ts";
import {
  type DocumentKind,
  type DocumentRef,
  type DocumentRun,
  OPEN_RUNS,
  type SearchIndex,
  type SearchIndexQuery,
  type SearchSegment,
  type SegmentDocuments,
  type TermRange,
} from "../search-store.ts";
import type { StoredMessage, StoredSummary } from "../store.ts";
import { conversationIdOf } from "./conversations.ts";
import type { Database } from "./database.ts";
import { conversationIds } from "./document-texts.ts";
import { readMessagesSearched } from "./messages.ts";
import type { PackedRows } from "./packed-page.ts";
import { messageRowId } from "./rows.ts";
import { portOf } from "./sqlite-port.ts";

type SegmentRow = { id: number; documents: number; words: number; earliest: number; latest: number };
type RunRow = { conversation: string; kind: DocumentKind; first: number; last: number };

const SEGMENT_COLUMNS = "s.segment_id AS id, s.documents, s.words, s.earliest, s.latest";

/** With packed pages, if any. */
export type PackedIndex = Omit<SearchIndex, "pages"> & Partial<PackedPages>;

export function readIndex(database: Database, scope: Scope, query: SearchIndexQuery = {}): PackedIndex {
  const { conversation, limit = OPEN_RUNS, ranges = [] } = query;
  const segments = readSegments(database, scope, conversation);
  const unindexed = readUnindexed(database, scope, conversation, limit);
  if (ranges.length === 0) return { segments, unindexed };
  return {
    segments,
    unindexed,
    ...packPages(
      database,
      segments.map(({ id }) => id),
      ranges,
    ),
  };
}

function readSegments(database: Database, scope: Scope, conversation?: string): SearchSegment[] {
  if (conversation === undefined)
    return database.all<SegmentRow>(
      `SELECT ${SEGMENT_COLUMNS} FROM search_segments s WHERE tenant = ? AND agent = ? ORDER BY segment_id`,
      scope.tenant,
      scope.agent,
    );
  return database.all<SegmentRow>(
    `SELECT DISTINCT ${SEGMENT_COLUMNS} FROM search_runs r JOIN search_segments s USING (segment_id)
     WHERE r.conversation_id = ? ORDER BY s.segment_id`,
    conversationIdOf(database, scope, conversation),
  );
}

export function readSegmentDocuments(
  database: Database,
  scope: Scope,
  segments: readonly number[],
): SegmentDocuments[] {
  return segments.flatMap((id) => {
    const segment = database.one<{ documents: number; columns: Uint8Array }>(
      "SELECT documents, columns FROM search_segments WHERE segment_id = ? AND tenant = ? AND agent = ?",
      id,
      scope.tenant,
      scope.agent,
    );
    return segment === undefined ? [] : [{ id, ...segment, runs: readRuns(database, id) }];
  });
}

function readRuns(database: Database, segment: number): DocumentRun[] {
  return database.all<RunRow>(
    `SELECT c.uid AS conversation, r.kind, r.first, r.last
     FROM search_runs r JOIN conversations c USING (conversation_id) WHERE r.segment_id = ? ORDER BY r.place`,
    segment,
  );
}

/** Pages concatenated in `contents`, each after its first term, ready to be transferred. */
export interface PackedPages {
  readonly pages: readonly {
    readonly segment: number;
    readonly termLength: number;
    readonly pageLength: number;
  }[];
  readonly contents: Uint8Array<ArrayBuffer>;
}

type PageRow = { segment: number; first_term: Uint8Array; page: Uint8Array };

export function readPages(
  database: Database,
  scope: Scope,
  segments: readonly number[],
  ranges: readonly TermRange[],
): PackedPages | undefined {
  const known = new Set(readSegments(database, scope).map(({ id }) => id));
  return segments.every((id) => known.has(id)) ? packPages(database, segments, ranges) : undefined;
}

function packPages(
  database: Database,
  segments: readonly number[],
  ranges: readonly TermRange[],
): PackedPages {
  const pages: PackedPages["pages"][number][] = [];
  const contents: Uint8Array[] = [];
  const taken = new Set<string>();
  for (const range of ranges)
    for (const { segment, first_term, page } of pagesOf(database, segments, range)) {
      const name = `${segment} ${Buffer.from(first_term).toString("latin1")}`;
      if (taken.has(name)) continue;
      taken.add(name);
      pages.push({ segment, termLength: first_term.length, pageLength: page.length });
      contents.push(first_term, page);
    }
  return { pages, contents: joinBytes(contents) };
}

/** A range begins on the last page whose first term is not after its start. */
const START = `SELECT max(first_term) FROM search_pages
  WHERE segment_id = wanted.value AND first_term <= ?2`;

/** Most ranges are of one term, which can only be on that page. */
function pagesOf(database: Database, segments: readonly number[], { from, to }: TermRange): PageRow[] {
  const ids = JSON.stringify(segments);
  const select = `SELECT wanted.value AS segment, p.first_term, p.page
    FROM json_each(?1) wanted CROSS JOIN search_pages p ON p.segment_id = wanted.value`;
  return compareBytes(from, to) === 0
    ? database.all(`${select} AND p.first_term = (${START})`, ids, from)
    : database.all(
        `${select} AND p.first_term <= ?3 AND p.first_term >= coalesce((${START}), ?2)
         ORDER BY wanted.key, p.first_term`,
        ...[ids, from, to],
      );
}

type Pending = {
  conversation_id: number;
  uid: string;
  last_seq: number;
  last_summary: number;
  indexed_seq: number;
  indexed_summary: number;
};

function readUnindexed(
  database: Database,
  scope: Scope,
  conversation: string | undefined,
  limit: number,
): DocumentRun[] {
  const pending = database.all<Pending>(
    `SELECT c.conversation_id, c.uid, c.last_seq, c.last_summary, coalesce(p.indexed_seq, 0) AS indexed_seq,
       coalesce(p.indexed_summary, 0) AS indexed_summary
     FROM conversations c LEFT JOIN search_progress p USING (conversation_id)
     WHERE c.tenant = ?1 AND c.agent = ?2 AND (?3 IS NULL OR c.uid = ?3)
       AND (c.last_seq > coalesce(p.indexed_seq, 0) OR c.last_summary > coalesce(p.indexed_summary, 0))
     ORDER BY c.conversation_id`,
    scope.tenant,
    scope.agent,
    conversation ?? null,
  );
  const runs: DocumentRun[] = [];
  for (const row of pending) {
    runs.push(...gaps(database, row, "message", row.indexed_seq, row.last_seq));
    runs.push(...gaps(database, row, "summary", row.indexed_summary, row.last_summary));
    if (runs.length >= limit) break;
  }
  return runs.slice(0, limit);
}

/** The gaps between the runs after a position. */
function gaps(
  database: Database,
  { conversation_id, uid }: Pending,
  kind: DocumentRun["kind"],
  indexed: number,
  last: number,
): DocumentRun[] {
  const held = database.all<{ first: number; last: number }>(
    "SELECT first, last FROM search_runs WHERE conversation_id = ? AND kind = ? AND first > ? ORDER BY first",
    conversation_id,
    kind,
    indexed,
  );
  const open: DocumentRun[] = [];
  let next = indexed + 1;
  for (const run of [...held, { first: last + 1, last }]) {
    if (run.first > next) open.push({ conversation: uid, kind, first: next, last: run.first - 1 });
    next = run.last + 1;
  }
  return open;
}

/** Messages packed as in a page of them, summaries unchanged; both without the refs, which the caller has. */
export interface PackedDocuments extends PackedRows<StoredMessage> {
  readonly messageRefs: readonly number[];
  readonly summaries: readonly { readonly index: number; readonly summary: StoredSummary }[];
}

export async function readDocuments(
  database: Database,
  scope: Scope,
  refs: readonly DocumentRef[],
  { withoutContent = false } = {},
): Promise<PackedDocuments> {
  const idOf = conversationIds(database, scope);
  const messages: { index: number; id: number }[] = [];
  const summaries: { index: number; summary: StoredSummary }[] = [];
  for (const [index, { conversation, kind, number }] of refs.entries()) {
    const id = idOf(conversation);
    if (kind === "summary") {
      const [found] = await findSummariesByNumber(portOf(database), scope, conversation, [number]);
      if (found !== undefined) summaries.push({ index, summary: found.summary });
    } else if (id !== undefined) messages.push({ index, id: messageRowId(id, number) });
  }
  const ids = messages.map(({ id }) => id);
  const { places, ...packed } = readMessagesSearched(database, ids, withoutContent);
  return { ...packed, messageRefs: places.map((place) => messages[place]?.index ?? -1), summaries };
}
