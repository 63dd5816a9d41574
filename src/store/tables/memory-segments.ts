/** The word index of memories: segments over runs of numbers, stored as bytes that the store does not interpret. */
import type { MemoryIndexWrite, MemoryRef, MemorySegment } from "../memory-store.ts";
import type { Port, Reader } from "../port.ts";
import type { MemoryScopes } from "../rules/memory-scopes.ts";
import { statement } from "../statement.ts";
import { REF_COLUMNS, refList } from "./memory-refs.ts";

/** A scope with its segments, each `[id, first, last]`, in the order of their first numbers. */
interface IndexedScope {
  readonly scope: string;
  readonly last: number;
  readonly segments: readonly (readonly [id: number, first: number, last: number])[];
}

const READ = statement((d) => {
  const own = `memory_segments g WHERE ${d.sameScope("g", "s")}`;
  return `SELECT s.scope, s.last_number AS last, ${d.jsonRows("g.segment_id, g.first, g.last", own, "g.first")} AS segments
    FROM memory_scopes s WHERE s.tenant = $1 AND ${d.among("s.scope", "$2")} ORDER BY s.scope`;
});

/** One statement reads one snapshot. */
export async function readIndexedScopes(
  reader: Reader,
  { tenant, scopes }: MemoryScopes,
): Promise<IndexedScope[]> {
  const rows = await reader.rows<{ scope: string; last: number; segments: string }>(READ, tenant, scopes);
  return rows.map((row) => ({ ...row, segments: JSON.parse(row.segments) }));
}

const READ_CONTENTS = statement((d) => {
  const segment = d.each("memory_segments", "g", `${d.sameTenant("g")} AND g.segment_id = wanted.value`);
  const scope = d.each("memory_scopes", "s", `s.tenant = $1 AND ${d.sameScope("s", "g")}`);
  return `SELECT g.segment_id AS id, s.scope, g.first, g.last, g.content
    FROM ${d.list("$3", "bigint", "wanted")} ${segment} ${scope}
    WHERE ${d.among("s.scope", "$2")} ORDER BY wanted.key`;
});

/** In the order of the ids, without those that no longer exist. */
export function readMemorySegments(
  reader: Reader,
  { tenant, scopes }: MemoryScopes,
  ids: readonly number[],
): Promise<MemorySegment[]> {
  return reader.rows<MemorySegment>(READ_CONTENTS, tenant, scopes, ids);
}

const DROP = statement(
  (d) => `DELETE FROM memory_segments WHERE ${d.sameTenant("memory_segments")}
    AND ${d.isListed("segment_id", "$3", "bigint")} AND EXISTS (SELECT 1 FROM memory_scopes s
      WHERE s.tenant = $1 AND ${d.among("s.scope", "$2")} AND ${d.sameScope("memory_segments", "s")})`,
);

/** Returns how many of them there were. */
export function dropMemorySegments(
  port: Port,
  { tenant, scopes }: MemoryScopes,
  ids: readonly number[],
): Promise<number> {
  return port.run(DROP, tenant, scopes, ids);
}

const DROP_WITH = statement((d) => {
  const scope = d.each("memory_scopes", "s", "s.tenant = $1 AND s.scope = gone.scope");
  const segment = d.join(
    "memory_segments",
    "g",
    `${d.sameScope("g", "s")} AND gone.number BETWEEN g.first AND g.last`,
  );
  return `DELETE FROM memory_segments WHERE ${d.sameTenant("memory_segments")} AND segment_id IN (
    SELECT g.segment_id FROM ${d.rows("$2", "gone", REF_COLUMNS)} ${scope} ${segment})`;
});

/** Deletes whole segments that contain one of these memories. */
export function dropMemorySegmentsWith(port: Port, tenant: string, refs: readonly MemoryRef[]): void {
  if (refs.length > 0) port.send(DROP_WITH, tenant, refList(refs));
}

type NewSegment = NonNullable<MemoryIndexWrite["segment"]>;

const ROOM = statement(
  (d) => `SELECT EXISTS (SELECT 1 FROM memory_segments g
      WHERE ${d.sameScope("g", "s")} AND g.first <= $4 AND g.last >= $3) AS "isTaken",
    (SELECT count(*) FROM memories m WHERE ${d.ofScope("m", "s", "$3", "$4")} AND m.erased_at IS NOT NULL) AS erased
    FROM memory_scopes s WHERE s.tenant = $1 AND s.scope = $2`,
);

interface RoomForSegment {
  /** Another segment contains one of its numbers. */
  readonly isTaken: boolean;
  /** Erased memories of its run. */
  readonly erased: number;
}

export async function roomForSegment(
  reader: Reader,
  tenant: string,
  { scope, first, last }: NewSegment,
): Promise<RoomForSegment> {
  const row = await reader.one<RoomForSegment>(ROOM, tenant, scope, first, last);
  return { isTaken: Boolean(row?.isTaken), erased: row?.erased ?? 0 };
}

const INSERT = statement(
  (d) => `INSERT INTO memory_segments (${d.scopeKey()}, first, last, content)
    SELECT ${d.scopeKey("s.")}, $3, $4, $5 FROM memory_scopes s WHERE s.tenant = $1 AND s.scope = $2
    RETURNING segment_id AS id`,
);

export async function insertMemorySegment(
  port: Port,
  tenant: string,
  { scope, first, last, content }: NewSegment,
): Promise<number | null> {
  const row = await port.one<{ id: number }>(INSERT, tenant, scope, first, last, port.content(content));
  return row?.id ?? null;
}
