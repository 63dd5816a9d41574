/** The word index of memories: segments over runs of numbers, and what lies between them. */
import { PalimpsestError } from "../../../errors.ts";
import type {
  MemoryAccess,
  MemoryIndex,
  MemoryIndexWrite,
  MemoryRef,
  MemoryRun,
  MemorySegment,
} from "../../memory-store.ts";
import type { Session } from "../session.ts";
import type { Transaction } from "../transaction.ts";
import type { LastNumbers } from "./lock-memories.ts";
import { inScopes, scopesOf } from "./memory-rows.ts";
import { overtaken } from "./require-untouched.ts";

const SELECT_SEGMENTS = `SELECT segment_id AS id, scope, first, last FROM memory_segments
  WHERE tenant = $1 AND ${inScopes("scope", 2)} ORDER BY segment_id`;

const SELECT_UNINDEXED = `SELECT s.scope, gap.first, gap.last FROM memory_scopes s
  CROSS JOIN LATERAL (
    SELECT lag(held.last, 1, 0) OVER (ORDER BY held.first) + 1 AS first, held.first - 1 AS last FROM (
      SELECT g.first, g.last FROM memory_segments g WHERE g.tenant = s.tenant AND g.scope = s.scope
      UNION ALL SELECT s.last_number + 1, s.last_number) held) gap
  WHERE s.tenant = $1 AND ${inScopes("s.scope", 2)} AND gap.first <= gap.last ORDER BY s.scope, gap.first`;

/** One statement sees one moment. */
const SELECT_INDEX = `
  SELECT (SELECT coalesce(json_agg(i), '[]') FROM (${SELECT_SEGMENTS}) i) AS segments,
    (SELECT coalesce(json_agg(u), '[]') FROM (${SELECT_UNINDEXED}) u) AS unindexed`;

export async function readMemoryIndex(session: Session, access: MemoryAccess): Promise<MemoryIndex> {
  const index = await session.one<MemoryIndex>(SELECT_INDEX, access.tenant, scopesOf(access));
  return index ?? { segments: [], unindexed: [] };
}

export async function readMemorySegments(
  session: Session,
  access: MemoryAccess,
  ids: readonly number[],
): Promise<MemorySegment[]> {
  const rows = await session.rows<MemoryRun & { id: number; content: Buffer }>(
    `SELECT s.segment_id AS id, s.scope, s.first, s.last, s.content
     FROM unnest($3::bigint[]) WITH ORDINALITY AS wanted(id, place)
     JOIN memory_segments s ON s.tenant = $1 AND s.segment_id = wanted.id
     WHERE ${inScopes("s.scope", 2)} ORDER BY wanted.place`,
    access.tenant,
    scopesOf(access),
    ids,
  );
  return rows.map((row) => ({ ...row, content: new Uint8Array(row.content) }));
}

/** The scopes of all segments are locked. */
export async function writeMemoryIndex(
  transaction: Transaction,
  access: MemoryAccess,
  { replaces, segment }: MemoryIndexWrite,
  lastNumbers: LastNumbers,
): Promise<number | null> {
  const wanted = [...new Set(replaces)];
  const removed = await transaction.run(
    `DELETE FROM memory_segments WHERE tenant = $1 AND ${inScopes("scope", 2)} AND segment_id = ANY($3::bigint[])`,
    access.tenant,
    scopesOf(access),
    wanted,
  );
  if (removed !== wanted.length) throw overtaken("a segment is not there any more");
  if (segment === null) return null;
  if (segment.first > segment.last || segment.last > (lastNumbers.get(segment.scope) ?? 0))
    throw new PalimpsestError("invalid-input", "a segment holds only numbers that were given out", {
      advice: "Read the index again and build the segment anew; nothing was written.",
    });
  await requireFree(transaction, access, segment);
  const row = await transaction.one<{ segment_id: number }>(
    `INSERT INTO memory_segments (tenant, scope, first, last, content) VALUES ($1, $2, $3, $4, $5)
     RETURNING segment_id`,
    access.tenant,
    segment.scope,
    segment.first,
    segment.last,
    Buffer.from(segment.content),
  );
  return row?.segment_id ?? null;
}

async function requireFree(
  transaction: Transaction,
  access: MemoryAccess,
  { scope, first, last, erased }: NonNullable<MemoryIndexWrite["segment"]>,
): Promise<void> {
  const found = await transaction.one<{ is_taken: boolean; erased: number }>(
    `SELECT EXISTS (SELECT FROM memory_segments WHERE tenant = $1 AND scope = $2 AND first <= $4 AND last >= $3)
         AS is_taken,
       (SELECT count(*) FROM memories WHERE tenant = $1 AND scope = $2 AND number BETWEEN $3 AND $4
         AND erased_at IS NOT NULL) AS erased`,
    access.tenant,
    scope,
    first,
    last,
  );
  if (found?.is_taken) throw overtaken("another process has indexed this");
  if (found?.erased !== erased) throw overtaken("something was erased meanwhile");
}

/** Segments that hold one of these memories go whole. */
export function dropMemorySegments(
  transaction: Transaction,
  tenant: string,
  refs: readonly MemoryRef[],
): void {
  transaction.send(
    `DELETE FROM memory_segments s USING unnest($2::text[], $3::bigint[]) AS gone(scope, number)
     WHERE s.tenant = $1 AND s.scope = gone.scope AND gone.number BETWEEN s.first AND s.last`,
    tenant,
    refs.map(({ scope }) => scope),
    refs.map(({ number }) => number),
  );
}
