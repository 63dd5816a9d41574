import type { PartType, ToolStatus } from "../../types.ts";
import type { PartIndex } from "../store.ts";

/** The parts of the message in `page`, in order, as one JSON value. */
export const PARTS_COLUMN = `(
  SELECT json_agg(json_build_array(p.part_type, p.tool_call_id, p.tool_name, p.tool_status) ORDER BY p.ordinal)
  FROM message_parts p
  WHERE p.tenant = $1 AND p.conversation_id = page.conversation_id AND p.seq = page.seq) AS parts`;

export type PartTuple = [PartType, string | null, string | null, ToolStatus | null];

export function toParts(tuples: readonly PartTuple[] | null): PartIndex[] {
  return (tuples ?? []).map(([type, toolCallId, toolName, toolStatus]) => ({
    type,
    toolCallId,
    toolName,
    toolStatus,
  }));
}
