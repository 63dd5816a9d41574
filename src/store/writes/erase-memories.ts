/**
 * Erases the text of memories permanently, and of all memories derived from them, in any scope. The id, scope, number, times,
 * and links between versions stay. The tenant's lock is held exclusively.
 */
import type { EraseMemoryWrite, MemoryRef } from "../memory-store.ts";
import type { Port } from "../port.ts";
import {
  type ErasedMemories,
  type ErasedMemory,
  freedByErasure,
  NOTHING_ERASED,
  restorable,
} from "../rules/freed-by-erasure.ts";
import type { MemoryScopes } from "../rules/memory-scopes.ts";
import { namingErased } from "../rules/naming-erased.ts";
import { touchedByErasure } from "../rules/touched-by-erasure.ts";
import {
  type ErasedRow,
  eraseMemoryRows,
  findFreed,
  knownIds,
  restoreMemoryRows,
  sealErased,
} from "../tables/memories.ts";
import { dropCapture } from "../tables/memory-captures.ts";
import { dropDecisions, dropDecisionsAbout } from "../tables/memory-decisions.ts";
import { forgetDetails, insertEvents } from "../tables/memory-events.ts";
import { refName } from "../tables/memory-refs.ts";
import { dropRelations, readRelations } from "../tables/memory-relations.ts";
import { dropMemorySegmentsWith } from "../tables/memory-segments.ts";
import { dropListedSources, dropSources, madeFromConversation } from "../tables/memory-sources.ts";
import { dropUses } from "../tables/memory-uses.ts";
import { sealAgain } from "./seal-again.ts";
import { writeCertificate } from "./write-certificate.ts";

/** Those of the ids that the holder may see. */
export async function eraseNamed(
  port: Port,
  access: MemoryScopes,
  write: EraseMemoryWrite,
): Promise<ErasedMemories> {
  const { tenant } = access;
  const ids = await knownIds(port, access, write.ids);
  const erased = await eraseMemories(port, tenant, ids, write.at);
  // Nothing was left to erase, so there is nothing to certify.
  if (erased.erased.length > 0)
    await writeCertificate(port, { tenant, agent: write.agent }, namingErased(write.audit, erased));
  return erased;
}

/** Memories made from these messages of a conversation; null: from any of them, because the conversation is deleted. */
export async function eraseMadeFrom(
  port: Port,
  tenant: string,
  conversation: string,
  seqs: readonly number[] | null,
  at: string,
): Promise<ErasedMemories> {
  if (seqs?.length === 0) return NOTHING_ERASED;
  port.memories.lockTenant(tenant, "alone");
  const touched = touchedByErasure(await madeFromConversation(port, tenant, conversation), seqs);
  const made = touched.flatMap(({ kind, uid }) => (kind === "origin" && uid !== null ? [uid] : []));
  const erased = await eraseMemories(port, tenant, [...new Set(made)], at);
  dropListedSources(
    port,
    tenant,
    touched.filter(({ uid }) => uid !== null),
  );
  await dropDecisions(
    port,
    tenant,
    touched.flatMap(({ decision }) => decision ?? []),
  );
  if (seqs === null) await dropCapture(port, tenant, conversation);
  return erased;
}

export async function eraseMemories(
  port: Port,
  tenant: string,
  ids: readonly string[],
  at: string,
): Promise<ErasedMemories> {
  if (ids.length === 0) return NOTHING_ERASED;
  const rows = await eraseMemoryRows(port, tenant, ids, at);
  if (rows.length === 0) return NOTHING_ERASED;
  const before = await asErased(port, tenant, rows);
  forget(port, tenant, rows, at);
  const erased = rows.map(({ id }) => id);
  await dropDecisionsAbout(port, tenant, erased);
  await sealErased(port, tenant, erased);
  await sealAgain(port, tenant);
  return { erased, restored: await restoreMerged(port, tenant, before, at) };
}

async function asErased(port: Port, tenant: string, rows: readonly ErasedRow[]): Promise<ErasedMemory[]> {
  const relations = Map.groupBy(await readRelations(port, tenant, rows), refName);
  return rows.map((row) => ({
    id: row.id,
    supersededBy: row.superseded_by,
    isArchived: row.archived_at !== null,
    relations: relations.get(refName(row)) ?? [],
  }));
}

/** All data of a memory outside its row. */
function forget(port: Port, tenant: string, refs: readonly MemoryRef[], at: string): void {
  dropSources(port, tenant, refs);
  dropRelations(port, tenant, refs);
  dropUses(port, tenant, refs);
  port.memories.drop(tenant, refs);
  forgetDetails(port, tenant, refs);
  insertEvents(
    port,
    tenant,
    refs.map((ref) => ({ ref, event: { at, action: "erased", detail: "{}" } })),
  );
  dropMemorySegmentsWith(port, tenant, refs);
}

/** Restores memories that were merged into a text that is erased now. Returns their ids. */
async function restoreMerged(
  port: Port,
  tenant: string,
  erased: readonly ErasedMemory[],
  at: string,
): Promise<string[]> {
  const pairs = freedByErasure(erased);
  const freed = pairs.length === 0 ? [] : restorable(await findFreed(port, tenant, pairs), at);
  if (freed.length === 0) return [];
  const ids = freed.map(({ id }) => id);
  restoreMemoryRows(port, tenant, ids, at);
  port.memories.markInForce(tenant, freed, true);
  const detail = JSON.stringify({ reason: "what it was merged into was erased" });
  insertEvents(
    port,
    tenant,
    freed.map((ref) => ({ ref, event: { at, action: "restored", detail } })),
  );
  return ids;
}
