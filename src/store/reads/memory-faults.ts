/** Rows that belong to no memory, and memories with unassigned numbers. Each engine checks vectors itself. */
import { MEMORY_PARTS, type MemoryFault, type MemoryPart, type MemoryRef } from "../memory-store.ts";
import type { Reader } from "../port.ts";
import type { MemoryScopes } from "../rules/memory-scopes.ts";
import { statement } from "../statement.ts";

const stray = (part: MemoryPart) =>
  statement(
    (d) => `SELECT DISTINCT s.scope, ${d.number("p")} AS number
      FROM memory_scopes s ${d.join(`memory_${part}`, "p", d.ofScope("p", "s"))}
      WHERE s.tenant = $1 AND ${d.among("s.scope", "$2")}
        AND NOT EXISTS (SELECT 1 FROM memories m WHERE ${d.sameMemory("m", "p")})
      ORDER BY s.scope, number`,
  );

const STRAY = MEMORY_PARTS.map((what) => ({ what, find: stray(what) }));

const NOT_GIVEN_OUT = statement(
  (d) => `SELECT s.scope, m.number
    FROM memory_scopes s ${d.join("memories", "m", d.ofScope("m", "s", "s.last_number + 1"))}
    WHERE s.tenant = $1 AND ${d.among("s.scope", "$2")} ORDER BY s.scope, m.number`,
);

export async function readRowFaults(
  reader: Reader,
  { tenant, scopes }: MemoryScopes,
): Promise<MemoryFault[]> {
  const strays = STRAY.map(async ({ what, find }) => {
    const refs = await reader.rows<MemoryRef>(find, tenant, scopes);
    return refs.map((ref): MemoryFault => ({ kind: "stray", what, ref: toRef(ref) }));
  });
  const numbers = reader.rows<MemoryRef>(NOT_GIVEN_OUT, tenant, scopes);
  const faults = (await Promise.all(strays)).flat();
  return [...faults, ...(await numbers).map((ref): MemoryFault => ({ kind: "number", ref: toRef(ref) }))];
}

function toRef({ scope, number }: MemoryRef): MemoryRef {
  return { scope, number };
}
