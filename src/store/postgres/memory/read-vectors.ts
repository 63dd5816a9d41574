/** Reads the vectors of memories, and the memories without vectors. */
import type { MemoryRef, VectorCount } from "../../memory-store.ts";
import type { MemoryScopes } from "../../rules/memory-scopes.ts";
import {
  type MemoriesText,
  type MemoryRow,
  memoriesText,
  selectMemories,
} from "../../tables/select-memories.ts";
import { POSTGRES } from "../dialect.ts";
import type { Session } from "../session.ts";
import { type VectorRow, vectorsByPlace } from "../vectors/vector-bytes.ts";

/** More than any memory has: a limit makes the planner look them up by their key. */
const MOST_PASSAGES = 100_000;

const VECTORS = `SELECT wanted.place, encode(v.vector, 'base64') AS vector
  FROM unnest($4::text[], $5::bigint[]) WITH ORDINALITY AS wanted(scope, number, place)
  CROSS JOIN LATERAL (SELECT passage, vector FROM memory_vectors WHERE tenant = $1 AND scope = wanted.scope
    AND number = wanted.number AND model = $3 ORDER BY passage LIMIT ${MOST_PASSAGES}) v
  WHERE ${POSTGRES.among("wanted.scope", "$2")} ORDER BY wanted.place, v.passage`;

export async function readVectors(
  session: Session,
  access: MemoryScopes,
  model: string,
  refs: readonly MemoryRef[],
): Promise<Float32Array[][]> {
  const rows = await session.rows<VectorRow>(
    VECTORS,
    access.tenant,
    access.scopes,
    model,
    refs.map(({ scope }) => scope),
    refs.map(({ number }) => number),
  );
  return vectorsByPlace(rows, refs.length);
}

const WITHOUT_VECTORS = `${selectMemories(
  POSTGRES,
  `(SELECT m.* FROM memories m WHERE ${POSTGRES.inScopes("m", "$2")} AND m.erased_at IS NULL
      AND m.created_at > '-infinity' AND (SELECT true FROM memory_vector_bits b WHERE b.tenant = $1
        AND b.scope = m.scope AND b.number = m.number AND b.model = $3 AND b.passage = 0) IS NULL
    ORDER BY m.created_at, m.scope, m.number LIMIT $4) m`,
)} ORDER BY m.created_at, m.scope, m.number`;

export async function readWithoutVectors(
  session: Session,
  { tenant, scopes }: MemoryScopes,
  model: string,
  limit: number,
): Promise<MemoriesText> {
  return memoriesText(await session.rows<MemoryRow>(WITHOUT_VECTORS, tenant, scopes, model, limit));
}

export function countVectors(session: Session, access: MemoryScopes): Promise<VectorCount[]> {
  return session.rows<{ model: string; dimensions: number; memories: number; vectors: number }>(
    `SELECT model, length(bits) AS dimensions, count(*) FILTER (WHERE passage = 0) AS memories, count(*) AS vectors
     FROM memory_vector_bits WHERE tenant = $1 AND ${POSTGRES.among("scope", "$2")}
     GROUP BY model, length(bits) ORDER BY model, length(bits)`,
    access.tenant,
    access.scopes,
  );
}
