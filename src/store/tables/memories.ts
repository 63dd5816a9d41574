/** Memories, one durable fact each. Their text never changes. */
import { MADE_FROM_TYPES } from "../../memory-types.ts";
import { gistKey } from "../../text/language/gist.ts";
import { insertInto } from "../insert.ts";
import type { MemoryRef, NewMemory, StoredMemory } from "../memory-store.ts";
import type { Port, Reader } from "../port.ts";
import { rowList } from "../row-list.ts";
import type { MemoryScopes } from "../rules/memory-scopes.ts";
import { sealFacts, sealWords } from "../seal.ts";
import { type Dialect, statement } from "../statement.ts";
import { inForce } from "./memory-states.ts";
import { type MemoriesText, type MemoryRow, memoriesText, selectMemories } from "./select-memories.ts";

/** Relations by which one memory is derived from another. */
export const MADE_FROM = `(${MADE_FROM_TYPES.map((type) => `'${type}'`).join(", ")})`;

const FIND = statement((d) => {
  const listed = d.each("memories", "m", `${d.inScopes("m", "$2")} AND m.uid = wanted.value`);
  return `${selectMemories(d, `${d.list("$3", "text", "wanted")} ${listed}`)} ORDER BY wanted.key`;
});

/** In the order of the ids, without unknown ones. */
export async function findMemoriesText(
  reader: Reader,
  { tenant, scopes }: MemoryScopes,
  ids: readonly string[],
): Promise<MemoriesText> {
  if (ids.length === 0) return "[]";
  return memoriesText(await reader.rows<MemoryRow>(FIND, tenant, scopes, ids));
}

export async function findMemories(
  reader: Reader,
  access: MemoryScopes,
  ids: readonly string[],
): Promise<StoredMemory[]> {
  return JSON.parse(await findMemoriesText(reader, access, ids));
}

const FIND_HOLDERS = statement((d) => {
  const scope = d.each("memory_scopes", "s", "s.tenant = $1 AND s.scope = wanted.scope");
  const holder = d.each(
    "memories",
    "m",
    `${d.sameScope("m", "s")} AND m.fact_key = wanted.fact_key AND ${inForce("m")}`,
  );
  const wanted = d.rows("$2", "wanted", { scope: "text", fact_key: "text" });
  return selectMemories(d, `${wanted} ${scope} ${holder}`);
});

/** The active memories under the fact keys of these memories. */
export async function findHolders(
  reader: Reader,
  tenant: string,
  memories: readonly StoredMemory[],
): Promise<StoredMemory[]> {
  if (memories.length === 0) return [];
  const keys = rowList(
    memories,
    ({ scope }) => scope,
    ({ factKey }) => factKey,
  );
  return JSON.parse(memoriesText(await reader.rows<MemoryRow>(FIND_HOLDERS, tenant, keys)));
}

const INSERT = insertInto(
  "memories",
  {
    memory_id: "rowid",
    uid: "text",
    scope: "scope",
    number: "bigint",
    erased_at: "time",
    invalidated_at: "time",
    archived_at: "time",
    superseded_by: "text",
    created_at: "time",
    updated_at: "time",
    valid_from: "time",
    valid_until: "time",
    category: "text",
    tier: "text",
    importance: "real",
    confidence: "real",
    temporal_type: "text",
    origin: "text",
    speaker: "shown",
    fact_key: "shown",
    archived_reason: "shown",
    support: "text",
    abstract: "shown",
    overview: "shown",
    content: "shown",
    gist: "bytes",
    words_seal: "hash",
    facts_seal: "hash",
    event_count: "bigint",
    source_count: "bigint",
    relation_count: "bigint",
    tags: "tags",
  },
  { owner: "memory" },
);

/** With its texts in the form that the engine stores: seals must match what is read. */
function asStored(port: Port, memory: StoredMemory): StoredMemory {
  return {
    ...memory,
    abstract: port.shown(memory.abstract),
    overview: port.shown(memory.overview),
    content: port.shown(memory.content),
    speaker: port.shown(memory.speaker),
    factKey: port.shown(memory.factKey),
    archivedReason: port.shown(memory.archivedReason),
    tags: memory.tags.map((tag) => port.shown(tag)),
  };
}

