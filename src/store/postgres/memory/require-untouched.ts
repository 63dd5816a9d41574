/** What was erased must not come back in a memory that was being made of it at the same time. */
import { PalimpsestError } from "../../../errors.ts";
import {
  isMadeFrom,
  MADE_FROM_TYPES,
  type MemoryRelation,
  type MemorySource,
} from "../../../memory-types.ts";
import type { Transaction } from "../transaction.ts";

/** Relations that make one memory from another. */
export const MADE_FROM = `(${MADE_FROM_TYPES.map((type) => `'${type}'`).join(", ")})`;

type Obstacles = { message_erased: boolean; memory_erased: boolean; deleted: string | null };

const OBSTACLES = `SELECT
  EXISTS (SELECT FROM unnest($2::text[], $3::bigint[], $4::bigint[]) AS made(conversation, first, last)
    JOIN conversations c ON c.tenant = $1 AND c.uid = made.conversation
    JOIN context_exclusions x ON x.tenant = $1 AND x.conversation_id = c.conversation_id
      AND x.seq BETWEEN made.first AND made.last AND x.reason = 'erased') AS message_erased,
  EXISTS (SELECT FROM memories WHERE tenant = $1 AND uid = ANY($5::text[]) AND erased_at IS NOT NULL)
    AS memory_erased,
  (SELECT min(made.uid) FROM unnest($2::text[]) AS made(uid)
    WHERE EXISTS (SELECT FROM audit_log WHERE tenant = $1 AND conversation_uid = made.uid)
    AND NOT EXISTS (SELECT FROM conversations c WHERE c.tenant = $1 AND c.uid = made.uid)) AS deleted`;

export async function requireUntouched(
  transaction: Transaction,
  tenant: string,
  sources: readonly MemorySource[],
  relations: readonly MemoryRelation[],
): Promise<void> {
  const origins = sources.filter(({ kind }) => kind === "origin");
  const targets = relations.filter(isMadeFrom).map(({ target }) => target);
  if (origins.length + targets.length === 0) return;
  const found = await transaction.one<Obstacles>(
    OBSTACLES,
    tenant,
    origins.map(({ conversation }) => conversation),
    origins.map(({ firstSeq }) => firstSeq),
    origins.map(({ lastSeq }) => lastSeq),
    targets,
  );
  if (typeof found?.deleted === "string") throw deletedConversation(found.deleted);
  if (found?.message_erased) throw overtaken("a message that it was made from was erased");
  if (found?.memory_erased) throw overtaken("a memory that it was made from was erased");
}

export function deletedConversation(id: string): PalimpsestError {
  return new PalimpsestError("not-found", `the conversation ${id} was deleted`, {
    advice: "Nothing is remembered from it any more; nothing was written.",
  });
}

export function overtaken(why: string): PalimpsestError {
  return new PalimpsestError("busy", `memory has moved on: ${why}`, {
    advice: "Read it again and decide anew; nothing was written.",
  });
}
