/** The nearest memories by cosine. */
import pg from "pg";
import type { MemoryState } from "../../../memory-types.ts";
import type { NearestQuery, NearMemory } from "../../memory-store.ts";
import { type MemoryScopes, scopesAmong } from "../../rules/memory-scopes.ts";
import { inStates } from "../../tables/memory-states.ts";
import type { Connections } from "../connections.ts";
import { POSTGRES } from "../dialect.ts";
import type { Session } from "../session.ts";
import type { VectorIndex } from "../vectors/build-vector-index.ts";
import { bestByEstimate, type Candidate, type SignedCandidate } from "../vectors/measure-candidates.ts";
import { findNearest, scanIndex } from "../vectors/nearest.ts";
import { signText } from "../vectors/vector-bytes.ts";
import type { VectorIndexes } from "../vectors/vector-indexes.ts";
import type { HeldSigns } from "./held-signs.ts";
import { readVectors } from "./read-vectors.ts";

/** State that all queries of a process share. */
export interface NearMemories {
  readonly indexes: VectorIndexes;
  readonly signs: HeldSigns;
}

export async function nearestMemories(
  connections: Connections,
  { indexes, signs }: NearMemories,
  access: MemoryScopes,
  query: NearestQuery,
): Promise<NearMemory[]> {
  const { model, vector, limit, least = -2 } = query;
  let isStale = false;
  const find = () =>
    findNearest(indexes, { owners: "memory", model, dimensions: vector.length }, query, {
      byHeldSigns: (most) => signs.candidates(access, query, most),
      byIndex: (index, most) => candidatesByIndex(connections, index, access, query, most),
      bySigns: (most) =>
        bestByEstimate(vector, most, (limit) =>
          connections.read((session) => candidatesBySigns(session, access, query, limit)),
        ),
      vectorsOf: async (refs) => {
        const vectors = await connections.read((session) => readVectors(session, access, model, refs));
        const missing = refs.filter((_, i) => vectors[i]?.length === 0);
        isStale = signs.noteMissing(access, query, missing, refs.length);
        return vectors;
      },
    });
  const found = await find();
  const near = isStale ? await find() : found;
  return near
    .filter(({ cosine }) => cosine >= least)
    .slice(0, limit)
    .map(({ scope, number, cosine }) => ({ ref: { scope, number }, cosine }));
}

/** Candidates from an index of pgvector. */
function candidatesByIndex(
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

/** The model is part of the SQL text: the index contains only its vectors, and the planner has to know that. */
function nearestStatement(
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

/**
 * Candidates without an extension: vectors with similar directions have mostly the same sign bits, and counting the differing
 * bits takes a few nanoseconds a row. All rows of the holder's scopes are read.
 */
function candidatesBySigns(
  session: Session,
  access: MemoryScopes,
  query: NearestQuery,
  limit: number,
): Promise<SignedCandidate[]> {
  const scopes = scopesAmong(access, query.scopes);
  return session.rows<SignedCandidate>(
    statementFor(query.states ?? ["active"], scopes !== null),
    access.tenant,
    query.model,
    signText(query.vector),
    limit,
    query.vector.length,
    ...(scopes === null ? [] : [scopes]),
  );
}

/**
 * The planner must know that nearly all rows are read, or it does not parallelise: so a model's length is looked up once and
 * not compared in every row, and there is no condition on scopes if all are meant.
 */
function statementFor(states: readonly MemoryState[], hasScopes: boolean): string {
  return `SELECT c.scope, c.number, c.bits::text AS bits FROM (
      SELECT b.scope, b.number, b.bits FROM memory_vector_bits b
      WHERE b.tenant = $1 AND b.model = $2 AND ${ofStates(states)} ${hasScopes ? "AND b.scope = ANY($6::text[])" : ""}
        AND (SELECT length(o.bits) FROM memory_vector_bits o WHERE o.tenant = $1 AND o.model = $2 LIMIT 1) = $5
      ORDER BY bit_count(b.bits # $3::varbit), b.scope, b.number, b.passage LIMIT $4) c`;
}

/** The active flag is stored beside the bits; for any other state the memory's row is read. */
function ofStates(states: readonly MemoryState[]): string {
  if (states.length === 1 && states[0] === "active") return "b.is_active";
  return `EXISTS (SELECT FROM memories m WHERE m.tenant = $1 AND m.scope = b.scope AND m.number = b.number
    AND ${inStates("m", states)})`;
}
