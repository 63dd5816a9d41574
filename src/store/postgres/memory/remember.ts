/** New memories, and what they take the place of. Their scopes are locked, so what is checked here stays so. */
import { PalimpsestError } from "../../../errors.ts";
import type { RememberWrite, StoredMemory } from "../../memory-store.ts";
import type { Transaction } from "../transaction.ts";
import { insertMemories, insertMemoryEvents } from "./insert-memories.ts";
import { markInForce } from "./mark-in-force.ts";
import { insertVectors, requireLengths } from "./vectors.ts";

/** Writes that do not build on one another. `numberIn` gives out the next number of a scope. */
export async function remember(
  transaction: Transaction,
  tenant: string,
  writes: readonly RememberWrite[],
  numberIn: (scope: string) => number,
): Promise<StoredMemory[]> {
  await requireSources(transaction, tenant, writes);
  const memories = writes.map((write) => newMemory(write, numberIn(write.memory.scope)));
  await supersede(transaction, tenant, writes);
  insertMemories(transaction, tenant, memories);
  insertMemoryEvents(
    transaction,
    tenant,
    writes.map(({ detail }, i) => {
      const memory = memories[i] as StoredMemory;
      return { ref: memory, event: { at: memory.createdAt, action: "created", detail } };
    }),
  );
  await addVectors(transaction, tenant, writes, memories);
  return memories;
}

function newMemory({ memory, supersedes }: RememberWrite, number: number): StoredMemory {
  return {
    ...memory,
    number,
    updatedAt: memory.createdAt,
    invalidatedAt: null,
    supersedes,
    supersededBy: null,
    archivedAt: null,
    archivedReason: null,
    erasedAt: null,
    accessCount: 0,
    lastAccessedAt: null,
    injectedCount: 0,
    lastInjectedAt: null,
  };
}

async function addVectors(
  transaction: Transaction,
  tenant: string,
  writes: readonly RememberWrite[],
  memories: readonly StoredMemory[],
): Promise<void> {
  const placed = writes.flatMap(({ vectors }, i) =>
    vectors === undefined ? [] : [{ ref: memories[i] as StoredMemory, isActive: true, vectors }],
  );
  if (placed.length === 0) return;
  await requireLengths(
    transaction,
    tenant,
    placed.map(({ vectors }) => vectors),
  );
  insertVectors(transaction, tenant, placed);
}

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

/** What was erased must not come back with what was made from it a moment before. */
async function requireSources(
  transaction: Transaction,
  tenant: string,
  writes: readonly RememberWrite[],
): Promise<void> {
  const origins = writes.flatMap(({ memory }) => memory.sources.filter(({ kind }) => kind === "origin"));
  const targets = writes.flatMap(({ memory }) =>
    memory.relations.flatMap(({ type, target }) =>
      type === "merged-from" || type === "consolidated-from" ? [target] : [],
    ),
  );
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

/** Each must still be in force and lie in the same scope. */
async function supersede(
  transaction: Transaction,
  tenant: string,
  writes: readonly RememberWrite[],
): Promise<void> {
  const pairs = writes.flatMap(({ memory, supersedes, detail }) =>
    [...new Set(supersedes)].map((old) => ({ old, memory, detail })),
  );
  if (pairs.length === 0) return;
  const changed = await transaction.rows<{ uid: string; scope: string; number: number }>(
    `UPDATE memories m SET invalidated_at = new.at, updated_at = new.at, superseded_by = new.id
     FROM unnest($2::text[], $3::text[], $4::text[], $5::timestamptz[]) AS new(old, id, scope, at)
     WHERE m.tenant = $1 AND m.uid = new.old AND m.scope = new.scope AND m.erased_at IS NULL
       AND m.invalidated_at IS NULL AND m.archived_at IS NULL
     RETURNING m.uid, m.scope, m.number`,
    tenant,
    pairs.map(({ old }) => old),
    pairs.map(({ memory }) => memory.id),
    pairs.map(({ memory }) => memory.scope),
    pairs.map(({ memory }) => memory.createdAt),
  );
  if (changed.length !== pairs.length) throw overtaken("what it takes the place of is not in force any more");
  const refs = new Map(changed.map((row) => [row.uid, row]));
  insertMemoryEvents(
    transaction,
    tenant,
    pairs.flatMap(({ old, memory, detail }) => {
      const ref = refs.get(old);
      return ref === undefined ? [] : [{ ref, event: { at: memory.createdAt, action: "superseded", detail } }];
    }),
  );
  markInForce(transaction, tenant, changed, false);
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
