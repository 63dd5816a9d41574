/** Stores new memories, and marks those that they replace. Their scopes are locked, so checks made here stay valid. */
import { stateOf } from "../../memory-types.ts";
import type { MemoryEvent, RememberWrite, StoredMemory } from "../memory-store.ts";
import type { Port } from "../port.ts";
import { newlyStored } from "../rules/newly-stored.ts";
import { overtaken } from "../rules/overtaken.ts";
import { supersededBy } from "../rules/settle-keys.ts";
import { findMemories, insertMemoryRows, supersede } from "../tables/memories.ts";
import { insertEvents, insertFirstEvents } from "../tables/memory-events.ts";
import { insertRelations } from "../tables/memory-relations.ts";
import { insertSources } from "../tables/memory-sources.ts";
import { requireUntouched } from "./require-untouched.ts";

/** Writes that do not depend on one another. `numberIn` returns the next number of a scope. */
export async function remember(
  port: Port,
  tenant: string,
  writes: readonly RememberWrite[],
  numberIn: (scope: string) => number,
): Promise<StoredMemory[]> {
  await requireUntouched(
    port,
    tenant,
    writes.flatMap(({ memory }) => memory.sources),
    writes.flatMap(({ memory }) => memory.relations),
  );
  await endSuperseded(port, tenant, writes);
  await requireSuccessors(port, tenant, writes);
  const stored = writes.map((write) => ({ write, memory: newlyStored(write, numberIn(write.memory.scope)) }));
  const memories = stored.map(({ memory }) => memory);
  insertMemories(
    port,
    tenant,
    stored.map(({ write, memory }) => ({ memory, events: firstEvents(write) })),
  );
  const placed = stored.flatMap(({ write: { vectors }, memory }) =>
    vectors === undefined ? [] : [{ ref: memory, isActive: stateOf(memory) === "active", vectors }],
  );
  if (placed.length > 0) await port.memories.insertVectors(tenant, placed);
  return memories;
}

function firstEvents({ memory, detail, supersededBy: successor }: RememberWrite): readonly MemoryEvent[] {
  const at = memory.createdAt;
  const created = { at, action: "created", detail } as const;
  return successor === undefined ? [created] : [created, supersededBy(successor.id, at)];
}

/** With their events, sources and relations, but without uses and vectors. */
export function insertMemories(
  port: Port,
  tenant: string,
  stored: readonly { readonly memory: StoredMemory; readonly events: readonly MemoryEvent[] }[],
): void {
  const memories = stored.map(({ memory }) => memory);
  insertMemoryRows(
    port,
    tenant,
    stored.map(({ memory, events }) => ({ ...memory, eventCount: events.length })),
  );
  insertSources(port, tenant, memories);
  insertRelations(port, tenant, memories);
  insertFirstEvents(
    port,
    tenant,
    stored.flatMap(({ memory, events }) => events.map((event) => ({ ref: memory, event }))),
  );
}

/** The memory that supersedes one that arrives late must still be active, in the same scope. */
async function requireSuccessors(
  port: Port,
  tenant: string,
  writes: readonly RememberWrite[],
): Promise<void> {
  const late = writes.flatMap(({ memory: { scope }, supersededBy: by }) =>
    by ? [{ scope, id: by.id }] : [],
  );
  const ids = [...new Set(late.map(({ id }) => id))];
  const found = await findMemories(port, { tenant, scopes: null }, ids);
  const inForce = new Map(found.filter((one) => stateOf(one) === "active").map((one) => [one.id, one]));
  if (late.some(({ id, scope }) => inForce.get(id)?.scope !== scope))
    throw overtaken("its replacement is no longer active");
}

/** Each must still be active and in the same scope as its successor. */
async function endSuperseded(port: Port, tenant: string, writes: readonly RememberWrite[]): Promise<void> {
  const pairs = writes.flatMap(({ memory, supersedes }) =>
    [...new Set(supersedes)].map((ended) => ({ ended, by: memory })),
  );
  if (pairs.length === 0) return;
  const ended = await supersede(port, tenant, pairs);
  if (ended.length !== pairs.length) throw overtaken("the memory it replaces is no longer active");
  const successors = new Map(pairs.map((pair) => [pair.ended, pair.by]));
  const events = ended.flatMap((ref) => {
    const by = successors.get(ref.id);
    return by === undefined ? [] : [{ ref, event: supersededBy(by.id, by.createdAt) }];
  });
  insertEvents(port, tenant, events);
  port.memories.markInForce(tenant, ended, false);
}
