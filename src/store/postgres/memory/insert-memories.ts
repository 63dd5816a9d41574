/** Rows of memories on their way in, as few statements whatever their number. */

import { gistOfMemory } from "../../gist-of-memory.ts";
import type { MemoryEvent, MemoryRef, StoredMemory } from "../../memory-store.ts";
import { byteaArray, withoutNul } from "../rows.ts";
import type { Transaction } from "../transaction.ts";

const BATCH_ROWS = 1_000;

const INSERT_MEMORIES = `INSERT INTO memories (tenant, scope, number, uid, category, tier, importance,
    confidence, temporal_type, fact_key, abstract, overview, content, tags, support, origin, created_at, updated_at,
    valid_from, valid_until, invalidated_at, superseded_by, archived_at, archived_reason, erased_at, speaker, gist)
  SELECT $1::text, m.scope, m.number, m.id, m.category, m.tier, m.importance, m.confidence, m.temporal_type,
    m.fact_key, m.abstract, m.overview, m.content, m.tags::text[], m.support, m.origin, m.created_at, m.updated_at,
    m.valid_from, m.valid_until, m.invalidated_at, m.superseded_by, m.archived_at, m.archived_reason, m.erased_at,
    m.speaker, m.gist
  FROM unnest($2::text[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::float8[], $8::float8[], $9::text[],
    $10::text[], $11::text[], $12::text[], $13::text[], $14::text[], $15::text[], $16::text[], $17::timestamptz[],
    $18::timestamptz[], $19::timestamptz[], $20::timestamptz[], $21::timestamptz[], $22::text[], $23::timestamptz[],
    $24::text[], $25::timestamptz[], $26::text[], $27::bytea[])
    AS m(scope, number, id, category, tier, importance, confidence, temporal_type, fact_key, abstract, overview,
      content, tags, support, origin, created_at, updated_at, valid_from, valid_until, invalidated_at, superseded_by,
      archived_at, archived_reason, erased_at, speaker, gist)`;

/** Without events, uses and vectors. What they supersede is told by the other side. */
export function insertMemories(
  transaction: Transaction,
  tenant: string,
  memories: readonly StoredMemory[],
): void {
  for (let start = 0; start < memories.length; start += BATCH_ROWS) {
    const batch = memories.slice(start, start + BATCH_ROWS);
    transaction.send(INSERT_MEMORIES, tenant, ...memoryColumns(batch));
    insertSources(transaction, tenant, batch);
    insertRelations(transaction, tenant, batch);
  }
}

function memoryColumns(memories: readonly StoredMemory[]): readonly unknown[] {
  const column = <Value>(value: (memory: StoredMemory) => Value) => memories.map(value);
  return [
    column(({ scope }) => scope),
    column(({ number }) => number),
    column(({ id }) => id),
    column(({ category }) => category),
    column(({ tier }) => tier),
    column(({ importance }) => importance),
    column(({ confidence }) => confidence),
    column(({ temporalType }) => temporalType),
    column(({ factKey }) => withoutNul(factKey)),
    column(({ abstract }) => withoutNul(abstract)),
    column(({ overview }) => withoutNul(overview)),
    column(({ content }) => withoutNul(content)),
    column(({ tags }) => arrayText(tags)),
    column(({ support }) => JSON.stringify(support)),
    column(({ origin }) => origin),
    column(({ createdAt }) => createdAt),
    column(({ updatedAt }) => updatedAt),
    column(({ validFrom }) => validFrom),
    column(({ validUntil }) => validUntil),
    column(({ invalidatedAt }) => invalidatedAt),
    column(({ supersededBy }) => supersededBy),
    column(({ archivedAt }) => archivedAt),
    column(({ archivedReason }) => withoutNul(archivedReason)),
    column(({ erasedAt }) => erasedAt),
    column(({ speaker }) => speaker),
    byteaArray(memories.map(gistOfMemory)),
  ];
}

/** A `text[]` as PostgreSQL writes it: lists of lists cannot be told apart by `unnest`. */
function arrayText(items: readonly string[]): string {
  return `{${items.map((item) => `"${withoutNul(item).replaceAll(/["\\]/g, "\\$&")}"`).join(",")}}`;
}

type Placed<Row> = { readonly ref: MemoryRef; readonly ordinal: number; readonly row: Row };

function placed<Row>(
  memories: readonly StoredMemory[],
  rowsOf: (memory: StoredMemory) => readonly Row[],
): Placed<Row>[] {
  return memories.flatMap((memory) => rowsOf(memory).map((row, ordinal) => ({ ref: memory, ordinal, row })));
}

function places(rows: readonly Placed<unknown>[]): readonly unknown[] {
  return [
    rows.map(({ ref }) => ref.scope),
    rows.map(({ ref }) => ref.number),
    rows.map(({ ordinal }) => ordinal),
  ];
}

export function insertSources(
  transaction: Transaction,
  tenant: string,
  memories: readonly StoredMemory[],
): void {
  const rows = placed(memories, ({ sources }) => sources);
  if (rows.length === 0) return;
  transaction.send(
    `INSERT INTO memory_sources (tenant, scope, number, ordinal, conversation_uid, first_seq, last_seq, kind)
     SELECT $1::text, * FROM unnest($2::text[], $3::bigint[], $4::integer[], $5::text[], $6::bigint[], $7::bigint[],
       $8::text[])`,
    tenant,
    ...places(rows),
    rows.map(({ row }) => row.conversation),
    rows.map(({ row }) => row.firstSeq),
    rows.map(({ row }) => row.lastSeq),
    rows.map(({ row }) => row.kind),
  );
}

export function insertRelations(
  transaction: Transaction,
  tenant: string,
  memories: readonly StoredMemory[],
): void {
  const rows = placed(memories, ({ relations }) => relations);
  if (rows.length === 0) return;
  transaction.send(
    `INSERT INTO memory_relations (tenant, scope, number, ordinal, relation_type, target_uid)
     SELECT $1::text, * FROM unnest($2::text[], $3::bigint[], $4::integer[], $5::text[], $6::text[])`,
    tenant,
    ...places(rows),
    rows.map(({ row }) => row.type),
    rows.map(({ row }) => row.target),
  );
}

export function insertMemoryEvents(
  transaction: Transaction,
  tenant: string,
  events: readonly { readonly ref: MemoryRef; readonly event: MemoryEvent }[],
): void {
  if (events.length === 0) return;
  transaction.send(
    `INSERT INTO memory_events (tenant, scope, number, at, action, detail)
     SELECT $1::text, * FROM unnest($2::text[], $3::bigint[], $4::timestamptz[], $5::text[], $6::text[])`,
    tenant,
    events.map(({ ref }) => ref.scope),
    events.map(({ ref }) => ref.number),
    events.map(({ event }) => event.at),
    events.map(({ event }) => event.action),
    events.map(({ event }) => withoutNul(event.detail)),
  );
}
