/**
 * The search index as the store keeps it: segments that are added and removed as a whole, the runs of documents they contain,
 * and the position up to which each conversation is indexed without a gap.
 */
import type { Scope } from "../../types.ts";
import { insertInto } from "../insert.ts";
import type { HeldConversation, Port } from "../port.ts";
import type { DocumentKind, NewSegment } from "../search-store.ts";
import { type Dialect, statement } from "../statement.ts";

type SegmentRow = { readonly segment_id: number };

const WITH_DOCUMENTS = statement(
  (d) => `SELECT DISTINCT r.segment_id FROM ${d.list("$4", "bigint", "wanted")}
    ${d.join("search_runs", "r", `${d.conversation("r")} AND r.kind = $3 AND r.first <= wanted.value AND r.last >= wanted.value`)}`,
);

/** Removes every segment that contains one of these documents. */
export async function dropSegmentsWith(
  held: HeldConversation,
  kind: DocumentKind,
  numbers: readonly number[],
): Promise<void> {
  if (numbers.length === 0) return;
  held.port.derived.lockIndex(held.scope);
  const segments = await held.rows<SegmentRow>(WITH_DOCUMENTS, kind, numbers);
  await removeSegments(held.port, held.scope, idsOf(segments));
}

const OF_CONVERSATION = statement(
  (d) => `SELECT DISTINCT segment_id FROM search_runs r WHERE ${d.conversation("r")}`,
);
const DROP_PROGRESS = statement(
  (d) => `DELETE FROM search_progress WHERE ${d.conversation("search_progress")}`,
);

export async function dropSegmentsOf(held: HeldConversation): Promise<void> {
  held.port.derived.lockIndex(held.scope);
  await removeSegments(held.port, held.scope, idsOf(await held.rows<SegmentRow>(OF_CONVERSATION)));
  held.send(DROP_PROGRESS);
}

function idsOf(rows: readonly SegmentRow[]): number[] {
  return rows.map(({ segment_id }) => segment_id);
}

/** Segments of $2 that belong to the tenant. */
const listed = (d: Dialect, table: string) =>
  `${d.sameTenant(table)} AND ${d.isListed(`${table}.segment_id`, "$2", "bigint")}`;

const DROP_RUNS = statement(
  (d) => `DELETE FROM search_runs WHERE ${listed(d, "search_runs")} RETURNING conversation_id`,
);
const DROP_PAGES = statement((d) => `DELETE FROM search_pages WHERE ${listed(d, "search_pages")}`);
const DROP_SEGMENTS = statement(
  (d) => `DELETE FROM search_segments
    WHERE tenant = $1 AND ${d.isListed("segment_id", "$2", "bigint")} AND agent = $3`,
);

/** Marks their documents as not indexed in the conversations. Returns how many segments were removed. */
export async function removeSegments(
  port: Port,
  { tenant, agent }: Scope,
  segments: readonly number[],
): Promise<number> {
  if (segments.length === 0) return 0;
  const runs = await port.rows<{ conversation_id: number }>(DROP_RUNS, tenant, segments);
  port.send(DROP_PAGES, tenant, segments);
  const removed = port.run(DROP_SEGMENTS, tenant, segments, agent);
  advance(
    port,
    tenant,
    runs.map((run) => run.conversation_id),
  );
  return removed;
}

/** The position before the first gap. A run counts if another one, or nothing at all, ends right before it. */
function coveredTo(d: Dialect, kind: DocumentKind): string {
  const runs = (alias: string) =>
    `FROM search_runs ${alias} WHERE ${d.conversation(alias, "c.value")} AND ${alias}.kind = '${kind}'`;
  return `coalesce((SELECT min(r.last) ${runs("r")} AND NOT EXISTS (SELECT 1 ${runs("n")} AND n.first = r.last + 1)
      AND EXISTS (SELECT 1 ${runs("n")} AND n.first = 1)), 0)`;
}

const ADVANCE = statement(
  (d) => `INSERT INTO search_progress (${d.ownerColumns}, indexed_seq, indexed_summary)
    SELECT ${d.tenantValue} c.value, ${coveredTo(d, "message")}, ${coveredTo(d, "summary")}
    FROM ${d.list("$2", "bigint", "c")} WHERE true
    ON CONFLICT (${d.ownerColumns}) DO UPDATE
    SET indexed_seq = excluded.indexed_seq, indexed_summary = excluded.indexed_summary`,
);

