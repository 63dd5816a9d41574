/** What is known about a memory changes; its words never do. */
import type { SQLInputValue } from "node:sqlite";
import { PalimpsestError } from "../../errors.ts";
import type { ReviseWrite, StoredMemory, UseWrite } from "../memory-store.ts";
import type { Database } from "./database.ts";
import { type FoundMemory, findMemory, type ThreadAccess } from "./memory-access.ts";
import { addEvent, addRelations, addSources, replaceTags } from "./memory-parts.ts";
import { dropMemorySegmentsWith } from "./memory-segments.ts";
import { memoriesOfRows } from "./read-memories.ts";
import { isShare, requireFree } from "./remember.ts";
import { requireUntouched } from "./require-untouched.ts";

export function revise(database: Database, access: ThreadAccess, write: ReviseWrite): StoredMemory {
  const found = requireMemory(database, access, write.id);
  if (write.unchangedSince !== undefined && write.unchangedSince !== found.updated_at)
    throw new PalimpsestError("busy", `${write.id} was changed meanwhile`, {
      advice: "Look at it again and try once more; nothing was written.",
    });
  if (write.whileInForce && (found.invalidated_at !== null || found.archived_at !== null))
    throw new PalimpsestError("busy", `${write.id} is not in force any more`, {
      advice: "Look at what holds now and try again; nothing was written.",
    });
  const { addSources: sources = [], addRelations: relations = [], changes } = write;
  requireUntouched(database, access.tenant, { sources, relations });
  requireShares(changes);
  requireKeyFree(database, found, changes);
  updateColumns(database, found.memory_id, changes, write.event.at);
  if (changes.tags !== undefined) {
    replaceTags(database, found.memory_id, changes.tags);
    dropMemorySegmentsWith(database, found.scope_id, found.number);
  }
  addSources(database, found.memory_id, sources);
  addRelations(database, found.memory_id, relations);
  addEvent(database, found.memory_id, write.event);
  const [revised] = memoriesOfRows(database, [found.memory_id]);
  if (revised === undefined) throw new PalimpsestError("internal", `${write.id} went while it was revised`);
  return revised;
}

function requireMemory(database: Database, access: ThreadAccess, id: string): FoundMemory {
  const found = findMemory(database, access, id);
  if (found !== undefined && found.erased_at === null) return found;
  throw new PalimpsestError("not-found", `there is no memory ${id}`, {
    advice: "Check the id; memories of other scopes and erased ones cannot be changed.",
  });
}

function requireShares({ importance = 0, confidence = 0 }: ReviseWrite["changes"]): void {
  if (isShare(importance) && isShare(confidence)) return;
  throw new PalimpsestError("invalid-input", "importance and confidence are numbers from 0 to 1", {
    advice: "Nothing was written.",
  });
}

/** A new key, or the way back from the archive, must not make a second one in force. */
function requireKeyFree(database: Database, found: FoundMemory, changes: ReviseWrite["changes"]): void {
  const archivedAt = changes.archivedAt === undefined ? found.archived_at : changes.archivedAt;
  if (found.invalidated_at !== null || archivedAt !== null) return;
  const factKey = changes.factKey === undefined ? found.fact_key : changes.factKey;
  requireFree(database, found.scope_id, factKey, found.memory_id);
}

function updateColumns(
  database: Database,
  memoryId: number,
  changes: ReviseWrite["changes"],
  at: string,
): void {
  const columns: Record<string, SQLInputValue | undefined> = {
    category: changes.category,
    tier: changes.tier,
    importance: changes.importance,
    confidence: changes.confidence,
    temporal_type: changes.temporalType,
    fact_key: changes.factKey,
    support: changes.support === undefined ? undefined : JSON.stringify(changes.support),
    valid_until: changes.validUntil,
    archived_at: changes.archivedAt,
    archived_reason: changes.archivedReason,
    updated_at: at,
  };
  const set = Object.entries(columns).flatMap(([name, value]) =>
    value === undefined ? [] : [{ name, value }],
  );
  database.run(
    `UPDATE memories SET ${set.map(({ name }) => `${name} = ?`).join(", ")} WHERE memory_id = ?`,
    ...set.map(({ value }) => value),
    memoryId,
  );
}

const COLUMNS = {
  access: ["access_count", "last_accessed_at"],
  injection: ["injected_count", "last_injected_at"],
} as const;

/** Gives how many were counted. */
export function countUse(
  database: Database,
  access: ThreadAccess,
  { ids, how, at, times = 1 }: UseWrite,
): number {
  const [count, last] = COLUMNS[how];
  let counted = 0;
  for (const id of ids) {
    const found = findMemory(database, access, id);
    if (found === undefined || found.erased_at !== null) continue;
    database.run(
      `INSERT INTO memory_uses (memory_id, ${count}, ${last}) VALUES (?, ?, ?)
       ON CONFLICT (memory_id) DO UPDATE SET ${count} = ${count} + excluded.${count},
         ${last} = max(coalesce(${last}, ''), excluded.${last})`,
      found.memory_id,
      times,
      at,
    );
    counted++;
  }
  return counted;
}
