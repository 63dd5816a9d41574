import type { PartType, ToolStatus } from "../../types.ts";
import type { PartIndex } from "../store.ts";
import type { Database } from "./database.ts";

type PartRow = readonly [
  messageId: number,
  type: PartType,
  toolCallId: string | null,
  toolName: string | null,
  toolStatus: ToolStatus | null,
];

/** The parts of these messages, by row id. */
export function readParts(database: Database, ids: readonly number[]): Map<number, PartIndex[]> {
  const parts = new Map<number, PartIndex[]>();
  if (ids.length === 0) return parts;
  const rows = database.lists<PartRow>(
    `SELECT message_id, part_type, tool_call_id, tool_name, tool_status
     FROM json_each(?) wanted CROSS JOIN message_parts ON message_id = wanted.value ORDER BY message_id, ordinal`,
    JSON.stringify(ids),
  );
  for (const [id, type, toolCallId, toolName, toolStatus] of rows) {
    const part = { type, toolCallId, toolName, toolStatus };
    const list = parts.get(id);
    if (list === undefined) parts.set(id, [part]);
    else list.push(part);
  }
  return parts;
}
