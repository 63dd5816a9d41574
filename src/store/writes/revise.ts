/** Changes the metadata of memories, never their text. */
import { stateOf } from "../../memory-types.ts";
import type { ReviseWrite, StoredMemory } from "../memory-store.ts";
import type { Port } from "../port.ts";
import type { MemoryScopes } from "../rules/memory-scopes.ts";
import { reviseMemory } from "../rules/revise-memory.ts";
import { findMemories, updateMemoryRow } from "../tables/memories.ts";
import { insertEvents } from "../tables/memory-events.ts";
import { replaceRelations } from "../tables/memory-relations.ts";
import { dropMemorySegmentsWith } from "../tables/memory-segments.ts";
import { replaceSources } from "../tables/memory-sources.ts";
import { requireUntouched } from "./require-untouched.ts";

/** Writes about memories that are all different. */
export async function revise(
  port: Port,
  access: MemoryScopes,
  writes: readonly ReviseWrite[],
): Promise<StoredMemory[]> {
  const { tenant } = access;
  await requireUntouched(
    port,
    tenant,
    writes.flatMap(({ addSources = [] }) => addSources),
    writes.flatMap(({ addRelations = [] }) => addRelations),
  );
  const ids = writes.map(({ id }) => id);
  const known = new Map((await findMemories(port, access, ids)).map((memory) => [memory.id, memory]));
  const revised = writes.map((write) => {
    const before = known.get(write.id);
    const after = reviseMemory(before, write);
    updateMemory(port, tenant, before ?? after, after);
    return { write, after };
  });
  const retagged = revised.filter(({ write }) => write.changes.tags !== undefined);
  dropMemorySegmentsWith(
    port,
    tenant,
    retagged.map(({ after }) => after),
  );
  insertEvents(
    port,
    tenant,
    revised.map(({ write, after }) => ({ ref: after, event: write.event })),
  );
  return revised.map(({ after }) => after);
}

/** Writes the changes of a memory in every table that has them. */
export function updateMemory(port: Port, tenant: string, before: StoredMemory, after: StoredMemory): void {
  const added = {
    sources: Math.max(0, after.sources.length - before.sources.length),
    relations: Math.max(0, after.relations.length - before.relations.length),
  };
  updateMemoryRow(port, tenant, after, added);
  if (after.tags !== before.tags) port.memories.replaceTags(tenant, after, after.tags);
  if (added.sources > 0) replaceSources(port, tenant, after);
  if (added.relations > 0) replaceRelations(port, tenant, after);
  const isActive = stateOf(after) === "active";
  if (isActive !== (stateOf(before) === "active")) port.memories.markInForce(tenant, [after], isActive);
}
