/** The word index of memories: runs of a scope, kept as bytes that the store does not look into. */
import { PalimpsestError } from "../../errors.ts";
import { joinBytes } from "../../text/join-bytes.ts";
import type { MemoryIndex, MemoryIndexWrite, MemoryRun, MemorySegment } from "../memory-store.ts";
import type { Database } from "./database.ts";
import { findScopeId, requireAllowed, scopeIds, type ThreadAccess } from "./memory-access.ts";
import { memoryRowId } from "./memory-rows.ts";

type SegmentRow = { id: number; scope: string; first: number; last: number };

export function readMemoryIndex(database: Database, access: ThreadAccess): MemoryIndex {
  return database.snapshot(() => {
    const ids = scopeIds(database, access);
    return { segments: readSegments(database, ids), unindexed: ids.flatMap((id) => gapsOf(database, id)) };
  });
}

function readSegments(database: Database, scopes: readonly number[]): SegmentRow[] {
  return database.all<SegmentRow>(
    `SELECT g.segment_id AS id, s.scope, g.first, g.last FROM memory_segments g JOIN memory_scopes s USING (scope_id)
     WHERE g.scope_id IN (SELECT value FROM json_each(?)) ORDER BY g.segment_id`,
    JSON.stringify(scopes),
  );
}

function gapsOf(database: Database, scopeId: number): MemoryRun[] {
  const scope = database.one<{ scope: string; last_number: number }>(
    "SELECT scope, last_number FROM memory_scopes WHERE scope_id = ?",
    scopeId,
  );
  if (scope === undefined) return [];
  const held = database.all<{ first: number; last: number }>(
    "SELECT first, last FROM memory_segments WHERE scope_id = ? ORDER BY first",
    scopeId,
  );
  const gaps: MemoryRun[] = [];
  let next = 1;
  for (const run of [...held, { first: scope.last_number + 1, last: scope.last_number }]) {
    if (run.first > next) gaps.push({ scope: scope.scope, first: next, last: run.first - 1 });
    next = run.last + 1;
  }
  return gaps;
}

/** Contents one behind the other, ready to change threads. */
export interface PackedSegments {
  readonly rows: readonly (Omit<MemorySegment, "content"> & { readonly length: number })[];
  readonly contents: Uint8Array<ArrayBuffer>;
}

export function readSegmentContents(
  database: Database,
  access: ThreadAccess,
  ids: readonly number[],
): PackedSegments {
  const rows = database.all<SegmentRow & { content: Uint8Array }>(
    `SELECT g.segment_id AS id, s.scope, g.first, g.last, g.content FROM json_each(?) wanted
     JOIN memory_segments g ON g.segment_id = wanted.value JOIN memory_scopes s USING (scope_id)
     WHERE g.scope_id IN (SELECT value FROM json_each(?)) ORDER BY wanted.key`,
    JSON.stringify(ids),
    JSON.stringify(scopeIds(database, access)),
  );
  return {
    rows: rows.map(({ content, ...row }) => ({ ...row, length: content.length })),
    contents: joinBytes(rows.map(({ content }) => content)),
  };
}

export function unpackSegments({ rows, contents }: PackedSegments): MemorySegment[] {
  let offset = 0;
  return rows.map(({ length, ...row }) => {
    offset += length;
    return { ...row, content: contents.subarray(offset - length, offset) };
  });
}

export function writeMemoryIndex(
  database: Database,
  access: ThreadAccess,
  { replaces, segment }: MemoryIndexWrite,
): number | null {
  if (segment !== null) requireAllowed(access, segment.scope);
  const known = JSON.stringify(scopeIds(database, access));
  for (const id of replaces) {
    const removed = database.run(
      "DELETE FROM memory_segments WHERE segment_id = ? AND scope_id IN (SELECT value FROM json_each(?))",
      id,
      known,
    );
    if (removed === 0) throw overtaken(`segment ${id} is not there any more`);
  }
  return segment === null ? null : insertSegment(database, access, segment);
}

function insertSegment(
  database: Database,
  access: ThreadAccess,
  { scope, first, last, erased, content }: NonNullable<MemoryIndexWrite["segment"]>,
): number {
  const scopeId = findScopeId(database, access, scope);
  const isGivenOut =
    scopeId !== undefined &&
    database.one("SELECT 1 FROM memory_scopes WHERE scope_id = ? AND last_number >= ?", scopeId, last);
  if (scopeId === undefined || isGivenOut === undefined || first < 1 || first > last)
    throw new PalimpsestError("invalid-input", `${scope} has no memories from ${first} to ${last}`);
  const taken = database.one(
    "SELECT 1 FROM memory_segments WHERE scope_id = ? AND first <= ? AND last >= ? LIMIT 1",
    scopeId,
    last,
    first,
  );
  if (taken !== undefined) throw overtaken("another process has indexed this");
  if (countErased(database, scopeId, first, last) !== erased)
    throw overtaken("something was erased meanwhile");
  return database.insert(
    "INSERT INTO memory_segments (scope_id, first, last, content) VALUES (?, ?, ?, ?)",
    scopeId,
    first,
    last,
    content,
  );
}

function countErased(database: Database, scopeId: number, first: number, last: number): number {
  const row = database.one<{ count: number }>(
    "SELECT count(*) AS count FROM memories WHERE memory_id BETWEEN ? AND ? AND erased_at IS NOT NULL",
    memoryRowId(scopeId, first),
    memoryRowId(scopeId, last),
  );
  return row?.count ?? 0;
}

export function dropMemorySegmentsWith(database: Database, scopeId: number, number: number): void {
  database.run(
    "DELETE FROM memory_segments WHERE scope_id = ? AND first <= ? AND last >= ?",
    scopeId,
    number,
    number,
  );
}

function overtaken(why: string): PalimpsestError {
  return new PalimpsestError("busy", `the index of memories has moved on: ${why}`, {
    advice: "Try again; nothing was written.",
  });
}
