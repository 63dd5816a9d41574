/** What is in the tables of memories and fits no memory, and signs that are not those of their vectors. */
import { MEMORY_PARTS, type MemoryAccess, type MemoryFault, type MemoryRef } from "../../memory-store.ts";
import type { Session } from "../session.ts";
import { inScopes, scopesOf } from "./memory-rows.ts";

const OF_MEMORY = "m.tenant = p.tenant AND m.scope = p.scope AND m.number = p.number";

export async function readMemoryFaults(session: Session, access: MemoryAccess): Promise<MemoryFault[]> {
  const stray = MEMORY_PARTS.map(async (what) => {
    const refs = await session.rows<{ scope: string; number: number }>(
      `SELECT DISTINCT p.scope, p.number FROM memory_${what} p
       WHERE p.tenant = $1 AND ${inScopes("p.scope", 2)}
         AND NOT EXISTS (SELECT FROM memories m WHERE ${OF_MEMORY}) ORDER BY p.scope, p.number`,
      access.tenant,
      scopesOf(access),
    );
    return refs.map((ref): MemoryFault => ({ kind: "stray", what, ref }));
  });
  return [
    ...(await Promise.all(stray)).flat(),
    ...(await readWrongNumbers(session, access)),
    ...(await readVectorFaults(session, access)),
  ];
}

async function readWrongNumbers(session: Session, access: MemoryAccess): Promise<MemoryFault[]> {
  const refs = await session.rows<{ scope: string; number: number }>(
    `SELECT m.scope, m.number FROM memory_scopes s JOIN memories m USING (tenant, scope)
     WHERE s.tenant = $1 AND ${inScopes("s.scope", 2)} AND m.number > s.last_number ORDER BY m.scope, m.number`,
    access.tenant,
    scopesOf(access),
  );
  return refs.map((ref): MemoryFault => ({ kind: "number", ref }));
}

/** The signs as the vector has them: a bit is set where the component is above zero. Bytes are little-endian. */
const SIGNS = `(SELECT string_agg(CASE WHEN get_byte(p.vector, place + 3) < 128
      AND substring(p.vector FROM place + 1 FOR 4) <> '\\x00000000'::bytea THEN '1' ELSE '0' END, '' ORDER BY place)::varbit
    FROM generate_series(0, octet_length(p.vector) - 4, 4) AS place)`;

const SELECT_FAULTS = `
  SELECT p.scope, p.number, p.model, min(fault.name) AS fault FROM (
    SELECT tenant, scope, number, model, passage, v.vector, b.bits, b.is_active FROM memory_vectors v
    FULL JOIN memory_vector_bits b USING (tenant, scope, number, model, passage)) p
  LEFT JOIN memories m ON ${OF_MEMORY}
  LEFT JOIN vector_models o ON o.tenant = p.tenant AND o.model = p.model
  CROSS JOIN LATERAL (SELECT CASE
    WHEN m.number IS NULL OR m.erased_at IS NOT NULL THEN 'stray'
    WHEN octet_length(p.vector) IS DISTINCT FROM 4 * o.dimensions THEN 'length'
    WHEN p.bits IS NULL OR p.is_active <> (m.invalidated_at IS NULL AND m.archived_at IS NULL) THEN 'signs'
    WHEN p.bits <> ${SIGNS} THEN 'signs' END AS name) fault
  WHERE p.tenant = $1 AND ${inScopes("p.scope", 2)} AND fault.name IS NOT NULL
  GROUP BY p.scope, p.number, p.model ORDER BY p.model, p.scope, p.number`;

type FaultRow = MemoryRef & { model: string; fault: Extract<MemoryFault, { kind: "vectors" }>["fault"] };

async function readVectorFaults(session: Session, access: MemoryAccess): Promise<MemoryFault[]> {
  const rows = await session.rows<FaultRow>(SELECT_FAULTS, access.tenant, scopesOf(access));
  return rows.map(({ scope, number, model, fault }) => ({
    kind: "vectors",
    model,
    ref: { scope, number },
    fault,
  }));
}
