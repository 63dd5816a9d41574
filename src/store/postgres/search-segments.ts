/** Reads the search index. */
import { compareBytes } from "../../text/bytes.ts";
import type { Scope } from "../../types.ts";
import { findSummariesByNumber } from "../reads/summaries.ts";
import {
  type DocumentRef,
  type DocumentRun,
  OPEN_RUNS,
  type SearchIndex,
  type SearchIndexQuery,
  type SearchPage,
  type SegmentDocuments,
  type StoredDocument,
  type TermRange,
} from "../search-store.ts";
import { readMessagesOf } from "./messages.ts";
import { byteaArray } from "./rows.ts";
import type { Session } from "./session.ts";

/** More than any segment has: a limit makes the planner read the pages in order. */
const MOST_PAGES = 1_000_000;

const SELECT_SEGMENTS = `
  SELECT s.segment_id AS id, s.documents, s.words, s.earliest, s.latest FROM search_segments s
  WHERE s.tenant = $1 AND s.agent = $2 AND ($3::text IS NULL OR s.segment_id IN (
    SELECT r.segment_id FROM search_runs r JOIN conversations c ON c.conversation_id = r.conversation_id
    WHERE r.tenant = $1 AND c.tenant = $1 AND c.agent = $2 AND c.uid = $3))`;

/** The gaps between the runs after the progress mark of each conversation. */
const SELECT_UNINDEXED = `
  SELECT c.uid AS conversation, k.kind, gap.first, gap.last
  FROM conversations c
  LEFT JOIN search_progress p ON p.tenant = $1 AND p.conversation_id = c.conversation_id
  CROSS JOIN LATERAL (VALUES ('message', coalesce(p.indexed_seq, 0), c.last_seq),
    ('summary', coalesce(p.indexed_summary, 0), c.last_summary)) AS k(kind, indexed, total)
  CROSS JOIN LATERAL (
    SELECT lag(held.last, 1, k.indexed) OVER (ORDER BY held.first) + 1 AS first, held.first - 1 AS last
    FROM (
      SELECT r.first, r.last FROM search_runs r WHERE r.tenant = $1
        AND r.conversation_id = c.conversation_id AND r.kind = k.kind AND r.first > k.indexed
      UNION ALL SELECT k.total + 1, k.total) held) gap
  WHERE c.tenant = $1 AND c.agent = $2 AND ($3::text IS NULL OR c.uid = $3) AND k.total > k.indexed
    AND gap.first <= gap.last
  ORDER BY c.conversation_id, k.kind, gap.first LIMIT $4`;

/** One statement reads one snapshot. */
const SELECT_INDEX = `
  SELECT (SELECT coalesce(json_agg(s ORDER BY s.id), '[]') FROM (${SELECT_SEGMENTS}) s) AS segments,
    (SELECT coalesce(json_agg(u), '[]') FROM (${SELECT_UNINDEXED}) u) AS unindexed`;

export async function readIndex(
  session: Session,
  scope: Scope,
  { conversation, limit = OPEN_RUNS, ranges = [] }: SearchIndexQuery = {},
): Promise<SearchIndex> {
  const [index = { segments: [], unindexed: [] }] = await session.rows<SearchIndex>(
    SELECT_INDEX,
    scope.tenant,
    scope.agent,
    conversation ?? null,
    limit,
  );
  if (ranges.length === 0) return index;
  const ids = index.segments.map(({ id }) => id);
  const pages = await readPages(session, scope, ids, ranges);
  return pages === undefined ? index : { ...index, pages };
}

type DocumentsRow = { id: number; documents: number; columns: Buffer; runs: readonly DocumentRun[] | null };

