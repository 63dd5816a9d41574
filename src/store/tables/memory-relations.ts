/** Relations between memories, stored with the memory that names the other one. */
import type { MemoryRelation } from "../../memory-types.ts";
import { insertInto } from "../insert.ts";
import type { MemoryRef, StoredMemory } from "../memory-store.ts";
import type { Port, Reader } from "../port.ts";
import { sealedTable } from "../sealed-table.ts";
import { statement } from "../statement.ts";
import { refList } from "./memory-refs.ts";

export const SEALED_RELATIONS = sealedTable(
  "memory_relations",
  { ordinal: "integer", relation_type: "text", target_uid: "text" },
  "memory",
  { ordinal: 0 },
);
const INSERT = insertInto(
  "memory_relations",
  { scope: "scope", number: "memory", ...SEALED_RELATIONS.columns },
  { owner: "memory", sealed: SEALED_RELATIONS },
);

type WithRelations = MemoryRef & { readonly relations: readonly MemoryRelation[] };

export function insertRelations(port: Port, tenant: string, memories: readonly WithRelations[]): void {
  const rows = memories.flatMap(({ scope, number, relations }) =>
    relations.map(({ type, target }, ordinal) => ({
      scope,
      number,
      ordinal,
      relation_type: type,
      target_uid: target,
    })),
  );
  if (rows.length > 0) port.insert(INSERT, [tenant], rows);
}

const DROP = statement(
  (d) => `DELETE FROM memory_relations WHERE ${d.listedMemories("memory_relations", "$2")}`,
);

export function dropRelations(port: Port, tenant: string, refs: readonly MemoryRef[]): void {
  port.send(DROP, tenant, refList(refs));
}

export function replaceRelations(port: Port, tenant: string, memory: StoredMemory): void {
  dropRelations(port, tenant, [memory]);
  insertRelations(port, tenant, [memory]);
}

const READ = statement(
  (
    d,
  ) => `SELECT ${d.scope("r")} AS scope, ${d.number("r")} AS number, r.relation_type AS type, r.target_uid AS target
    FROM memory_relations r WHERE ${d.listedMemories("r", "$2")}`,
);

export function readRelations(
  reader: Reader,
  tenant: string,
  refs: readonly MemoryRef[],
): Promise<(MemoryRef & MemoryRelation)[]> {
  return reader.rows<MemoryRef & MemoryRelation>(READ, tenant, refList(refs));
}
