/** Writes the vectors of messages, conversation by conversation, with their sign bits; an erasure deletes them. */
import { PalimpsestError } from "../../../errors.ts";
import type { Scope } from "../../../types.ts";
import type { EmbeddedMessage, EmbedWrite } from "../../message-vectors.ts";
import { requireConversation } from "../../tables/conversations.ts";
import type { Transaction } from "../transaction.ts";
import { requireLengths } from "./require-lengths.ts";
import { signBitArray, vectorArray, vectorBatches } from "./vector-bytes.ts";

/** Returns how many messages have vectors now. */
export async function keepEmbedded(
  transaction: Transaction,
  scope: Scope,
  write: EmbedWrite,
): Promise<number> {
  const { row } = await requireConversation(transaction, scope, write.id);
  const { conversation_id, last_seq } = row;
  const next = (await embeddedTo(transaction, scope, conversation_id, write.model)) + 1;
  if (write.first !== next || write.last > last_seq || write.last < write.first) throw overtaken();
  await requireLengths(
    transaction,
    scope.tenant,
    write.messages.map(({ vectors }) => ({ model: write.model, vectors })),
  );
  const present = await withWords(transaction, scope, conversation_id, write.messages);
  insertVectors(transaction, scope, { conversationId: conversation_id, model: write.model }, present);
  transaction.send(
    `INSERT INTO vector_progress (tenant, conversation_id, model, embedded_seq) VALUES ($1, $2, $3, $4)
     ON CONFLICT (tenant, conversation_id, model) DO UPDATE SET embedded_seq = excluded.embedded_seq`,
    scope.tenant,
    conversation_id,
    write.model,
    write.last,
  );
  return present.length;
}

async function embeddedTo(
  transaction: Transaction,
  { tenant }: Scope,
  conversationId: number,
  model: string,
): Promise<number> {
  const row = await transaction.one<{ embedded_seq: number }>(
    "SELECT embedded_seq FROM vector_progress WHERE tenant = $1 AND conversation_id = $2 AND model = $3",
    tenant,
    conversationId,
    model,
  );
  return row?.embedded_seq ?? 0;
}

/** Without messages that were erased meanwhile. */
async function withWords(
  transaction: Transaction,
  { tenant }: Scope,
  conversationId: number,
  messages: readonly EmbeddedMessage[],
): Promise<readonly EmbeddedMessage[]> {
  const rows = await transaction.rows<{ seq: number }>(
    `SELECT seq FROM messages WHERE tenant = $1 AND conversation_id = $2 AND seq = ANY($3::bigint[])
       AND erased_at IS NULL`,
    tenant,
    conversationId,
    messages.map(({ seq }) => seq),
  );
  const present = new Set(rows.map(({ seq }) => seq));
  return messages.filter(({ seq }) => present.has(seq));
}

const PASSAGES = "SELECT $1::text, $2::bigint, m.seq, $3::text, m.passage,";

function insertVectors(
  transaction: Transaction,
  { tenant }: Scope,
  { conversationId, model }: { readonly conversationId: number; readonly model: string },
  messages: readonly EmbeddedMessage[],
): void {
  const passages = messages.flatMap(({ seq, vectors }) =>
    vectors.map((vector, passage) => ({ seq, passage, vector })),
  );
  for (const batch of vectorBatches(passages)) {
    const vectors = batch.map(({ vector }) => vector);
    const keys = [
      tenant,
      conversationId,
      model,
      batch.map(({ seq }) => seq),
      batch.map(({ passage }) => passage),
    ];
    transaction.send(
      `INSERT INTO message_vectors (tenant, conversation_id, seq, model, passage, vector)
       ${PASSAGES} m.vector FROM unnest($4::bigint[], $5::integer[], $6::bytea[]) AS m(seq, passage, vector)`,
      ...keys,
      vectorArray(vectors),
    );
    transaction.send(
      `INSERT INTO message_vector_bits (tenant, conversation_id, seq, model, passage, bits)
       ${PASSAGES} m.bits FROM unnest($4::bigint[], $5::integer[], $6::varbit[]) AS m(seq, passage, bits)`,
      ...keys,
      signBitArray(vectors),
    );
  }
}

export function dropMessageVectors(
  transaction: Transaction,
  { tenant }: Scope,
  conversationId: number,
  seqs: readonly number[],
): void {
  for (const table of ["message_vectors", "message_vector_bits"])
    transaction.send(
      `DELETE FROM ${table} WHERE tenant = $1 AND conversation_id = $2 AND seq = ANY($3::bigint[])`,
      tenant,
      conversationId,
      seqs,
    );
}

/** For a deleted conversation. */
export function dropVectorsOf(transaction: Transaction, { tenant }: Scope, conversationId: number): void {
  for (const table of ["message_vectors", "message_vector_bits", "vector_progress"])
    transaction.send(
      `DELETE FROM ${table} WHERE tenant = $1 AND conversation_id = $2`,
      tenant,
      conversationId,
    );
}

function overtaken(): PalimpsestError {
  return new PalimpsestError("busy", "another process has already created these embeddings", {
    advice: "Try again; nothing was written.",
  });
}
