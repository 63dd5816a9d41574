/** How memories look in SQLite: ids are computed, what belongs to one is read with it in one statement. */
import type { StoredMemory } from "../memory-store.ts";

/** Room for 268 million memories in a scope and 33 million scopes within exact integers. */
const MEMORIES_PER_SCOPE = 2 ** 28;

export function memoryRowId(scopeId: number, number: number): number {
  return scopeId * MEMORIES_PER_SCOPE + number;
}

export function scopeOfRowId(memoryId: number): number {
  return Math.floor(memoryId / MEMORIES_PER_SCOPE);
}

export function numberOfRowId(memoryId: number): number {
  return memoryId % MEMORIES_PER_SCOPE;
}

export const IN_FORCE = "invalidated_at IS NULL AND archived_at IS NULL AND erased_at IS NULL";

/** To all their digits, which not every version of SQLite writes by itself. */
const exactly = (column: string) => `json(format('%!.17g', ${column}))`;

/**
 * A memory as it is known outside, written by the database as JSON: to make it of a row and its lists takes three times
 * as long.
 */
const MEMORY = `json_object('id', m.uid, 'scope', s.scope, 'number', m.number,
  'abstract', m.abstract, 'overview', m.overview, 'content', m.content,
  'category', m.category, 'tier', m.tier,
  'importance', ${exactly("m.importance")}, 'confidence', ${exactly("m.confidence")},
  'temporalType', m.temporal_type, 'factKey', m.fact_key,
  'tags', (SELECT json_group_array(tag ORDER BY ordinal) FROM memory_tags t WHERE t.memory_id = m.memory_id),
  'support', json(m.support),
  'relations', (SELECT json_group_array(json_object('type', relation_type, 'target', target_uid) ORDER BY ordinal)
     FROM memory_relations r WHERE r.memory_id = m.memory_id),
  'sources', (SELECT json_group_array(json_object('conversation', conversation_uid, 'firstSeq', first_seq,
       'lastSeq', last_seq, 'kind', kind) ORDER BY ordinal)
     FROM memory_sources o WHERE o.memory_id = m.memory_id),
  'origin', m.origin, 'speaker', m.speaker, 'createdAt', m.created_at, 'updatedAt', m.updated_at,
  'validFrom', m.valid_from, 'validUntil', m.valid_until, 'invalidatedAt', m.invalidated_at,
  'supersedes', (SELECT json_group_array(p.uid ORDER BY p.memory_id) FROM memories p WHERE p.superseded_by = m.uid),
  'supersededBy', m.superseded_by, 'archivedAt', m.archived_at, 'archivedReason', m.archived_reason,
  'erasedAt', m.erased_at, 'accessCount', coalesce(u.access_count, 0), 'lastAccessedAt', u.last_accessed_at,
  'injectedCount', coalesce(u.injected_count, 0), 'lastInjectedAt', u.last_injected_at)`;
const BESIDES = "JOIN memory_scopes s USING (scope_id) LEFT JOIN memory_uses u USING (memory_id)";

/** To be continued with conditions on `m`. */
export const SELECT_MEMORIES = `SELECT m.memory_id, m.scope_id, s.tenant, ${MEMORY} AS memory
  FROM memories m ${BESIDES}`;

/** Those of a list of row ids, in its order, as one list of JSON. */
export const SELECT_LISTED = `SELECT json_group_array(${MEMORY} ORDER BY wanted.key) AS memories
  FROM json_each(?) wanted CROSS JOIN memories m ON m.memory_id = wanted.value CROSS ${BESIDES}`;

export type MemoryRow = { memory_id: number; scope_id: number; tenant: string; memory: string };

export function toMemory({ memory }: MemoryRow): StoredMemory {
  return JSON.parse(memory);
}