/** Advances the progress of conversations over all runs that follow without a gap. */
function advance(port: Port, tenant: string, conversations: readonly number[]): void {
  port.send(ADVANCE, tenant, [...new Set(conversations)]);
}

const INSERT_SEGMENT = statement(
  () => `INSERT INTO search_segments (tenant, agent, documents, words, earliest, latest, columns)
    VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING segment_id`,
);
const INSERT_RUNS = insertInto(
  "search_runs",
  { conversation_id: "bigint", kind: "text", first: "bigint", last: "bigint", place: "integer" },
  { owner: "segment" },
);
const INSERT_PAGES = insertInto("search_pages", { first_term: "bytes", page: "bytes" }, { owner: "segment" });

/** Row ids of conversations by their public ids. */
export type ConversationIds = ReadonlyMap<string, number>;

export async function insertSegment(
  port: Port,
  { tenant, agent }: Scope,
  segment: NewSegment,
  ids: ConversationIds,
): Promise<number> {
  const { documents, words, earliest, latest, columns } = segment;
  const row = await port.one<SegmentRow>(
    INSERT_SEGMENT,
    ...[tenant, agent, documents, words, earliest, latest, columns],
  );
  const owner = [tenant, row?.segment_id ?? 0] as const;
  const runs = segment.runs.map(({ conversation, kind, first, last }, place) => ({
    ...{ conversation_id: ids.get(conversation) ?? null, kind, first, last, place },
  }));
  port.insert(INSERT_RUNS, owner, runs);
  const pages = segment.pages.map(({ firstTerm, page }) => ({ first_term: firstTerm, page }));
  if (pages.length > 0) port.insert(INSERT_PAGES, owner, pages);
  advance(port, tenant, [...ids.values()]);
  return owner[1];
}

const LOCK_CONVERSATIONS = statement(
  (d) => `SELECT uid, conversation_id FROM conversations
    WHERE tenant = $1 AND agent = $2 AND ${d.isListed("uid", "$3", "text")}
    ORDER BY conversation_id ${d.forUpdate}`,
);

/** Prevents erasures and additions in them. In one order, which prevents deadlocks. */
export async function lockConversations(
  port: Port,
  { tenant, agent }: Scope,
  conversations: readonly string[],
): Promise<ConversationIds> {
  const rows = await port.rows<{ uid: string; conversation_id: number }>(
    ...[LOCK_CONVERSATIONS, tenant, agent, conversations],
  );
  return new Map(rows.map((row) => [row.uid, row.conversation_id]));
}

/** The reasons against indexing runs, given as lists of conversations, kinds, first and last numbers. */
const OBSTACLES = statement(
  (d) => `SELECT EXISTS (SELECT 1 FROM search_runs r WHERE ${d.conversation("r", "c.value")}
        AND r.kind = kind.value AND r.first <= last.value AND r.last >= first.value) AS is_taken,
      CASE WHEN kind.value = 'message' THEN (
        SELECT count(*) FROM context_exclusions x
        WHERE ${d.messages("x", "first.value", "last.value", "c.value")} AND x.reason = 'erased')
      ELSE (
        SELECT count(*) FROM summaries s WHERE ${d.conversation("s", "c.value")}
          AND s.summary_number BETWEEN first.value AND last.value AND s.encoding = 'erased') END AS erased
    FROM ${d.list("$2", "bigint", "c")} JOIN ${d.list("$3", "text", "kind")} ON kind.key = c.key
      JOIN ${d.list("$4", "bigint", "first")} ON first.key = c.key
      JOIN ${d.list("$5", "bigint", "last")} ON last.key = c.key ORDER BY c.key`,
);

interface Obstacle {
  readonly is_taken: boolean | number;
  readonly erased: number;
}

/** For each run: whether a part of it is already indexed, and how many of its documents are erased. */
export function findObstacles(
  port: Port,
  tenant: string,
  runs: NewSegment["runs"],
  ids: ConversationIds,
): Promise<Obstacle[]> {
  return port.rows<Obstacle>(
    OBSTACLES,
    tenant,
    runs.map((run) => ids.get(run.conversation) ?? 0),
    runs.map((run) => run.kind),
    runs.map((run) => run.first),
    runs.map((run) => run.last),
  );
}
