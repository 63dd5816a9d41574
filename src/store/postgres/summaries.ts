import type { Scope } from "../../types.ts";
import type { StoredSummary } from "../store.ts";
import { contentArrays, contentBatches, ERASED, storeContent } from "./content.ts";
import { byteaArray, bytes, withoutNul } from "./rows.ts";
import type { Transaction } from "./transaction.ts";

/** A summary and the number that it has in its conversation. */
export interface NumberedSummary {
  readonly number: number;
  readonly summary: StoredSummary;
}

/** Writes summaries with what they were made from. Sources are on record already, or stand in the same list. */
export function insertSummaries(
  transaction: Transaction,
  scope: Scope,
  conversationId: number,
  summaries: readonly NumberedSummary[],
): void {
  const rows = summaries.map((row) => ({
    ...row,
    content: row.summary.content === null ? ERASED : storeContent(row.summary.content),
  }));
  for (const batch of contentBatches(rows))
    transaction.send(
      INSERT_SUMMARIES,
      scope.tenant,
      conversationId,
      batch.map((row) => row.number),
      ...columnArrays(batch.map((row) => row.summary)),
      ...contentArrays(batch.map((row) => row.content)),
    );
  insertMessageSources(transaction, scope, conversationId, summaries);
  insertSummarySources(transaction, scope, conversationId, summaries);
}

const INSERT_SUMMARIES = `INSERT INTO summaries (tenant, conversation_id, summary_number, summary_id, kind, depth,
    token_count, quality, model, first_seq, last_seq, earliest_at, latest_at, message_count, source_token_count,
    descendant_count, descendant_token_count, file_ids, fidelity, merkle_root, content_hash, created_at, encoding,
    content, content_size)
  SELECT $1::text, $2::bigint, * FROM unnest($3::bigint[], $4::text[], $5::text[], $6::integer[], $7::integer[],
    $8::text[], $9::text[], $10::bigint[], $11::bigint[], $12::timestamptz[], $13::timestamptz[], $14::bigint[],
    $15::bigint[], $16::bigint[], $17::bigint[], $18::text[], $19::float8[], $20::bytea[], $21::bytea[],
    $22::timestamptz[], $23::text[], $24::bytea[], $25::bigint[])`;

function columnArrays(summaries: readonly StoredSummary[]): readonly unknown[] {
  return [
    summaries.map((summary) => summary.id),
    summaries.map((summary) => summary.kind),
    summaries.map((summary) => summary.depth),
    summaries.map((summary) => summary.tokenCount),
    summaries.map((summary) => summary.quality),
    summaries.map((summary) => withoutNul(summary.model)),
    summaries.map((summary) => summary.firstSeq),
    summaries.map((summary) => summary.lastSeq),
    summaries.map((summary) => summary.earliestAt),
    summaries.map((summary) => summary.latestAt),
    summaries.map((summary) => summary.messageCount),
    summaries.map((summary) => summary.sourceTokenCount),
    summaries.map((summary) => summary.descendantCount),
    summaries.map((summary) => summary.descendantTokenCount),
    summaries.map((summary) => JSON.stringify(summary.fileIds)),
    summaries.map((summary) => summary.fidelity),
    byteaArray(summaries.map((summary) => bytes(summary.merkleRoot))),
    byteaArray(summaries.map((summary) => bytes(summary.contentHash))),
    summaries.map((summary) => summary.createdAt),
  ];
}

function insertMessageSources(
  transaction: Transaction,
  scope: Scope,
  conversationId: number,
  summaries: readonly NumberedSummary[],
): void {
  const rows = summaries.flatMap(({ number, summary: { sources } }) =>
    sources.type === "messages" ? sources.seqs.map((seq) => ({ number, seq })) : [],
  );
  if (rows.length === 0) return;
  transaction.send(
    `INSERT INTO summary_messages (tenant, conversation_id, summary_number, seq)
     SELECT $1::text, $2::bigint, * FROM unnest($3::bigint[], $4::bigint[])`,
    scope.tenant,
    conversationId,
    rows.map((row) => row.number),
    rows.map((row) => row.seq),
  );
}

function insertSummarySources(
  transaction: Transaction,
  scope: Scope,
  conversationId: number,
  summaries: readonly NumberedSummary[],
): void {
  const rows = summaries.flatMap(({ number, summary: { sources } }) =>
    sources.type === "summaries" ? sources.ids.map((id, ordinal) => ({ number, ordinal, id })) : [],
  );
  if (rows.length === 0) return;
  transaction.send(
    `INSERT INTO summary_parents (tenant, conversation_id, summary_number, ordinal, parent_number)
     SELECT $1::text, $2::bigint, source.number, source.ordinal, parent.summary_number
     FROM unnest($3::bigint[], $4::integer[], $5::text[]) AS source(number, ordinal, id)
     CROSS JOIN LATERAL (
       SELECT summary_number FROM summaries
       WHERE tenant = $1 AND conversation_id = $2 AND summary_id = source.id LIMIT 1) parent`,
    scope.tenant,
    conversationId,
    rows.map((row) => row.number),
    rows.map((row) => row.ordinal),
    rows.map((row) => row.id),
  );
}

/** Which of these summaries the conversation has. */
export async function findKnownSummaries(
  transaction: Transaction,
  scope: Scope,
  conversationId: number,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await transaction.rows<{ summary_id: string }>(
    "SELECT summary_id FROM summaries WHERE tenant = $1 AND conversation_id = $2 AND summary_id = ANY($3::text[])",
    scope.tenant,
    conversationId,
    ids,
  );
  return new Set(rows.map((row) => row.summary_id));
}
