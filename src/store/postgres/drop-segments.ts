/** Segments go whole; the conversations they held documents of know that these are not indexed any more. */
import type { Scope } from "../../types.ts";
import type { DocumentKind } from "../search-store.ts";
import type { Transaction } from "./transaction.ts";

/** One at a time changes the index of a scope. Conversations are locked before, never after. */
export function lockIndex(transaction: Transaction, scope: Scope): void {
  transaction.send(
    "SELECT pg_advisory_xact_lock(hashtextextended($1, 1))",
    JSON.stringify([scope.tenant, scope.agent]),
  );
}

/** Removes every segment that holds one of these documents. */
export async function dropSegmentsWith(
  transaction: Transaction,
  scope: Scope,
  conversationId: number,
  kind: DocumentKind,
  numbers: readonly number[],
): Promise<void> {
  if (numbers.length === 0) return;
  lockIndex(transaction, scope);
  const segments = await transaction.rows<{ segment_id: number }>(
    `SELECT DISTINCT r.segment_id FROM unnest($4::bigint[]) AS wanted(number)
     JOIN search_runs r ON r.tenant = $1 AND r.conversation_id = $2 AND r.kind = $3 AND r.first <= wanted.number
       AND r.last >= wanted.number`,
    scope.tenant,
    conversationId,
    kind,
    numbers,
  );
  await removeSegments(
    transaction,
    scope,
    segments.map(({ segment_id }) => segment_id),
  );
}

export async function dropSegmentsOf(
  transaction: Transaction,
  scope: Scope,
  conversationId: number,
): Promise<void> {
  lockIndex(transaction, scope);
  const segments = await transaction.rows<{ segment_id: number }>(
    "SELECT DISTINCT segment_id FROM search_runs WHERE tenant = $1 AND conversation_id = $2",
    scope.tenant,
    conversationId,
  );
  await removeSegments(
    transaction,
    scope,
    segments.map(({ segment_id }) => segment_id),
  );
  transaction.send(
    "DELETE FROM search_progress WHERE tenant = $1 AND conversation_id = $2",
    scope.tenant,
    conversationId,
  );
}

/** Answers with how many there were. */
export async function removeSegments(
  transaction: Transaction,
  scope: Scope,
  segments: readonly number[],
): Promise<number> {
  if (segments.length === 0) return 0;
  const runs = await transaction.rows<{ conversation_id: number }>(
    `DELETE FROM search_runs WHERE tenant = $1 AND segment_id = ANY($2::bigint[]) RETURNING conversation_id`,
    scope.tenant,
    segments,
  );
  transaction.send(
    "DELETE FROM search_pages WHERE tenant = $1 AND segment_id = ANY($2::bigint[])",
    scope.tenant,
    segments,
  );
  const removed = transaction.run(
    "DELETE FROM search_segments WHERE tenant = $1 AND segment_id = ANY($2::bigint[]) AND agent = $3",
    scope.tenant,
    segments,
    scope.agent,
  );
  advance(
    transaction,
    scope,
    runs.map((run) => run.conversation_id),
  );
  return removed;
}

/** Where the first gap begins, less one. A run counts when another one, or nothing at all, ends right before it. */
function coveredTo(kind: DocumentKind): string {
  const runs = `FROM search_runs n WHERE n.tenant = $1 AND n.conversation_id = c.id AND n.kind = '${kind}'`;
  return `coalesce((SELECT min(r.last) FROM search_runs r WHERE r.tenant = $1 AND r.conversation_id = c.id
      AND r.kind = '${kind}' AND NOT EXISTS (SELECT ${runs} AND n.first = r.last + 1)
      AND EXISTS (SELECT ${runs} AND n.first = 1)), 0)`;
}

const ADVANCE = `
  INSERT INTO search_progress (tenant, conversation_id, indexed_seq, indexed_summary)
  SELECT $1, c.id, ${coveredTo("message")}, ${coveredTo("summary")} FROM unnest($2::bigint[]) AS c(id)
  ON CONFLICT (tenant, conversation_id) DO UPDATE
  SET indexed_seq = excluded.indexed_seq, indexed_summary = excluded.indexed_summary`;

/** Moves the marks behind all runs that follow them without a gap. */
export function advance(transaction: Transaction, scope: Scope, conversations: readonly number[]): void {
  transaction.send(ADVANCE, scope.tenant, [...new Set(conversations)]);
}
