/** A memory as its rows say it: one statement reads it with its sources, relations, uses and what it supersedes. */
import type { MemorySource, MemoryState, SupportSlice } from "../../../memory-types.ts";
import { EVERY_SCOPE, type MemoryAccess, type StoredMemory } from "../../memory-store.ts";

const OF_MEMORY = "tenant = m.tenant AND scope = m.scope AND number = m.number";

/**
 * Memories of `from`, which names them `m`; follow it with conditions. Subqueries with a limit are looked up one by one,
 * whatever is planned: without statistics the planner takes a tenant's rows for few, and would read them all for each.
 */
export function selectMemories(from = "memories m"): string {
  return `
    SELECT m.*, coalesce(u.access_count, 0) AS access_count, u.last_accessed_at,
    coalesce(u.injected_count, 0) AS injected_count, u.last_injected_at,
    (SELECT json_agg(json_build_object('conversation', conversation_uid, 'firstSeq', first_seq, 'lastSeq', last_seq,
       'kind', kind) ORDER BY ordinal) FROM memory_sources WHERE ${OF_MEMORY}) AS sources,
    (SELECT json_agg(json_build_object('type', relation_type, 'target', target_uid) ORDER BY ordinal)
       FROM memory_relations WHERE ${OF_MEMORY}) AS relations,
    (SELECT json_agg(old.uid ORDER BY old.number) FROM memories old
       WHERE old.tenant = m.tenant AND old.superseded_by = m.uid) AS supersedes
  FROM ${from}
  LEFT JOIN LATERAL (SELECT * FROM memory_uses WHERE ${OF_MEMORY} LIMIT 1) u ON true`;
}

export const SELECT_MEMORIES = selectMemories();

/** For `selectMemories`: those of ids, and those at places. */
export function memoriesById(tenant: number, ids: number): string {
  return `unnest($${ids}::text[]) WITH ORDINALITY AS wanted(uid, place) CROSS JOIN LATERAL (
    SELECT * FROM memories WHERE tenant = $${tenant} AND uid = wanted.uid LIMIT 1) m`;
}

export function memoriesAt(tenant: number, places: string): string {
  return `${places} CROSS JOIN LATERAL (SELECT * FROM memories
    WHERE tenant = $${tenant} AND scope = wanted.scope AND number = wanted.number LIMIT 1) m`;
}

/** The condition that a state stands for. */
export const STATE_CONDITIONS: Readonly<Record<MemoryState, string>> = {
  erased: "m.erased_at IS NOT NULL",
  superseded: "(m.erased_at IS NULL AND m.invalidated_at IS NOT NULL)",
  archived: "(m.erased_at IS NULL AND m.invalidated_at IS NULL AND m.archived_at IS NOT NULL)",
  active: "(m.erased_at IS NULL AND m.invalidated_at IS NULL AND m.archived_at IS NULL)",
};

export function inStates(states: readonly MemoryState[]): string {
  const conditions = (Object.keys(STATE_CONDITIONS) as MemoryState[])
    .filter((state) => states.includes(state))
    .map((state) => STATE_CONDITIONS[state]);
  return conditions.length === 0 ? "false" : `(${conditions.join(" OR ")})`;
}

/** A condition that holds in the scopes of the parameter; null stands for all. */
export function inScopes(column: string, parameter: number): string {
  return `($${parameter}::text[] IS NULL OR ${column} = ANY($${parameter}::text[]))`;
}

/** The value for that parameter: scopes of the holder, and of these only the wanted ones. */
export function scopesOf({ scopes }: MemoryAccess, wanted?: readonly string[]): readonly string[] | null {
  if (scopes === EVERY_SCOPE) return wanted ?? null;
  return wanted === undefined ? scopes : wanted.filter((scope) => scopes.includes(scope));
}

export type MemoryRow = {
  tenant: string;
  scope: string;
  number: number;
  uid: string;
  category: StoredMemory["category"];
  tier: StoredMemory["tier"];
  importance: number;
  confidence: number;
  temporal_type: StoredMemory["temporalType"];
  fact_key: string | null;
  abstract: string;
  overview: string;
  content: string;
  tags: readonly string[];
  support: string;
  origin: StoredMemory["origin"];
  speaker: string | null;
  created_at: string;
  updated_at: string;
  valid_from: string;
  valid_until: string | null;
  invalidated_at: string | null;
  superseded_by: string | null;
  archived_at: string | null;
  archived_reason: string | null;
  erased_at: string | null;
  access_count: number;
  last_accessed_at: string | null;
  injected_count: number;
  last_injected_at: string | null;
  sources: readonly MemorySource[] | null;
  relations: StoredMemory["relations"] | null;
  supersedes: readonly string[] | null;
};

export function toMemory(row: MemoryRow): StoredMemory {
  return {
    ...factsOf(row),
    ...timesOf(row),
    number: row.number,
    id: row.uid,
    scope: row.scope,
    abstract: row.abstract,
    overview: row.overview,
    content: row.content,
    sources: row.sources ?? [],
    relations: row.relations ?? [],
    supersedes: row.supersedes ?? [],
    supersededBy: row.superseded_by,
    archivedReason: row.archived_reason,
    accessCount: row.access_count,
    lastAccessedAt: row.last_accessed_at,
    injectedCount: row.injected_count,
    lastInjectedAt: row.last_injected_at,
  };
}

function factsOf(row: MemoryRow) {
  return {
    category: row.category,
    tier: row.tier,
    importance: row.importance,
    confidence: row.confidence,
    temporalType: row.temporal_type,
    factKey: row.fact_key,
    tags: row.tags,
    support: JSON.parse(row.support) as readonly SupportSlice[],
    origin: row.origin,
    speaker: row.speaker,
  };
}

function timesOf(row: MemoryRow) {
  return {
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    validFrom: row.valid_from,
    validUntil: row.valid_until,
    invalidatedAt: row.invalidated_at,
    archivedAt: row.archived_at,
    erasedAt: row.erased_at,
  };
}
