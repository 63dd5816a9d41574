/** Plans the writes for each memory of an import; later ones may replace earlier ones. */
import { stateOf } from "../../memory-types.ts";
import {
  EVERY_SCOPE,
  type MemoryWrite,
  type StoredMemory,
  type Successor,
} from "../../store/memory-store.ts";
import { factOf, takesPlaceOf, whyInForce } from "../../store/rules/fact-order.ts";
import { isoTime } from "../../text/timestamps.ts";
import { draftImported } from "./draft-imported.ts";
import type { ImportUse } from "./import-memories.ts";
import { type ImportedMemory, withTimes } from "./imported-memory.ts";

export type Step =
  | { readonly kind: "already-there"; readonly id: string }
  | { readonly kind: "passed-over"; readonly id: string; readonly reason: string }
  | {
      readonly kind: "created" | "superseded";
      readonly id: string;
      readonly writes: readonly MemoryWrite[];
      /** The scope and key whose current memory it becomes. */
      readonly key: string | null;
    };

interface Around {
  readonly among: ReadonlyMap<string, ImportedMemory>;
  readonly planned: ReadonlyMap<string, string>;
}

export async function planImport(
  batch: readonly ImportedMemory[],
  { among, planned }: Around,
  use: ImportUse,
): Promise<readonly Step[]> {
  const inForce = new Map(planned);
  const steps: Step[] = [];
  for (const memory of batch) {
    const step = await planOne(memory, { among, planned: inForce }, use);
    if ("key" in step && step.key !== null) inForce.set(step.key, step.id);
    steps.push(step);
  }
  return steps;
}

async function planOne(memory: ImportedMemory, around: Around, use: ImportUse): Promise<Step> {
  const { id } = memory;
  const scope = memory.scope ?? use.defaultScope;
  if (!isOpen(scope, use)) return { kind: "passed-over", id, reason: notOpen(scope) };
  if (memory.erasedAt !== null) return { kind: "passed-over", id, reason: "its text was erased" };
  if ((await use.store.memory(id)) !== undefined) return { kind: "already-there", id };
  const rival = await rivalOf(memory, scope, around, use);
  if (rival !== undefined && isKeptOut(memory, rival, use))
    return { kind: "passed-over", id, reason: whyKeptOut(memory, rival, use) };
  return stored(memory, scope, { ...around, rival }, use);
}

function notOpen(scope: string): string {
  return `this agent has no access to ${scope}: set one scope for all memories with \`scope\`, or add it to memoryAccess`;
}

function isOpen(scope: string, { store: { access } }: ImportUse): boolean {
  return access.scopes === EVERY_SCOPE || access.scopes.includes(scope);
}

/** The current memory with the same key that is not part of the import. */
async function rivalOf(
  memory: ImportedMemory,
  scope: string,
  { planned }: Around,
  { store }: ImportUse,
): Promise<StoredMemory | undefined> {
  const { factKey } = memory;
  const fact = factOf({ scope, factKey });
  if (fact === null || factKey === null || planned.has(fact)) return undefined;
  return (await store.memories({ factKey, scopes: [scope], limit: 1 })).rows[0];
}

/** The current memory of this store stays current, unless the file replaces it explicitly. */
function isKeptOut(memory: ImportedMemory, rival: StoredMemory, { clock }: ImportUse): boolean {
  if (endOf(memory) !== null || replacedIds(memory).includes(rival.id)) return false;
  const now = isoTime(clock());
  return !takesPlaceOf(withTimes(memory, now), rival, now);
}

function whyKeptOut(memory: ImportedMemory, rival: StoredMemory, { clock }: ImportUse): string {
  const now = isoTime(clock());
  const value = withTimes(memory, now);
  return `${rival.id} is the current value of ${memory.factKey}${whyInForce(rival, value, now)}`;
}

function replacedIds({ supersedes, replaces }: ImportedMemory): readonly string[] {
  return [...supersedes, ...(replaces === null ? [] : [replaces])];
}

interface Standing extends Around {
  readonly rival: StoredMemory | undefined;
}

