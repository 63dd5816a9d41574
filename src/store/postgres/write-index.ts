/** Changing the search index: a segment comes, those it was merged from go. */
import { PalimpsestError } from "../../errors.ts";
import type { Scope } from "../../types.ts";
import type { IndexWrite, NewSegment } from "../search-store.ts";
import { advance, lockIndex, removeSegments } from "./drop-segments.ts";
import { byteaArray } from "./rows.ts";
import type { Transaction } from "./transaction.ts";

/** Pages that one statement carries. */
const BATCH_PAGES = 500;

export async function writeIndex(
  transaction: Transaction,
  scope: Scope,
  { replaces, segment }: IndexWrite,
): Promise<number | null> {
  const ids = await lockConversations(transaction, scope, segment);
  lockIndex(transaction, scope);
  if ((await removeSegments(transaction, scope, replaces)) !== replaces.length)
    throw overtaken("one of its segments is not there any more");
  if (segment === null) return null;
  await requireFree(transaction, scope, segment, ids);
  return insertSegment(transaction, scope, segment, ids);
}

type Ids = ReadonlyMap<string, number>;

/** Nobody erases or adds anything in them meanwhile. In one order, so that two of these never wait for each other. */
async function lockConversations(
  transaction: Transaction,
  scope: Scope,
  segment: NewSegment | null,
): Promise<Ids> {
  const wanted = [...new Set(segment?.runs.map((run) => run.conversation))];
  const rows = await transaction.rows<{ uid: string; conversation_id: number }>(
    `SELECT uid, conversation_id FROM conversations WHERE tenant = $1 AND agent = $2 AND uid = ANY($3::text[])
     ORDER BY conversation_id FOR UPDATE`,
    scope.tenant,
    scope.agent,
    wanted,
  );
  const ids = new Map(rows.map((row) => [row.uid, row.conversation_id]));
  if (wanted.some((id) => !ids.has(id))) throw overtaken("a conversation was deleted meanwhile");
  return ids;
}

type Obstacle = { is_taken: boolean; erased: number };

const OBSTACLES = `
  SELECT EXISTS (SELECT FROM search_runs r WHERE r.tenant = $1 AND r.conversation_id = wanted.id
      AND r.kind = wanted.kind AND r.first <= wanted.last AND r.last >= wanted.first) AS is_taken,
    CASE WHEN wanted.kind = 'message' THEN (
      SELECT count(*) FROM context_exclusions x WHERE x.tenant = $1 AND x.conversation_id = wanted.id
        AND x.seq BETWEEN wanted.first AND wanted.last AND x.reason = 'erased')
    ELSE (
      SELECT count(*) FROM summaries s WHERE s.tenant = $1 AND s.conversation_id = wanted.id
        AND s.summary_number BETWEEN wanted.first AND wanted.last AND s.encoding = 'erased') END AS erased
  FROM unnest($2::bigint[], $3::text[], $4::bigint[], $5::bigint[]) WITH ORDINALITY
    AS wanted(id, kind, first, last, place) ORDER BY wanted.place`;

async function requireFree(
  transaction: Transaction,
  scope: Scope,
  { runs }: NewSegment,
  ids: Ids,
): Promise<void> {
  const obstacles = await transaction.rows<Obstacle>(OBSTACLES, scope.tenant, ...runColumns(runs, ids));
  obstacles.forEach(({ is_taken, erased }, place) => {
    if (is_taken) throw overtaken("another process has indexed this");
    const known = runs[place]?.erased;
    if (known !== undefined && erased !== known) throw overtaken("something was erased meanwhile");
  });
}

function runColumns(runs: NewSegment["runs"], ids: Ids): readonly unknown[] {
  return [
    runs.map((run) => ids.get(run.conversation)),
    runs.map((run) => run.kind),
    runs.map((run) => run.first),
    runs.map((run) => run.last),
  ];
}

async function insertSegment(
  transaction: Transaction,
  scope: Scope,
  segment: NewSegment,
  ids: Ids,
): Promise<number> {
  const row = await transaction.one<{ segment_id: number }>(
    `INSERT INTO search_segments (tenant, agent, documents, words, earliest, latest, columns)
     VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING segment_id`,
    scope.tenant,
    scope.agent,
    segment.documents,
    segment.words,
    segment.earliest,
    segment.latest,
    Buffer.from(segment.columns),
  );
  const id = row?.segment_id ?? 0;
  transaction.send(
    `INSERT INTO search_runs (tenant, segment_id, conversation_id, kind, first, last, place)
     SELECT $1, $2, * FROM unnest($3::bigint[], $4::text[], $5::bigint[], $6::bigint[]) WITH ORDINALITY`,
    scope.tenant,
    id,
    ...runColumns(segment.runs, ids),
  );
  for (let start = 0; start < segment.pages.length; start += BATCH_PAGES)
    insertPages(transaction, scope, id, segment.pages.slice(start, start + BATCH_PAGES));
  advance(transaction, scope, [...ids.values()]);
  return id;
}

function insertPages(
  transaction: Transaction,
  scope: Scope,
  segment: number,
  pages: NewSegment["pages"],
): void {
  transaction.send(
    `INSERT INTO search_pages (tenant, segment_id, first_term, page)
     SELECT $1, $2, * FROM unnest($3::bytea[], $4::bytea[])`,
    scope.tenant,
    segment,
    byteaArray(pages.map(({ firstTerm }) => firstTerm)),
    byteaArray(pages.map(({ page }) => page)),
  );
}

function overtaken(why: string): PalimpsestError {
  return new PalimpsestError("busy", `the search index has moved on: ${why}`, {
    advice: "Try again; nothing was written.",
  });
}
