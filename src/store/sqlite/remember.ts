/** A new memory comes, and what it takes the place of is not in force any more. */
import { PalimpsestError } from "../../errors.ts";
import { gistOfMemory } from "../gist-of-memory.ts";
import type { MemoryEvent, NewMemory, StoredMemory } from "../memory-store.ts";
import { newlyStored } from "../rules/newly-stored.ts";
import type { Database } from "./database.ts";
import { findMemory, requireAllowed, type ThreadAccess } from "./memory-access.ts";
import { addEvent, addFirstEvent, addTags, insertRelations, insertSources } from "./memory-parts.ts";
import { IN_FORCE, memoryRowId } from "./memory-rows.ts";
import { memoriesOf } from "./memory-vectors.ts";
import type { PackedRemember, PackedVectors } from "./packed-commit.ts";
import { requireUntouched } from "./require-untouched.ts";
import { keepVectors, type ModelRow, requireModel } from "./vectors.ts";

/** What the new memories of one commit share is looked up once, however many they are. */
export class Remembering {
  readonly #database: Database;
  readonly #access: ThreadAccess;
  readonly #places = new Map<string, { readonly scopeId: number; next: number }>();
  #model: (Pick<PackedVectors, "model"> & { readonly row: ModelRow }) | undefined;

  constructor(database: Database, access: ThreadAccess, memories: readonly NewMemory[]) {
    this.#database = database;
    this.#access = access;
    for (const { scope } of memories) requireAllowed(access, scope);
    requireNewIds(
      database,
      memories.map(({ id }) => id),
    );
    for (const [scope, own] of Map.groupBy(memories, ({ scope }) => scope))
      this.#places.set(scope, takeNumbers(database, access.tenant, scope, own.length));
  }