async function stored(
  memory: ImportedMemory,
  scope: string,
  around: Standing,
  use: ImportUse,
): Promise<Step> {
  const now = isoTime(use.clock());
  const end = endOf(memory);
  const successor = await successorHere(memory, scope, use);
  const isReplaced = successor === undefined && (await comesSuccessor(memory, scope, around, use));
  const holdsKey = end === null || (isReplaced && isKeyFree(memory, scope, around));
  const factKey = holdsKey ? memory.factKey : null;
  const supersedes = await replacedBy({ ...memory, factKey }, scope, around, use);
  const keptKey = successor === undefined ? factKey : memory.factKey;
  const draft = await draftImported(memory, { scope, now, factKey: keptKey }, use);
  const detail = JSON.stringify({ reason: "came with an import" });
  const writes: MemoryWrite[] = [
    { kind: "remember", memory: draft, supersedes, detail, ...(successor && { supersededBy: successor }) },
    ...usesOf(memory, draft.createdAt),
  ];
  if (end !== null && !isReplaced && successor === undefined) writes.push(setAside(memory, end, now));
  const isInPlace = end === null && around.rival !== undefined;
  return {
    kind: isInPlace ? "superseded" : "created",
    id: memory.id,
    writes,
    key: holdsKey ? factOf({ scope, factKey }) : null,
  };
}

/** Its successor, if that is already stored and current. */
async function successorHere(
  { supersededBy, archivedAt }: ImportedMemory,
  scope: string,
  { store }: ImportUse,
): Promise<Successor | undefined> {
  if (supersededBy === null || archivedAt !== null) return undefined;
  const known = await store.memory(supersededBy);
  if (known === undefined || known.scope !== scope || stateOf(known) !== "active") return undefined;
  return { id: known.id, createdAt: known.createdAt };
}

/** Whether its successor is imported after it; otherwise nothing would end it here. */
async function comesSuccessor(
  { supersededBy }: ImportedMemory,
  scope: string,
  around: Around,
  use: ImportUse,
): Promise<boolean> {
  const successor = around.among.get(supersededBy ?? "");
  if (successor === undefined || successor.erasedAt !== null) return false;
  if ((await use.store.memory(successor.id)) !== undefined) return false;
  const rival = await rivalOf(successor, scope, around, use);
  return rival === undefined || !isKeptOut(successor, rival, use);
}

/** A key has one current memory at any time, even if it is replaced right after. */
function isKeyFree(memory: ImportedMemory, scope: string, { planned, rival }: Standing): boolean {
  const holder = planned.get(factOf({ scope, factKey: memory.factKey }) ?? "");
  return rival === undefined && (holder === undefined || memory.supersedes.includes(holder));
}

/** Each must be current here, or precede it in the import. */
async function replacedBy(
  memory: ImportedMemory,
  scope: string,
  { among, planned, rival }: Standing,
  { store }: ImportUse,
): Promise<readonly string[]> {
  const named = replacedIds(memory);
  const replaceable = await Promise.all(named.map((id) => isReplaceable(id, scope, { among, store })));
  const known = named.filter((_, place) => replaceable[place]);
  const fact = factOf({ scope, factKey: memory.factKey });
  const holders = fact === null ? [] : [rival?.id, planned.get(fact)].filter((id) => id !== undefined);
  return [...new Set([...known, ...holders])];
}

async function isReplaceable(
  id: string,
  scope: string,
  { among, store }: Pick<Around, "among"> & Pick<ImportUse, "store">,
): Promise<boolean> {
  const known = await store.memory(id);
  if (known === undefined) return among.get(id)?.erasedAt === null;
  return known.scope === scope && stateOf(known) === "active";
}

function endOf({
  supersededBy,
  invalidatedAt,
  archivedAt,
  archivedReason,
}: ImportedMemory): { at: string | null; reason: string } | null {
  if (archivedAt !== null) return { at: archivedAt, reason: archivedReason ?? "archived before the import" };
  if (supersededBy === null && invalidatedAt === null) return null;
  return { at: invalidatedAt, reason: `replaced by ${supersededBy ?? "another value"} before the import` };
}

function setAside(
  { id, factKey }: ImportedMemory,
  end: { at: string | null; reason: string },
  now: string,
): MemoryWrite {
  const { reason } = end;
  return {
    kind: "revise",
    id,
    changes: { archivedAt: end.at ?? now, archivedReason: reason, factKey },
    event: { at: now, action: "archived", detail: JSON.stringify({ reason }) },
  };
}

/** Its use count is imported. Without a time of the last use, it is the time of creation. */
function usesOf(memory: ImportedMemory, createdAt: string): readonly MemoryWrite[] {
  const { id, accessCount, lastAccessedAt, injectedCount, lastInjectedAt } = memory;
  const uses = [
    { how: "access", times: accessCount, at: lastAccessedAt ?? createdAt },
    { how: "injection", times: injectedCount, at: lastInjectedAt ?? createdAt },
  ] as const;
  return uses.filter(({ times }) => times > 0).map((use) => ({ kind: "use", ids: [id], ...use }));
}
