/** Candidates from an index of pgvector. */
import pg from "pg";
import type { NearestQuery } from "../../memory-store.ts";
import { type MemoryScopes, scopesAmong } from "../../rules/memory-scopes.ts";
import { inStates } from "../../tables/memory-states.ts";
import type { Connections } from "../connections.ts";
import { POSTGRES } from "../dialect.ts";
import type { VectorIndex } from "../vectors/build-vector-index.ts";
import type { Candidate } from "../vectors/measure-candidates.ts";
import { scanIndex } from "../vectors/scan-index.ts";

export function candidatesByIndex(
  connections: Connections,
  index: VectorIndex,
  access: MemoryScopes,
  query: NearestQuery,
  limit: number,
): Promise<Candidate[]> {
  return scanIndex(connections, index, nearestStatement(index, query), [
    access.tenant,
    scopesAmong(access, query.scopes),
    `[${query.vector.join(",")}]`,
    limit,
  ]);
}

/** The model stands in the text: the index holds only its vectors, and the planner has to see that. */
export function nearestStatement(
  { model, dimensions, schema }: VectorIndex,
  { states = ["active"] }: NearestQuery,
): string {
  const type = `${schema}.vector(${dimensions})`;
  return `SELECT c.scope, c.number FROM (
      SELECT v.scope, v.number FROM memory_vectors v
      WHERE v.tenant = $1 AND ${POSTGRES.among("v.scope", "$2")} AND v.model = ${pg.escapeLiteral(model)}
        AND octet_length(v.vector) = ${4 * dimensions}
      ORDER BY vector_floats(v.vector)::${type} OPERATOR(${schema}.<=>) $3::${type} LIMIT $4) c
    CROSS JOIN LATERAL (SELECT FROM memories m WHERE m.tenant = $1 AND m.scope = c.scope AND m.number = c.number
      AND ${inStates("m", states)} LIMIT 1) m`;
}
