/** What was erased must not come back in a memory that was being made of it at the same time. */
import { PalimpsestError } from "../../errors.ts";
import { isMadeFrom, MADE_FROM_TYPES, type MemoryRelation, type MemorySource } from "../../memory-types.ts";
import type { Database } from "./database.ts";
import { rowIdRange } from "./rows.ts";

/** Such a relation makes one memory from another. */
export const MADE_FROM = `(${MADE_FROM_TYPES.map((type) => `'${type}'`).join(", ")})`;

export function requireUntouched(
  database: Database,
  tenant: string,
  { sources, relations }: { sources: readonly MemorySource[]; relations: readonly MemoryRelation[] },
): void {
  for (const source of sources)
    if (source.kind === "origin") requireNotDeleted(database, tenant, source.conversation);
  if (
    sources.some((source) => holdsErased(database, tenant, source)) ||
    relations.some((one) => isErased(database, one))
  )
    throw new PalimpsestError("busy", "what this memory was made from was erased meanwhile", {
      advice: "Make it again from what is left; nothing was written.",
    });
}

/** A deletion leaves nothing but its record. */
export function requireNotDeleted(database: Database, tenant: string, conversation: string): void {
  const gone = database.one(
    `SELECT 1 FROM audit_log WHERE conversation_uid = ?1 AND tenant = ?2
       AND NOT EXISTS (SELECT 1 FROM conversations WHERE uid = ?1) LIMIT 1`,
    conversation,
    tenant,
  );
  if (gone !== undefined)
    throw new PalimpsestError("not-found", `conversation ${conversation} was deleted`, {
      advice: "Nothing is remembered from it any more; nothing was written.",
    });
}

export function holdsErased(database: Database, tenant: string, source: MemorySource): boolean {
  if (source.kind !== "origin") return false;
  const conversation = database.one<{ conversation_id: number }>(
    "SELECT conversation_id FROM conversations WHERE uid = ? AND tenant = ?",
    source.conversation,
    tenant,
  );
  if (conversation === undefined) return false;
  const erased = database.one(
    "SELECT 1 FROM context_exclusions WHERE reason = 'erased' AND message_id BETWEEN ? AND ? LIMIT 1",
    ...rowIdRange(conversation.conversation_id, source.firstSeq, source.lastSeq),
  );
  return erased !== undefined;
}

export function isErased(database: Database, relation: MemoryRelation): boolean {
  if (!isMadeFrom(relation)) return false;
  const erased = database.one(
    "SELECT 1 FROM memories WHERE uid = ? AND erased_at IS NOT NULL",
    relation.target,
  );
  return erased !== undefined;
}
