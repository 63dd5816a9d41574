/** What SQLite keeps of memories in its own way: vectors with their signs, and tags, which are a table of their own. */
import type { MemoryRef } from "../memory-store.ts";
import type { MemoryExtras } from "../port.ts";
import type { Database } from "./database.ts";
import { addTags, rowIdsOf } from "./memory-rows.ts";
import { dropFaultyVectors, insertVectors, pruneVectors, replaceVectors } from "./vectors/memory-vectors.ts";
import { dropVectors } from "./vectors/vectors.ts";

/** One thread writes, in transactions of its own, so there is nothing to lock; searches look up what is in force. */
export function memoryExtras(database: Database): MemoryExtras {
  const rowIds = (tenant: string, refs: readonly MemoryRef[]) =>
    rowIdsOf(database, { tenant, scopes: null }, refs).flatMap((id) => id ?? []);
  const dropTags = (ids: readonly number[]) =>
    database.run(
      "DELETE FROM memory_tags WHERE memory_id IN (SELECT value FROM json_each(?))",
      JSON.stringify(ids),
    );
  return {
    lockTenant: () => {},
    markInForce: () => {},
    insertVectors: async (tenant, placed) => insertVectors(database, tenant, placed),
    replaceVectors: async (access, write) => replaceVectors(database, access, write),
    dropVectors: (access, write) => dropFaultyVectors(database, access, write),
    pruneVectors: async (access, write) => pruneVectors(database, access, write),
    replaceTags: (tenant, ref, tags) => {
      const ids = rowIds(tenant, [ref]);
      dropTags(ids);
      for (const id of ids) addTags(database, id, tags);
    },
    drop: (tenant, refs) => {
      const ids = rowIds(tenant, refs);
      dropTags(ids);
      dropVectors(
        database,
        "memories",
        ids.map((id) => [id, id] as const),
      );
    },
  };
}