/** Without the data in other tables. */
export function insertMemoryRows(
  port: Port,
  tenant: string,
  memories: readonly (StoredMemory & { readonly eventCount: number })[],
): void {
  port.insert(
    INSERT,
    [tenant],
    memories.map((memory) => ({
      memory_id: memory.number,
      uid: memory.id,
      scope: memory.scope,
      number: memory.number,
      erased_at: memory.erasedAt,
      invalidated_at: memory.invalidatedAt,
      archived_at: memory.archivedAt,
      superseded_by: memory.supersededBy,
      created_at: memory.createdAt,
      updated_at: memory.updatedAt,
      valid_from: memory.validFrom,
      valid_until: memory.validUntil,
      category: memory.category,
      tier: memory.tier,
      importance: memory.importance,
      confidence: memory.confidence,
      temporal_type: memory.temporalType,
      origin: memory.origin,
      speaker: memory.speaker,
      fact_key: memory.factKey,
      archived_reason: memory.archivedReason,
      support: JSON.stringify(memory.support),
      abstract: memory.abstract,
      overview: memory.overview,
      content: memory.content,
      gist: memory.abstract === "" ? new Uint8Array() : gistKey(memory.abstract),
      words_seal: sealWords(asStored(port, memory)),
      facts_seal: sealFacts(asStored(port, memory)),
      event_count: memory.eventCount,
      source_count: memory.sources.length,
      relation_count: memory.relations.length,
      tags: memory.tags,
    })),
  );
}

const UPDATE = statement(
  (d) => `UPDATE memories SET category = $4, tier = $5, importance = $6, confidence = $7, temporal_type = $8,
      fact_key = $9, support = $10, valid_until = $11, archived_at = $12, archived_reason = $13, updated_at = $14,
      invalidated_at = $15, superseded_by = $16, facts_seal = $17, source_count = source_count + $18,
      relation_count = relation_count + $19${d.setTags("$20")}
    WHERE ${d.memory("memories", "$2", "$3")}`,
);

/** All columns of a memory that can change. `added`: how many sources and relations it gets. */
export function updateMemoryRow(
  port: Port,
  tenant: string,
  memory: StoredMemory,
  added: { readonly sources: number; readonly relations: number },
): void {
  port.send(
    UPDATE,
    tenant,
    memory.scope,
    memory.number,
    memory.category,
    memory.tier,
    memory.importance,
    memory.confidence,
    memory.temporalType,
    port.shown(memory.factKey),
    JSON.stringify(memory.support),
    memory.validUntil,
    memory.archivedAt,
    port.shown(memory.archivedReason),
    memory.updatedAt,
    memory.invalidatedAt,
    memory.supersededBy,
    Buffer.from(sealFacts(asStored(port, memory)), "hex"),
    added.sources,
    added.relations,
    memory.tags.map((tag) => port.shown(tag)),
  );
}

interface NamedMemory extends MemoryRef {
  readonly id: string;
}

const NAME = (d: Dialect) =>
  `memories.uid AS id, ${d.scope("memories")} AS scope, ${d.number("memories")} AS number`;

const SUPERSEDE = statement((d) => {
  const columns = { ended: "text", id: "text", scope: "text", at: "timestamptz" } as const;
  return `UPDATE memories SET invalidated_at = coming.at, updated_at = coming.at, superseded_by = coming.id
    FROM ${d.rows("$2", "coming", columns)}
    WHERE ${d.sameTenant("memories")} AND memories.uid = coming.ended AND ${d.inScopes("memories")}
      AND ${d.scope("memories")} = coming.scope AND ${inForce("memories")}
    RETURNING ${NAME(d)}`;
});

/** Returns the memories that were active in the scope of their successor, and now are not. */
export function supersede(
  port: Port,
  tenant: string,
  pairs: readonly { readonly ended: string; readonly by: NewMemory }[],
): Promise<NamedMemory[]> {
  const coming = rowList(
    pairs,
    ({ ended }) => ended,
    ({ by }) => by.id,
    ({ by }) => by.scope,
    ({ by }) => by.createdAt,
  );
  return port.rows<NamedMemory>(SUPERSEDE, tenant, coming);
}

const NAMED = statement(
  (d) =>
    `SELECT m.uid AS id FROM memories m WHERE ${d.inScopes("m", "$2")} AND ${d.isListed("m.uid", "$3", "text")}`,
);

/** Those of the ids that the holder may see. */
export async function knownIds(
  reader: Reader,
  { tenant, scopes }: MemoryScopes,
  ids: readonly string[],
): Promise<string[]> {
  const rows = await reader.rows<{ id: string }>(NAMED, tenant, scopes, ids);
  return rows.map(({ id }) => id);
}

