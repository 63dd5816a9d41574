/** Reads the vectors of messages, and the messages without vectors. */
import type { Scope } from "../../../types.ts";
import type { MessageRun, MessageVectorCount, UnembeddedQuery } from "../../message-vectors.ts";
import type { DocumentRef } from "../../search-store.ts";
import type { Session } from "../session.ts";
import { type VectorRow, vectorsByPlace } from "./vector-bytes.ts";

/** More than any message has: a limit makes the planner look them up by their key. */
const MOST_PASSAGES = 100_000;

export async function readMessageVectors(
  session: Session,
  { tenant, agent }: Scope,
  model: string,
  refs: readonly DocumentRef[],
): Promise<Float32Array[][]> {
  const rows = await session.rows<VectorRow>(
    `SELECT wanted.place, encode(v.vector, 'base64') AS vector
     FROM unnest($4::text[], $5::bigint[]) WITH ORDINALITY AS wanted(uid, seq, place)
     JOIN conversations c ON c.tenant = $1 AND c.agent = $2 AND c.uid = wanted.uid
     CROSS JOIN LATERAL (SELECT passage, vector FROM message_vectors WHERE tenant = $1
       AND conversation_id = c.conversation_id AND seq = wanted.seq AND model = $3
       ORDER BY passage LIMIT ${MOST_PASSAGES}) v
     ORDER BY wanted.place, v.passage`,
    tenant,
    agent,
    model,
    refs.map(({ conversation, kind }) => (kind === "message" ? conversation : "")),
    refs.map(({ number }) => number),
  );
  return vectorsByPlace(rows, refs.length);
}

export function readUnembedded(
  session: Session,
  { tenant, agent }: Scope,
  model: string,
  { conversations, limit }: UnembeddedQuery = {},
): Promise<MessageRun[]> {
  return session.rows<{ conversation: string; first: number; last: number }>(
    `SELECT c.uid AS conversation, coalesce(p.embedded_seq, 0) + 1 AS first, c.last_seq AS last
     FROM conversations c LEFT JOIN vector_progress p ON p.tenant = $1
       AND p.conversation_id = c.conversation_id AND p.model = $3
     WHERE c.tenant = $1 AND c.agent = $2 AND c.last_seq > coalesce(p.embedded_seq, 0)
       AND ($4::text[] IS NULL OR c.uid = ANY($4::text[]))
     ORDER BY c.conversation_id LIMIT $5`,
    tenant,
    agent,
    model,
    conversations ?? null,
    limit ?? null,
  );
}

export function countMessageVectors(
  session: Session,
  { tenant, agent }: Scope,
): Promise<MessageVectorCount[]> {
  return session.rows<{ model: string; dimensions: number; messages: number; vectors: number }>(
    `SELECT b.model, length(b.bits) AS dimensions, count(*) FILTER (WHERE b.passage = 0) AS messages,
       count(*) AS vectors
     FROM message_vector_bits b JOIN conversations c ON c.tenant = $1 AND c.conversation_id = b.conversation_id
     WHERE b.tenant = $1 AND c.agent = $2 GROUP BY b.model, length(b.bits) ORDER BY b.model, length(b.bits)`,
    tenant,
    agent,
  );
}
