/** Memories as JSON texts that the database builds, each with all data of the memory. */
import type { Dialect } from "../statement.ts";

/** Memories as one JSON text. */
export type MemoriesText = string;

export type MemoryRow = { memory: string };

/** A public memory object, built by the database: building it from columns takes SQLite three times as long. */
function memoryJson(d: Dialect): string {
  return d.jsonObject({
    id: "m.uid",
    scope: d.scope("m"),
    number: "m.number",
    abstract: "m.abstract",
    overview: "m.overview",
    content: "m.content",
    category: "m.category",
    tier: "m.tier",
    importance: d.json("m.importance", "number"),
    confidence: d.json("m.confidence", "number"),
    temporalType: "m.temporal_type",
    factKey: "m.fact_key",
    tags: d.tags("m"),
    support: d.json("m.support", "json"),
    relations: d.nestedList(
      d.jsonObject({ type: "r.relation_type", target: "r.target_uid" }),
      `memory_relations r WHERE ${d.sameMemory("r", "m")}`,
      "r.ordinal",
    ),
    sources: d.nestedList(
      d.jsonObject({
        conversation: "o.conversation_uid",
        firstSeq: "o.first_seq",
        lastSeq: "o.last_seq",
        kind: "o.kind",
      }),
      `memory_sources o WHERE ${d.sameMemory("o", "m")}`,
      "o.ordinal",
    ),
    origin: "m.origin",
    speaker: "m.speaker",
    createdAt: d.json("m.created_at", "time"),
    updatedAt: d.json("m.updated_at", "time"),
    validFrom: d.json("m.valid_from", "time"),
    validUntil: d.json("m.valid_until", "time"),
    invalidatedAt: d.json("m.invalidated_at", "time"),
    supersedes: d.nestedList(
      "old.uid",
      `memories old WHERE ${d.sameTenant("old")} AND old.superseded_by = m.uid`,
      "old.number",
    ),
    supersededBy: "m.superseded_by",
    archivedAt: d.json("m.archived_at", "time"),
    archivedReason: "m.archived_reason",
    erasedAt: d.json("m.erased_at", "time"),
    accessCount: "coalesce(u.access_count, 0)",
    lastAccessedAt: d.json("u.last_accessed_at", "time"),
    injectedCount: "coalesce(u.injected_count, 0)",
    lastInjectedAt: d.json("u.last_injected_at", "time"),
  });
}

/** Memories of `from`, which names them `m`, with further columns; conditions can be appended. */
export function selectMemories(d: Dialect, from: string, also: readonly string[] = []): string {
  const columns = [`CAST(${memoryJson(d)} AS text) AS memory`, ...also];
  return `SELECT ${columns.join(", ")} FROM ${from} ${d.maybe("memory_uses", "u", d.sameMemory("u", "m"))}`;
}

export function memoriesText(rows: readonly MemoryRow[]): MemoriesText {
  return `[${rows.map(({ memory }) => memory).join(",")}]`;
}
