/**
 * Takes the words of memories for good, and of all that was made from them, whatever its scope. What stays is the place:
 * id, scope, number, times, and what superseded what. The tenant's lock is held alone.
 */
import type { MemoryRelation } from "../../../memory-types.ts";
import type { EraseMemoryWrite, MemoryAccess, MemoryRef } from "../../memory-store.ts";
import { type ErasedMemories, type ErasedMemory, NOTHING_ERASED } from "../../rules/freed-by-erasure.ts";
import { namingErased } from "../../rules/naming-erased.ts";
import { writeAudit } from "../../tables/audit-log.ts";
import type { Transaction } from "../transaction.ts";
import { insertMemoryEvents } from "./insert-memories.ts";
import { lockTenant } from "./lock-memories.ts";
import { inScopes, scopesOf } from "./memory-rows.ts";
import { dropMemorySegments } from "./memory-segments.ts";
import { MADE_FROM } from "./require-untouched.ts";
import { restoreMerged } from "./restore-merged.ts";

type Erased = MemoryRef & {
  readonly uid: string;
  readonly superseded_by: string | null;
  readonly archived_at: string | null;
};

export async function eraseNamed(
  transaction: Transaction,
  access: MemoryAccess,
  write: EraseMemoryWrite,
): Promise<ErasedMemories> {
  const named = await transaction.rows<{ uid: string }>(
    `SELECT uid FROM memories WHERE tenant = $1 AND ${inScopes("scope", 2)} AND uid = ANY($3::text[])`,
    access.tenant,
    scopesOf(access),
    write.ids,
  );
  const ids = named.map(({ uid }) => uid);
  const erased = await eraseWithMade(transaction, access.tenant, ids, write.at);
  writeAudit(transaction, { tenant: access.tenant, agent: write.agent }, namingErased(write.audit, erased));
  return erased;
}

/** Erases what was made from these messages (all of the conversation without `seqs`). */
export async function eraseMadeFrom(
  transaction: Transaction,
  tenant: string,
  conversation: string,
  at: string,
  seqs: readonly number[] | null,
): Promise<ErasedMemories> {
  if (seqs?.length === 0) return NOTHING_ERASED;
  lockTenant(transaction, tenant, "alone");
  const values = [tenant, conversation, seqs];
  const made = await transaction.rows<{ uid: string }>(
    `SELECT DISTINCT m.uid FROM memory_sources s JOIN memories m USING (tenant, scope, number)
     WHERE s.kind = 'origin' AND ${ofMessages("s")}`,
    ...values,
  );
  const ids = made.map(({ uid }) => uid);
  const erased = await eraseWithMade(transaction, tenant, ids, at);
  transaction.send(`DELETE FROM memory_sources s WHERE ${ofMessages("s")}`, ...values);
  transaction.send(`DELETE FROM memory_decisions s WHERE ${ofMessages("s")}`, ...values);
  if (seqs === null)
    transaction.send(
      "DELETE FROM memory_captures WHERE tenant = $1 AND conversation_uid = $2",
      tenant,
      conversation,
    );
  return erased;
}

/** A range that is not known may hold any of them. */
function ofMessages(row: string): string {
  return `${row}.tenant = $1 AND ${row}.conversation_uid = $2 AND ($3::bigint[] IS NULL OR ${row}.first_seq IS NULL
    OR EXISTS (SELECT FROM unnest($3::bigint[]) AS gone(seq)
      WHERE gone.seq BETWEEN ${row}.first_seq AND coalesce(${row}.last_seq, gone.seq)))`;
}

const WITH_MADE = `WITH RECURSIVE made AS (
    SELECT uid FROM memories WHERE tenant = $1 AND uid = ANY($2::text[])
    UNION
    SELECT m.uid FROM made JOIN memory_relations r ON r.tenant = $1 AND r.target_uid = made.uid
      AND r.relation_type IN ${MADE_FROM}
    JOIN memories m ON m.tenant = $1 AND m.scope = r.scope AND m.number = r.number)`;

export async function eraseWithMade(
  transaction: Transaction,
  tenant: string,
  ids: readonly string[],
  at: string,
): Promise<ErasedMemories> {
  if (ids.length === 0) return NOTHING_ERASED;
  const erased = await transaction.rows<Erased>(
    `${WITH_MADE} UPDATE memories m SET speaker = NULL, abstract = '', overview = '', content = '', gist = '',
       fact_key = NULL, tags = '{}', support = '[]', archived_reason = NULL, erased_at = $3, updated_at = $3
     FROM made WHERE m.tenant = $1 AND m.uid = made.uid AND m.erased_at IS NULL
     RETURNING m.uid, m.scope, m.number, m.superseded_by, m.archived_at`,
    tenant,
    ids,
    at,
  );
  if (erased.length === 0) return NOTHING_ERASED;
  const before = await asErased(transaction, tenant, erased);
  forget(transaction, tenant, erased, at);
  const restored = await restoreMerged(transaction, tenant, before, at);
  return { erased: erased.map(({ uid }) => uid), restored };
}

async function asErased(
  transaction: Transaction,
  tenant: string,
  erased: readonly Erased[],
): Promise<ErasedMemory[]> {
  const rows = await transaction.rows<MemoryRelation & { readonly uid: string }>(
    `SELECT gone.uid, r.relation_type AS type, r.target_uid AS target
     FROM unnest($2::text[], $3::text[], $4::bigint[]) AS gone(uid, scope, number)
     JOIN memory_relations r ON r.tenant = $1 AND r.scope = gone.scope AND r.number = gone.number`,
    tenant,
    erased.map(({ uid }) => uid),
    erased.map(({ scope }) => scope),
    erased.map(({ number }) => number),
  );
  const relations = Map.groupBy(rows, ({ uid }) => uid);
  return erased.map(({ uid, superseded_by, archived_at }) => ({
    id: uid,
    supersededBy: superseded_by,
    isArchived: archived_at !== null,
    relations: relations.get(uid) ?? [],
  }));
}

/** Everything beside the row that says something about a memory. */
const TABLES_BESIDE = [
  "memory_sources",
  "memory_relations",
  "memory_uses",
  "memory_vectors",
  "memory_vector_bits",
] as const;

function forget(transaction: Transaction, tenant: string, erased: readonly Erased[], at: string): void {
  const refs = [tenant, erased.map(({ scope }) => scope), erased.map(({ number }) => number)];
  const gone = "unnest($2::text[], $3::bigint[]) AS gone(scope, number)";
  const ofGone = "t.tenant = $1 AND t.scope = gone.scope AND t.number = gone.number";
  for (const table of TABLES_BESIDE)
    transaction.send(`DELETE FROM ${table} t USING ${gone} WHERE ${ofGone}`, ...refs);
  transaction.send(`UPDATE memory_events t SET detail = '{}' FROM ${gone} WHERE ${ofGone}`, ...refs);
  insertMemoryEvents(
    transaction,
    tenant,
    erased.map((ref) => ({ ref, event: { at, action: "erased", detail: "{}" } })),
  );
  dropMemorySegments(transaction, tenant, erased);
  transaction.send(
    "DELETE FROM memory_decisions WHERE tenant = $1 AND memory_uid = ANY($2::text[])",
    tenant,
    erased.map(({ uid }) => uid),
  );
}
