import type { PartType, Scope, ToolStatus } from "../../types.ts";
import type { PartIndex } from "../store.ts";
import { withoutNul } from "./rows.ts";
import type { Transaction } from "./transaction.ts";

export interface PartsOfMessage {
  readonly seq: number;
  readonly parts: readonly PartIndex[];
}

export function insertParts(
  transaction: Transaction,
  scope: Scope,
  conversationId: number,
  messages: readonly PartsOfMessage[],
): void {
  const rows = messages.flatMap(({ seq, parts }) => parts.map((part, ordinal) => ({ seq, ordinal, part })));
  if (rows.length === 0) return;
  transaction.send(
    `INSERT INTO message_parts (tenant, conversation_id, seq, ordinal, part_type, tool_call_id, tool_name, tool_status)
     SELECT $1::text, $2::bigint, *
     FROM unnest($3::bigint[], $4::integer[], $5::text[], $6::text[], $7::text[], $8::text[])`,
    scope.tenant,
    conversationId,
    rows.map((row) => row.seq),
    rows.map((row) => row.ordinal),
    rows.map(({ part }) => part.type),
    rows.map(({ part }) => withoutNul(part.toolCallId)),
    rows.map(({ part }) => withoutNul(part.toolName)),
    rows.map(({ part }) => part.toolStatus),
  );
}

export function replaceParts(
  transaction: Transaction,
  scope: Scope,
  conversationId: number,
  messages: readonly PartsOfMessage[],
): void {
  if (messages.length === 0) return;
  transaction.send(
    "DELETE FROM message_parts WHERE tenant = $1 AND conversation_id = $2 AND seq = ANY($3::bigint[])",
    scope.tenant,
    conversationId,
    messages.map((message) => message.seq),
  );
  insertParts(transaction, scope, conversationId, messages);
}

/** An erased message keeps its shape, not the names and ids inside. */
export function blankParts(
  transaction: Transaction,
  scope: Scope,
  conversationId: number,
  seqs: readonly number[],
): void {
  transaction.send(
    `UPDATE message_parts SET tool_call_id = NULL, tool_name = NULL, tool_status = NULL
     WHERE tenant = $1 AND conversation_id = $2 AND seq = ANY($3::bigint[])`,
    scope.tenant,
    conversationId,
    seqs,
  );
}

/** The parts of the message in `page`, in order, as one JSON value. */
export const PARTS_COLUMN = `(
  SELECT json_agg(json_build_array(p.part_type, p.tool_call_id, p.tool_name, p.tool_status) ORDER BY p.ordinal)
  FROM message_parts p
  WHERE p.tenant = page.tenant AND p.conversation_id = page.conversation_id AND p.seq = page.seq) AS parts`;

export type PartTuple = [PartType, string | null, string | null, ToolStatus | null];

export function toParts(tuples: readonly PartTuple[] | null): PartIndex[] {
  return (tuples ?? []).map(([type, toolCallId, toolName, toolStatus]) => ({
    type,
    toolCallId,
    toolName,
    toolStatus,
  }));
}
