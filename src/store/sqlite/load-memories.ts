/**
 * Takes in the memories of a dump, by id. What is new comes; of what is known, the side that changed it later says what
 * is known about it, and what was superseded or erased on record here stays so.
 */
import { PalimpsestError } from "../../errors.ts";
import { sha256 } from "../../text/hash.ts";
import type { MemoryEvent, NewDecision, StoredMemory } from "../memory-store.ts";
import type { MemoryLoading } from "../port.ts";
import type { DumpRow } from "../store.ts";
import type { Database } from "./database.ts";
import { eraseMemories } from "./erase-memories.ts";
import { type DecisionRow, insertDecision, keepCapture, toDecision } from "./memory-decisions.ts";
import { addEvent, addRelations, addSources, replaceTags } from "./memory-parts.ts";
import { IN_FORCE, type MemoryRow, SELECT_MEMORIES, toMemory } from "./memory-rows.ts";
import { eventsOf } from "./read-memories.ts";
import { insertMemory } from "./remember.ts";
import { holdsErased, isErased } from "./require-untouched.ts";

type Incoming<Kind extends DumpRow["row"]> = Extract<DumpRow, { row: Kind }>;

/** Rows of long-term memory. */
export type MemoryDumpRow = Incoming<"memory" | "decision" | "capture">;

export class MemoryLoader implements MemoryLoading {
  readonly #database: Database;
  /** Those that came with words, as they must not bring back what was erased here. */
  readonly #added: Incoming<"memory">[] = [];
  /** Equal ones of this store that were met by none of the dump yet. */
  #decisions: Map<string, number> | undefined;
  added = 0;

  constructor(database: Database) {
    this.#database = database;
  }

  async take(row: MemoryDumpRow): Promise<void> {
    if (row.row === "memory") this.#takeMemory(row);
    else if (row.row === "decision") this.#takeDecision(row);
    else this.#takeCapture(row);
  }

  async end(): Promise<void> {
    for (const memory of this.#added)
      if (
        memory.sources.some((source) => holdsErased(this.#database, memory.tenant, source)) ||
        memory.relations.some((relation) => isErased(this.#database, relation))
      )
        eraseMemories(this.#database, memory.tenant, [memory.id], memory.updatedAt);
  }

  #takeMemory(row: Incoming<"memory">): void {
    const [known] = this.#database.all<MemoryRow>(`${SELECT_MEMORIES} WHERE m.uid = ?`, row.id);
    if (known === undefined) this.#addMemory(row);
    else this.#meetMemory(row, known);
  }

  #addMemory({ row: _, tenant, events, ...memory }: Incoming<"memory">): void {
    const { scopeId, number } = this.#place(tenant, memory);
    const settled = this.#settleKey(scopeId, memory);
    const memoryId = insertMemory(this.#database, scopeId, { ...settled, number });
    this.#keepUses(memoryId, memory);
    for (const event of events) addEvent(this.#database, memoryId, event);
    this.added++;
    if (memory.erasedAt === null) this.#added.push({ row: "memory", tenant, events, ...memory });
  }

  /** Its own number where that was never given out, or else the next one. */
  #place(tenant: string, { scope, number }: StoredMemory): { scopeId: number; number: number } {
    this.#database.run("INSERT OR IGNORE INTO memory_scopes (tenant, scope) VALUES (?, ?)", tenant, scope);
    const found = this.#database.one<{ scope_id: number; last_number: number }>(
      "SELECT scope_id, last_number FROM memory_scopes WHERE tenant = ? AND scope = ?",
      tenant,
      scope,
    );
    if (found === undefined) throw new PalimpsestError("internal", "a memory scope could not be made");
    const { scope_id: scopeId, last_number } = found;
    const given = Math.max(number, last_number + 1);
    this.#database.run("UPDATE memory_scopes SET last_number = ? WHERE scope_id = ?", given, scopeId);
    return { scopeId, number: given };
  }

  #meetMemory(row: Incoming<"memory">, known: MemoryRow): void {
    const here = toMemory(known);
    if (known.tenant !== row.tenant || here.scope !== row.scope)
      throw conflict(`${row.id} is on record in another memory scope`);
    if (here.erasedAt !== null || row.erasedAt !== null) return;
    if (here.abstract !== row.abstract || here.overview !== row.overview || here.content !== row.content)
      throw conflict(`${row.id} has other words here`);
    this.#merge(row, here, known);
  }

  #merge(row: Incoming<"memory">, here: StoredMemory, { memory_id, scope_id }: MemoryRow): void {
    const latest = row.updatedAt > here.updatedAt ? row : here;
    // Whoever knows that something else holds instead is right, unless that was erased and this came back for it.
    const ended = here.invalidatedAt !== null || this.#isErased(row.supersededBy) ? here : row;
    const merged = this.#settleKey(scope_id, {
      ...latest,
      invalidatedAt: ended.invalidatedAt,
      supersededBy: ended.supersededBy,
    });
    this.#update(memory_id, merged);
    replaceTags(this.#database, memory_id, merged.tags);
    addSources(this.#database, memory_id, row.sources);
    addRelations(this.#database, memory_id, row.relations);
    this.#keepUses(memory_id, row);
    this.#keepEvents(memory_id, row.events);
    if (row.sources.length > 0 || row.relations.length > 0) this.#added.push(row);
  }

  #isErased(id: string | null): boolean {
    return (
      this.#database.one("SELECT 1 FROM memories WHERE uid = ? AND erased_at IS NOT NULL", id) !== undefined
    );
  }

  #update(memoryId: number, memory: StoredMemory): void {
    this.#database.run(
      `UPDATE memories SET invalidated_at = ?, archived_at = ?, superseded_by = ?, updated_at = ?, valid_until = ?,
         category = ?, tier = ?, importance = ?, confidence = ?, temporal_type = ?, fact_key = ?, archived_reason = ?,
         support = ? WHERE memory_id = ?`,
      memory.invalidatedAt,
      memory.archivedAt,
      memory.supersededBy,
      memory.updatedAt,
      memory.validUntil,
      memory.category,
      memory.tier,
      memory.importance,
      memory.confidence,
      memory.temporalType,
      memory.factKey,
      memory.archivedReason,
      JSON.stringify(memory.support),
      memoryId,
    );
  }

