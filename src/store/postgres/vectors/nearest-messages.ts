/** The nearest messages by cosine, in some conversations of a scope or in all of them. */
import pg from "pg";
import type { Scope } from "../../../types.ts";
import type { NearestMessagesQuery, NearMessage } from "../../message-vectors.ts";
import type { DocumentRef } from "../../search-store.ts";
import type { Connections } from "../connections.ts";
import type { Session } from "../session.ts";
import type { VectorIndex } from "./build-vector-index.ts";
import { bestByEstimate, type Candidate, type SignedCandidate } from "./measure-candidates.ts";
import { findNearest, scanIndex } from "./nearest.ts";
import { readMessageVectors } from "./read-message-vectors.ts";
import { signText } from "./vector-bytes.ts";
import type { VectorIndexes } from "./vector-indexes.ts";

export async function nearestMessages(
  connections: Connections,
  indexes: VectorIndexes,
  scope: Scope,
  query: NearestMessagesQuery,
): Promise<NearMessage[]> {
  if (query.limit < 1) return [];
  const set = { owners: "message", model: query.model, dimensions: query.vector.length } as const;
  const near = await findNearest(indexes, set, query, {
    byIndex: (index, limit) => byIndex(connections, index, scope, query, limit),
    bySigns: (most) =>
      bestByEstimate(query.vector, most, (limit) =>
        connections.read((session) => bySigns(session, scope, query, limit)),
      ),
    vectorsOf: (candidates) =>
      connections.read((session) => readMessageVectors(session, scope, query.model, candidates.map(refTo))),
  });
  return near.slice(0, query.limit).map(({ cosine, ...candidate }) => ({ ref: refTo(candidate), cosine }));
}

function refTo({ scope, number }: Candidate): DocumentRef {
  return { conversation: scope, kind: "message", number };
}

/** Row ids of the conversations with the public ids $3, or of all, in the scope ($1, $2). Looked up once. */
const CONVERSATIONS = `ARRAY(SELECT conversation_id FROM conversations WHERE tenant = $1 AND agent = $2
  AND ($3::text[] IS NULL OR uid = ANY($3::text[])))`;

/** The model is part of the SQL text: the index contains only its vectors, and the planner has to know that. */
function nearestMessagesStatement({ model, dimensions, schema }: VectorIndex): string {
  const type = `${schema}.vector(${dimensions})`;
  return `SELECT o.uid AS scope, c.seq AS number FROM (
      SELECT v.conversation_id, v.seq FROM message_vectors v
      WHERE v.tenant = $1 AND v.conversation_id = ANY(${CONVERSATIONS}) AND v.model = ${pg.escapeLiteral(model)}
        AND octet_length(v.vector) = ${4 * dimensions}
      ORDER BY vector_floats(v.vector)::${type} OPERATOR(${schema}.<=>) $4::${type} LIMIT $5) c
    JOIN conversations o ON o.tenant = $1 AND o.conversation_id = c.conversation_id`;
}

function byIndex(
  connections: Connections,
  index: VectorIndex,
  { tenant, agent }: Scope,
  { vector, conversations }: NearestMessagesQuery,
  limit: number,
): Promise<Candidate[]> {
  const values = [tenant, agent, conversations ?? null, `[${vector.join(",")}]`, limit];
  return scanIndex(connections, index, nearestMessagesStatement(index), values);
}

/** All vectors of a model have one length, which is looked up once: see `candidatesBySigns`. */
const BY_SIGNS = `
  SELECT o.uid AS scope, c.seq AS number, c.bits::text AS bits FROM (
    SELECT b.conversation_id, b.seq, b.bits FROM message_vector_bits b
    WHERE b.tenant = $1 AND b.conversation_id = ANY(${CONVERSATIONS}) AND b.model = $4
      AND (SELECT length(o.bits) FROM message_vector_bits o WHERE o.tenant = $1 AND o.model = $4 LIMIT 1) = $7
    ORDER BY bit_count(b.bits # $5::varbit), b.conversation_id, b.seq, b.passage LIMIT $6) c
  JOIN conversations o ON o.tenant = $1 AND o.conversation_id = c.conversation_id`;

function bySigns(
  session: Session,
  { tenant, agent }: Scope,
  { model, vector, conversations }: NearestMessagesQuery,
  limit: number,
): Promise<SignedCandidate[]> {
  return session.rows<SignedCandidate>(
    BY_SIGNS,
    tenant,
    agent,
    conversations ?? null,
    model,
    signText(vector),
    limit,
    vector.length,
  );
}
