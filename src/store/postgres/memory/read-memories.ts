/** Reading memories by what names them: an id, a place, a message, another version. */
import type { MemoryAccess, MemoryEvent, MemoryRef, SeqRange, StoredMemory } from "../../memory-store.ts";
import type { Session } from "../session.ts";
import type { Transaction } from "../transaction.ts";
import {
  inScopes,
  type MemoryRow,
  memoriesAt,
  memoriesById,
  scopesOf,
  selectMemories,
  toMemory,
} from "./memory-rows.ts";

const MOST_SIMILAR = 100;

const MEMORIES_BY_ID = `${selectMemories(memoriesById(1, 3))} WHERE ${inScopes("m.scope", 2)} ORDER BY wanted.place`;

export async function findMemories(
  session: Session | Transaction,
  access: MemoryAccess,
  ids: readonly string[],
): Promise<StoredMemory[]> {
  const rows = await session.rows<MemoryRow>(MEMORIES_BY_ID, access.tenant, scopesOf(access), ids);
  return rows.map(toMemory);
}

const REFS = "unnest($3::text[], $4::bigint[]) WITH ORDINALITY AS wanted(scope, number, place)";

const MEMORIES_AT = `${selectMemories(memoriesAt(1, REFS))} WHERE ${inScopes("m.scope", 2)} ORDER BY wanted.place`;

export async function readMemoriesAt(
  session: Session,
  access: MemoryAccess,
  refs: readonly MemoryRef[],
): Promise<StoredMemory[]> {
  const rows = await session.rows<MemoryRow>(
    MEMORIES_AT,
    access.tenant,
    scopesOf(access),
    refs.map(({ scope }) => scope),
    refs.map(({ number }) => number),
  );
  return rows.map(toMemory);
}

const MADE_FROM_RANGE = `(
  SELECT scope, number, min(greatest(first_seq, $4)) AS first_seq FROM memory_sources
  WHERE tenant = $1 AND ${inScopes("scope", 2)} AND conversation_uid = $3 AND first_seq <= $5 AND last_seq >= $4
  GROUP BY scope, number) wanted`;

export async function readMemoriesFrom(
  session: Session,
  access: MemoryAccess,
  conversation: string,
  { from, to }: SeqRange,
): Promise<StoredMemory[]> {
  const rows = await session.rows<MemoryRow>(
    `${selectMemories(memoriesAt(1, MADE_FROM_RANGE))} ORDER BY wanted.first_seq, m.scope, m.number`,
    access.tenant,
    scopesOf(access),
    conversation,
    from,
    to,
  );
  return rows.map(toMemory);
}

/** Up to what holds in the end, and down from there to all that it took the place of. */
const VERSIONS = `WITH RECURSIVE version AS (
    SELECT uid, superseded_by FROM memories WHERE tenant = $1 AND ${inScopes("scope", 2)} AND uid = $3
    UNION
    SELECT other.uid, other.superseded_by FROM version CROSS JOIN LATERAL (
      (SELECT uid, superseded_by FROM memories WHERE tenant = $1 AND uid = version.superseded_by LIMIT 1)
      UNION ALL
      (SELECT uid, superseded_by FROM memories WHERE tenant = $1 AND superseded_by = version.uid)) other)
  ${selectMemories(`version wanted CROSS JOIN LATERAL (
    SELECT * FROM memories WHERE tenant = $1 AND uid = wanted.uid LIMIT 1) m`)}
  WHERE ${inScopes("m.scope", 2)} ORDER BY m.created_at, m.number`;

export async function readVersions(
  session: Session,
  access: MemoryAccess,
  id: string,
): Promise<StoredMemory[]> {
  const rows = await session.rows<MemoryRow>(VERSIONS, access.tenant, scopesOf(access), id);
  return rows.map(toMemory);
}

export async function readSimilarMemoryIds(
  session: Session,
  access: MemoryAccess,
  id: string,
): Promise<string[]> {
  const rows = await session.rows<{ uid: string }>(
    `SELECT uid FROM memories WHERE tenant = $1 AND ${inScopes("scope", 2)}
       AND (left(uid, 12) = left($3, 12) OR right(uid, 8) = right($3, 8) OR starts_with(uid, $3))
     ORDER BY uid LIMIT ${MOST_SIMILAR}`,
    access.tenant,
    scopesOf(access),
    id,
  );
  return rows.map(({ uid }) => uid);
}

export function readMemoryEvents(session: Session, access: MemoryAccess, id: string): Promise<MemoryEvent[]> {
  return session.rows<{ at: string; action: MemoryEvent["action"]; detail: string }>(
    `SELECT e.at, e.action, e.detail FROM memories m JOIN memory_events e USING (tenant, scope, number)
     WHERE m.tenant = $1 AND ${inScopes("m.scope", 2)} AND m.uid = $3 ORDER BY e.event_id`,
    access.tenant,
    scopesOf(access),
    id,
  );
}