  /** Of two in force under one key the later one stays so, and the other one is superseded by it. */
  #settleKey(scopeId: number, memory: StoredMemory): StoredMemory {
    const { factKey, invalidatedAt, archivedAt, erasedAt } = memory;
    if (factKey === null || invalidatedAt !== null || archivedAt !== null || erasedAt !== null) return memory;
    const [row] = this.#database.all<MemoryRow>(
      `${SELECT_MEMORIES} WHERE m.scope_id = ? AND m.fact_key = ? AND m.uid <> ? AND ${IN_FORCE}`,
      scopeId,
      factKey,
      memory.id,
    );
    if (row === undefined) return memory;
    const other = toMemory(row);
    if (isLater(other, memory)) return superseded(memory, other);
    this.#update(row.memory_id, superseded(other, memory));
    addEvent(this.#database, row.memory_id, {
      at: memory.createdAt,
      action: "superseded",
      detail: JSON.stringify({ by: memory.id }),
    });
    return memory;
  }

  #keepUses(memoryId: number, use: StoredMemory): void {
    if (use.accessCount === 0 && use.injectedCount === 0) return;
    this.#database.run(
      `INSERT INTO memory_uses VALUES (?, ?, ?, ?, ?) ON CONFLICT (memory_id) DO UPDATE SET
         access_count = max(access_count, excluded.access_count),
         last_accessed_at = nullif(max(coalesce(last_accessed_at, ''), coalesce(excluded.last_accessed_at, '')), ''),
         injected_count = max(injected_count, excluded.injected_count),
         last_injected_at = nullif(max(coalesce(last_injected_at, ''), coalesce(excluded.last_injected_at, '')), '')`,
      memoryId,
      use.accessCount,
      use.lastAccessedAt,
      use.injectedCount,
      use.lastInjectedAt,
    );
  }

  #keepEvents(memoryId: number, events: readonly MemoryEvent[]): void {
    const known = new Set(eventsOf(this.#database, memoryId).map((event) => JSON.stringify(event)));
    for (const { at, action, detail } of events)
      if (!known.has(JSON.stringify({ at, action, detail })))
        addEvent(this.#database, memoryId, { at, action, detail });
  }

  /** As often as one is on record already, it is taken for that. */
  #takeDecision({ row: _, tenant, ...decision }: Incoming<"decision">): void {
    this.#decisions ??= this.#countDecisions();
    const name = nameOf(tenant, decision);
    const left = this.#decisions.get(name) ?? 0;
    if (left > 0) this.#decisions.set(name, left - 1);
    else insertDecision(this.#database, tenant, decision);
  }

  #countDecisions(): Map<string, number> {
    const counts = new Map<string, number>();
    for (const row of this.#database.iterate<DecisionRow>("SELECT * FROM memory_decisions")) {
      const name = nameOf(row.tenant, toDecision(row));
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    return counts;
  }

  #takeCapture({ tenant, conversation, to, at }: Incoming<"capture">): void {
    const known = this.#database.one(
      "SELECT 1 FROM memory_captures WHERE tenant = ? AND conversation_uid = ? AND captured_to >= ?",
      tenant,
      conversation,
      to,
    );
    if (known === undefined) keepCapture(this.#database, tenant, { conversation, to, at });
  }
}

function nameOf(tenant: string, decision: NewDecision): string {
  return sha256(JSON.stringify([tenant, ...DECISION_FIELDS.map((field) => decision[field])]));
}

const DECISION_FIELDS = [
  "at",
  "agent",
  "stage",
  "verdict",
  "reason",
  "detail",
  "memory",
  "scope",
  "conversation",
  "firstSeq",
  "lastSeq",
] as const;

function isLater(a: StoredMemory, b: StoredMemory): boolean {
  if (a.validFrom !== b.validFrom) return a.validFrom > b.validFrom;
  if (a.createdAt !== b.createdAt) return a.createdAt > b.createdAt;
  return a.id > b.id;
}

function superseded(memory: StoredMemory, by: StoredMemory): StoredMemory {
  return {
    ...memory,
    invalidatedAt: by.createdAt,
    supersededBy: by.id,
    updatedAt: by.createdAt > memory.updatedAt ? by.createdAt : memory.updatedAt,
  };
}

function conflict(message: string): PalimpsestError {
  return new PalimpsestError("conflict", message, { advice: "Nothing was written." });
}
