/** What belongs to a memory in tables of its own. */
import type { MemoryRelation, MemorySource } from "../../memory-types.ts";
import type { MemoryEvent } from "../memory-store.ts";
import type { Database } from "./database.ts";

export function addTags(database: Database, memoryId: number, tags: readonly string[]): void {
  tags.forEach((tag, ordinal) => {
    database.run("INSERT INTO memory_tags VALUES (?, ?, ?)", memoryId, ordinal, tag);
  });
}

export function replaceTags(database: Database, memoryId: number, tags: readonly string[]): void {
  database.run("DELETE FROM memory_tags WHERE memory_id = ?", memoryId);
  addTags(database, memoryId, tags);
}

export function insertSources(database: Database, memoryId: number, sources: readonly MemorySource[]): void {
  sources.forEach(({ conversation, firstSeq, lastSeq, kind }, ordinal) => {
    database.run(
      "INSERT INTO memory_sources VALUES (?, ?, ?, ?, ?, ?)",
      memoryId,
      ordinal,
      conversation,
      firstSeq,
      lastSeq,
      kind,
    );
  });
}

/** Behind those that are there; one that is there already is not added again. */
export function addSources(database: Database, memoryId: number, sources: readonly MemorySource[]): void {
  for (const { conversation, firstSeq, lastSeq, kind } of sources)
    database.run(
      `INSERT INTO memory_sources
       SELECT ?1, (SELECT coalesce(max(ordinal), -1) + 1 FROM memory_sources WHERE memory_id = ?1), ?2, ?3, ?4, ?5
       WHERE NOT EXISTS (SELECT 1 FROM memory_sources WHERE memory_id = ?1 AND conversation_uid = ?2
         AND first_seq = ?3 AND last_seq = ?4 AND kind = ?5)`,
      memoryId,
      conversation,
      firstSeq,
      lastSeq,
      kind,
    );
}

export function insertRelations(
  database: Database,
  memoryId: number,
  relations: readonly MemoryRelation[],
): void {
  relations.forEach(({ type, target }, ordinal) => {
    database.run("INSERT INTO memory_relations VALUES (?, ?, ?, ?)", memoryId, ordinal, type, target);
  });
}

export function addRelations(
  database: Database,
  memoryId: number,
  relations: readonly MemoryRelation[],
): void {
  for (const { type, target } of relations)
    database.run(
      `INSERT INTO memory_relations
       SELECT ?1, (SELECT coalesce(max(ordinal), -1) + 1 FROM memory_relations WHERE memory_id = ?1), ?2, ?3
       WHERE NOT EXISTS (SELECT 1 FROM memory_relations WHERE memory_id = ?1 AND relation_type = ?2
         AND target_uid = ?3)`,
      memoryId,
      type,
      target,
    );
}

/** Of a memory that is new: nothing was done to it before. */
export function addFirstEvent(
  database: Database,
  memoryId: number,
  { at, action, detail }: MemoryEvent,
): void {
  database.run("INSERT INTO memory_events VALUES (?, 1, ?, ?, ?)", memoryId, at, action, detail);
}

export function addEvent(database: Database, memoryId: number, { at, action, detail }: MemoryEvent): void {
  database.run(
    `INSERT INTO memory_events
     SELECT ?1, (SELECT coalesce(max(event_number), 0) + 1 FROM memory_events WHERE memory_id = ?1), ?2, ?3, ?4`,
    memoryId,
    at,
    action,
    detail,
  );
}