  /** Answers with the number that it got. */
  remember({ memory, supersedes, vectors, detail }: PackedRemember, floats: Float32Array): number {
    const database = this.#database;
    requireSound(memory);
    requireUntouched(database, this.#access.tenant, memory);
    for (const id of new Set(supersedes)) supersede(database, this.#access, id, memory);
    const { scopeId, number } = this.#placeIn(memory.scope);
    const memoryId = memoryRowId(scopeId, number);
    requireFree(database, scopeId, memory.factKey, memoryId);
    insertMemory(database, scopeId, newlyStored({ memory, supersedes }, number));
    addFirstEvent(database, memoryId, { at: memory.createdAt, action: "created", detail });
    if (vectors !== undefined) keepVectors(database, this.#modelOf(vectors), memoryId, vectors, floats);
    return number;
  }

  #placeIn(scope: string): { readonly scopeId: number; readonly number: number } {
    const place = this.#places.get(scope);
    if (place === undefined) throw new PalimpsestError("internal", `no number was taken in ${scope}`);
    return { scopeId: place.scopeId, number: place.next++ };
  }

  #modelOf(vectors: PackedVectors): ModelRow {
    const { model, dimensions } = vectors;
    if (this.#model?.model !== model || this.#model.row.dimensions !== dimensions)
      this.#model = { model, row: requireModel(this.#database, memoriesOf(this.#access), vectors) };
    return this.#model.row;
  }
}

function requireSound({ abstract, importance, confidence }: NewMemory): void {
  if (abstract !== "" && isShare(importance) && isShare(confidence)) return;
  throw new PalimpsestError(
    "invalid-input",
    "a memory needs a first line, and an importance and a confidence from 0 to 1",
    { advice: "Say in one sentence what it is; nothing was written." },
  );
}

/** What is no number comes here as null. */
export function isShare(value: number | null): boolean {
  return value !== null && value >= 0 && value <= 1;
}

function requireNewIds(database: Database, ids: readonly string[]): void {
  const seen = new Set<string>();
  const again = ids.find((id) => seen.size === seen.add(id).size);
  const known = database.one<{ uid: string }>(
    "SELECT m.uid FROM json_each(?) wanted CROSS JOIN memories m ON m.uid = wanted.value LIMIT 1",
    JSON.stringify(ids),
  );
  const taken = again ?? known?.uid;
  if (taken !== undefined)
    throw new PalimpsestError("conflict", `there is a memory ${taken} already`, {
      advice: "Give every memory an id of its own; nothing was written.",
    });
}

function supersede(database: Database, access: ThreadAccess, id: string, by: NewMemory): void {
  const found = findMemory(database, access, id);
  const isReplaced =
    found?.scope === by.scope &&
    database.run(
      `UPDATE memories SET invalidated_at = ?, superseded_by = ?, updated_at = ? WHERE memory_id = ? AND ${IN_FORCE}`,
      by.createdAt,
      by.id,
      by.createdAt,
      found.memory_id,
    ) > 0;
  if (!isReplaced)
    throw new PalimpsestError("busy", `${id} is not in force any more, so nothing can take its place`, {
      advice: "Look at what holds now and try again; nothing was written.",
    });
  const event: MemoryEvent = {
    at: by.createdAt,
    action: "superseded",
    detail: JSON.stringify({ by: by.id }),
  };
  addEvent(database, found.memory_id, event);
}

function takeNumbers(
  database: Database,
  tenant: string,
  scope: string,
  count: number,
): { scopeId: number; next: number } {
  const row = database.one<{ scopeId: number; last: number }>(
    `INSERT INTO memory_scopes (tenant, scope, last_number) VALUES (?1, ?2, ?3)
     ON CONFLICT (tenant, scope) DO UPDATE SET last_number = last_number + ?3
     RETURNING scope_id AS scopeId, last_number AS last`,
    tenant,
    scope,
    count,
  );
  if (row === undefined) throw new PalimpsestError("internal", "a memory scope could not be counted on");
  return { scopeId: row.scopeId, next: row.last - count + 1 };
}

/** The index would refuse it as well, but could not say why. */
export function requireFree(
  database: Database,
  scopeId: number,
  factKey: string | null,
  memoryId: number,
): void {
  if (factKey === null) return;
  const holder = database.one<{ uid: string }>(
    `SELECT uid FROM memories WHERE scope_id = ? AND fact_key = ? AND ${IN_FORCE} AND memory_id <> ?`,
    scopeId,
    factKey,
    memoryId,
  );
  if (holder !== undefined)
    throw new PalimpsestError("busy", `${holder.uid} is in force under the same fact key`, {
      advice: "Look at it, and let the new memory take its place or leave it; nothing was written.",
    });
}

/** The memory with its tags, sources and relations; its uses and events are apart. */
export function insertMemory(database: Database, scopeId: number, memory: StoredMemory): number {
  const memoryId = memoryRowId(scopeId, memory.number);
  database.run(
    `INSERT INTO memories (memory_id, uid, scope_id, number, erased_at, invalidated_at, archived_at, superseded_by,
       created_at, updated_at, valid_from, valid_until, category, tier, importance, confidence, temporal_type, origin,
       speaker, fact_key, archived_reason, support, abstract, overview, content, gist)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    memoryId,
    memory.id,
    scopeId,
    memory.number,
    memory.erasedAt,
    memory.invalidatedAt,
    memory.archivedAt,
    memory.supersededBy,
    memory.createdAt,
    memory.updatedAt,
    memory.validFrom,
    memory.validUntil,
    memory.category,
    memory.tier,
    memory.importance,
    memory.confidence,
    memory.temporalType,
    memory.origin,
    memory.speaker,
    memory.factKey,
    memory.archivedReason,
    JSON.stringify(memory.support),
    memory.abstract,
    memory.overview,
    memory.content,
    gistOfMemory(memory),
  );
  addTags(database, memoryId, memory.tags);
  insertSources(database, memoryId, memory.sources);
  insertRelations(database, memoryId, memory.relations);
  return memoryId;
}