export async function readSegmentDocuments(
  session: Session,
  scope: Scope,
  segments: readonly number[],
): Promise<SegmentDocuments[]> {
  const rows = await session.rows<DocumentsRow>(
    `SELECT s.segment_id AS id, s.documents, s.columns, (
       SELECT json_agg(json_build_object('conversation', c.uid, 'kind', r.kind, 'first', r.first, 'last', r.last)
         ORDER BY r.place)
       FROM search_runs r JOIN conversations c ON c.tenant = $1 AND c.conversation_id = r.conversation_id
       WHERE r.tenant = $1 AND r.segment_id = s.segment_id) AS runs
     FROM search_segments s WHERE s.tenant = $1 AND s.agent = $2 AND s.segment_id = ANY($3::bigint[])
     ORDER BY s.segment_id`,
    scope.tenant,
    scope.agent,
    segments,
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  return segments.flatMap((id) => {
    const row = byId.get(id);
    return row === undefined ? [] : [{ ...row, runs: row.runs ?? [] }];
  });
}

/** The first page of a range: the last page whose first term is not after its start. One lookup each, independent of the plan. */
const FIRST_PAGES = `
  SELECT s.segment_id AS segment, p.first_term AS "firstTerm", p.page
  FROM unnest($3::bigint[]) AS wanted(segment_id)
  JOIN search_segments s ON s.tenant = $1 AND s.agent = $2 AND s.segment_id = wanted.segment_id
  CROSS JOIN unnest($4::bytea[]) AS range(first)
  CROSS JOIN LATERAL (
    SELECT first_term, page FROM search_pages WHERE tenant = $1 AND segment_id = s.segment_id
      AND first_term <= range.first ORDER BY first_term DESC LIMIT 1) p`;

/** The pages after those, for ranges of more than one term. */
const FURTHER_PAGES = `
  SELECT s.segment_id AS segment, p.first_term AS "firstTerm", p.page
  FROM unnest($3::bigint[]) AS wanted(segment_id)
  JOIN search_segments s ON s.tenant = $1 AND s.agent = $2 AND s.segment_id = wanted.segment_id
  CROSS JOIN unnest($4::bytea[], $5::bytea[]) AS range(first, last)
  CROSS JOIN LATERAL (
    SELECT first_term, page FROM search_pages WHERE tenant = $1 AND segment_id = s.segment_id
      AND first_term > range.first AND first_term <= range.last ORDER BY first_term LIMIT ${MOST_PAGES}) p`;

export async function readPages(
  session: Session,
  scope: Scope,
  segments: readonly number[],
  ranges: readonly TermRange[],
): Promise<SearchPage[] | undefined> {
  const place = [scope.tenant, scope.agent, segments];
  const firsts = byteaArray(ranges.map(({ from }) => from));
  const pages = await session.rows<SearchPage>(FIRST_PAGES, ...place, firsts);
  const long = ranges.filter(({ from, to }) => compareBytes(from, to) < 0);
  if (long.length > 0) {
    const columns = [long.map(({ from }) => from), long.map(({ to }) => to)].map(byteaArray);
    pages.push(...(await session.rows<SearchPage>(FURTHER_PAGES, ...place, ...columns)));
  }
  // A segment never changes: one that exists now existed during the whole read.
  return (await areThere(session, scope, segments)) ? inOrder(pages) : undefined;
}

async function areThere(session: Session, scope: Scope, segments: readonly number[]): Promise<boolean> {
  const [found] = await session.rows<{ count: number }>(
    `SELECT count(*)::int AS count FROM search_segments
     WHERE tenant = $1 AND agent = $2 AND segment_id = ANY($3::bigint[])`,
    scope.tenant,
    scope.agent,
    segments,
  );
  return found?.count === segments.length;
}

/** Each page once. */
function inOrder(pages: readonly SearchPage[]): SearchPage[] {
  const sorted = pages.toSorted((a, b) => a.segment - b.segment || compareBytes(a.firstTerm, b.firstTerm));
  return sorted.filter((page, i) => {
    const before = sorted[i - 1];
    return before?.segment !== page.segment || compareBytes(before.firstTerm, page.firstTerm) !== 0;
  });
}

export async function readDocuments(
  session: Session,
  scope: Scope,
  refs: readonly DocumentRef[],
  { withoutContent = false } = {},
): Promise<StoredDocument[]> {
  const found = new Map<string, StoredDocument>();
  const { message: messages = [], summary: summaries = [] } = Object.groupBy(refs, ({ kind }) => kind);
  for (const { conversation, message } of await readMessagesOf(session, scope, messages, withoutContent)) {
    const ref = { conversation, kind: "message" as const, number: message.seq };
    found.set(nameOf(ref), { ref, message });
  }
  for (const [conversation, own] of Map.groupBy(summaries, (ref) => ref.conversation)) {
    const numbers = own.map(({ number }) => number);
    for (const { number, summary } of await findSummariesByNumber(session, scope, conversation, numbers)) {
      const ref = { conversation, kind: "summary" as const, number };
      found.set(nameOf(ref), { ref, summary });
    }
  }
  return refs.flatMap((ref) => found.get(nameOf(ref)) ?? []);
}

function nameOf({ conversation, kind, number }: DocumentRef): string {
  return `${conversation} ${kind} ${number}`;
}
