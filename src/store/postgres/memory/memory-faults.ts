/** What is in the tables of memories and fits no memory, and signs that are not those of their vectors. */
import type { MemoryFault, MemoryRef } from "../../memory-store.ts";
import { readRowFaults } from "../../reads/memory-faults.ts";
import type { MemoryScopes } from "../../rules/memory-scopes.ts";
import { POSTGRES } from "../dialect.ts";
import type { Session } from "../session.ts";

export async function readMemoryFaults(session: Session, access: MemoryScopes): Promise<MemoryFault[]> {
  return [...(await readRowFaults(session, access)), ...(await readVectorFaults(session, access))];
}

/** The signs as the vector has them: a bit is set where the component is above zero. Bytes are little-endian. */
const SIGNS = `(SELECT string_agg(CASE WHEN get_byte(p.vector, place + 3) < 128
      AND substring(p.vector FROM place + 1 FOR 4) <> '\\x00000000'::bytea THEN '1' ELSE '0' END, '' ORDER BY place)::varbit
    FROM generate_series(0, octet_length(p.vector) - 4, 4) AS place)`;

const SELECT_FAULTS = `
  SELECT p.scope, p.number, p.model, min(fault.name) AS fault FROM (
    SELECT scope, number, model, passage, v.vector, b.bits, b.is_active
    FROM (SELECT * FROM memory_vectors WHERE tenant = $1) v
    FULL JOIN (SELECT * FROM memory_vector_bits WHERE tenant = $1) b USING (scope, number, model, passage)) p
  LEFT JOIN memories m ON ${POSTGRES.sameMemory("m", "p")}
  LEFT JOIN vector_models o ON o.tenant = $1 AND o.model = p.model
  CROSS JOIN LATERAL (SELECT CASE
    WHEN m.number IS NULL OR m.erased_at IS NOT NULL THEN 'stray'
    WHEN octet_length(p.vector) IS DISTINCT FROM 4 * o.dimensions THEN 'length'
    WHEN p.bits IS NULL OR p.is_active <> (m.invalidated_at IS NULL AND m.archived_at IS NULL) THEN 'signs'
    WHEN p.bits <> ${SIGNS} THEN 'signs' END AS name) fault
  WHERE ${POSTGRES.among("p.scope", "$2")} AND fault.name IS NOT NULL
  GROUP BY p.scope, p.number, p.model ORDER BY p.model, p.scope, p.number`;

type FaultRow = MemoryRef & { model: string; fault: Extract<MemoryFault, { kind: "vectors" }>["fault"] };

async function readVectorFaults(session: Session, access: MemoryScopes): Promise<MemoryFault[]> {
  const rows = await session.rows<FaultRow>(SELECT_FAULTS, access.tenant, access.scopes);
  return rows.map(({ scope, number, model, fault }) => ({
    kind: "vectors",
    model,
    ref: { scope, number },
    fault,
  }));
}
