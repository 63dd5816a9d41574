/** How memories look in SQLite: ids are computed, what belongs to one is read with it in one statement. */
import type { MemoryRelation, MemorySource, SupportSlice } from "../../memory-types.ts";
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

const COLUMNS = `m.*, s.scope, s.tenant, u.access_count, u.last_accessed_at, u.injected_count,
    u.last_injected_at,
    (SELECT json_group_array(tag ORDER BY ordinal) FROM memory_tags t WHERE t.memory_id = m.memory_id) AS tags,
    (SELECT json_group_array(json_array(conversation_uid, first_seq, last_seq, kind) ORDER BY ordinal)
       FROM memory_sources o WHERE o.memory_id = m.memory_id) AS sources,
    (SELECT json_group_array(json_array(relation_type, target_uid) ORDER BY ordinal)
       FROM memory_relations r WHERE r.memory_id = m.memory_id) AS relations,
    (SELECT json_group_array(p.uid ORDER BY p.memory_id) FROM memories p WHERE p.superseded_by = m.uid) AS supersedes`;
const BESIDES = "JOIN memory_scopes s USING (scope_id) LEFT JOIN memory_uses u USING (memory_id)";

/** To be continued with conditions on `m`. */
export const SELECT_MEMORIES = `SELECT ${COLUMNS} FROM memories m ${BESIDES}`;

/** Those of a list of row ids. */
export const SELECT_LISTED = `SELECT ${COLUMNS} FROM json_each(?) wanted
  CROSS JOIN memories m ON m.memory_id = wanted.value CROSS ${BESIDES}`;

export type MemoryRow = {
  memory_id: number;
  uid: string;
  scope_id: number;
  number: number;
  scope: string;
  tenant: string;
  category: StoredMemory["category"];
  tier: StoredMemory["tier"];
  importance: number;
  confidence: number;
  temporal_type: StoredMemory["temporalType"];
  origin: StoredMemory["origin"];
  speaker: string | null;
  fact_key: string | null;
  abstract: string;
  overview: string;
  content: string;
  support: string;
  created_at: string;
  updated_at: string;
  valid_from: string;
  valid_until: string | null;
  invalidated_at: string | null;
  superseded_by: string | null;
  archived_at: string | null;
  archived_reason: string | null;
  erased_at: string | null;
  access_count: number | null;
  last_accessed_at: string | null;
  injected_count: number | null;
  last_injected_at: string | null;
  tags: string;
  sources: string;
  relations: string;
  supersedes: string;
};

export function toMemory(row: MemoryRow): StoredMemory {
  return {
    id: row.uid,
    scope: row.scope,
    number: row.number,
    abstract: row.abstract,
    overview: row.overview,
    content: row.content,
    category: row.category,
    tier: row.tier,
    importance: row.importance,
    confidence: row.confidence,
    temporalType: row.temporal_type,
    factKey: row.fact_key,
    tags: listIn<string>(row.tags),
    support: listIn<SupportSlice>(row.support),
    relations: listIn<[MemoryRelation["type"], string]>(row.relations).map(([type, target]) => ({
      type,
      target,
    })),
    sources: listIn<SourceList>(row.sources).map(toSource),
    origin: row.origin,
    speaker: row.speaker,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    validFrom: row.valid_from,
    validUntil: row.valid_until,
    invalidatedAt: row.invalidated_at,
    supersedes: listIn<string>(row.supersedes),
    supersededBy: row.superseded_by,
    archivedAt: row.archived_at,
    archivedReason: row.archived_reason,
    erasedAt: row.erased_at,
    accessCount: row.access_count ?? 0,
    lastAccessedAt: row.last_accessed_at,
    injectedCount: row.injected_count ?? 0,
    lastInjectedAt: row.last_injected_at,
  };
}

type SourceList = [conversation: string, firstSeq: number, lastSeq: number, kind: MemorySource["kind"]];

function toSource([conversation, firstSeq, lastSeq, kind]: SourceList): MemorySource {
  return { conversation, firstSeq, lastSeq, kind };
}

/** Most lists are empty. */
function listIn<Item>(json: string): Item[] {
  return json === "[]" ? [] : (JSON.parse(json) as Item[]);
}