export interface ErasedRow extends NamedMemory {
  readonly superseded_by: string | null;
  readonly archived_at: string | null;
}

const ERASE = statement((d) => {
  const made = d.join(
    "memory_relations",
    "r",
    `${d.sameTenant("r")} AND r.target_uid = made.uid AND r.relation_type IN ${MADE_FROM}`,
  );
  return `WITH RECURSIVE made (uid) AS (
      SELECT m.uid FROM memories m WHERE ${d.sameTenant("m")} AND ${d.isListed("m.uid", "$2", "text")}
      UNION SELECT m.uid FROM made ${made} ${d.join("memories", "m", d.sameMemory("m", "r"))})
    UPDATE memories SET speaker = NULL, abstract = '', overview = '', content = '', gist = $4, fact_key = NULL,
      support = '[]', archived_reason = NULL, words_seal = NULL, facts_seal = NULL, source_count = 0,
      relation_count = 0, erased_at = $3, updated_at = $3${d.setTags("'{}'")}
    FROM made WHERE ${d.inScopes("memories")} AND memories.uid = made.uid AND memories.erased_at IS NULL
    RETURNING ${NAME(d)}, memories.superseded_by, memories.archived_at`;
});

/** Erases the text of these memories and of all that were made from them, in any scope. Returns those that had text. */
export function eraseMemoryRows(
  port: Port,
  tenant: string,
  ids: readonly string[],
  at: string,
): Promise<ErasedRow[]> {
  return port.rows<ErasedRow>(ERASE, tenant, ids, at, new Uint8Array());
}

const LISTED = statement((d) => {
  const listed = d.each("memories", "m", `${d.inScopes("m")} AND m.uid = wanted.value`);
  return selectMemories(d, `${d.list("$2", "text", "wanted")} ${listed}`);
});

const SEAL = statement(
  (d) => `UPDATE memories SET words_seal = $4, facts_seal = $5 WHERE ${d.memory("memories", "$2", "$3")}`,
);

/** Seals the remaining data of these memories after an erasure. */
export async function sealErased(port: Port, tenant: string, ids: readonly string[]): Promise<void> {
  const memories: StoredMemory[] = JSON.parse(memoriesText(await port.rows<MemoryRow>(LISTED, tenant, ids)));
  for (const memory of memories) {
    const seals = [sealWords(memory), sealFacts(memory)].map((seal) => Buffer.from(seal, "hex"));
    port.send(SEAL, tenant, memory.scope, memory.number, ...seals);
  }
}

const FREED = statement((d) => {
  const freed = d.rows("$2", "freed", { uid: "text", successor: "text" });
  const old = d.each(
    "memories",
    "m",
    `${d.inScopes("m")} AND m.uid = freed.uid AND m.superseded_by = freed.successor`,
  );
  return `${selectMemories(d, `${freed} ${old}`)}
    WHERE m.erased_at IS NULL AND m.archived_at IS NULL AND NOT EXISTS (SELECT 1 FROM memories holder
      WHERE ${d.sameScope("holder", "m")} AND holder.fact_key = m.fact_key AND ${inForce("holder")})`;
});

/** Memories that are still superseded by an erased one, and whose key is not used by another active one. */
export async function findFreed(
  reader: Reader,
  tenant: string,
  pairs: readonly { readonly id: string; readonly by: string }[],
): Promise<StoredMemory[]> {
  const freed = rowList(
    pairs,
    ({ id }) => id,
    ({ by }) => by,
  );
  return JSON.parse(memoriesText(await reader.rows<MemoryRow>(FREED, tenant, freed)));
}

const RESTORE = statement(
  (d) => `UPDATE memories SET invalidated_at = NULL, superseded_by = NULL, updated_at = $3
    WHERE ${d.sameTenant("memories")} AND ${d.isListed("memories.uid", "$2", "text")}`,
);

export function restoreMemoryRows(port: Port, tenant: string, ids: readonly string[], at: string): void {
  port.send(RESTORE, tenant, ids, at);
}

const ERASED_AMONG = statement(
  (d) => `SELECT m.uid AS id FROM memories m
    WHERE ${d.sameTenant("m")} AND ${d.isListed("m.uid", "$2", "text")} AND m.erased_at IS NOT NULL`,
);

export async function erasedAmong(
  reader: Reader,
  tenant: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await reader.rows<{ id: string }>(ERASED_AMONG, tenant, ids);
  return new Set(rows.map(({ id }) => id));
}
