import type { PartType, ToolStatus } from "../../types.ts";
import type { PartIndex } from "../store.ts";
import type { Database } from "./database.ts";

type PartRow = {
  message_id: number;
  part_type: PartType;
  tool_call_id: string | null;
  tool_name: string | null;
  tool_status: ToolStatus | null;
};

/** The parts of these messages, by row id. */
export function readParts(database: Database, ids: readonly number[]): Map<number, PartIndex[]> {
  const parts = new Map<number, PartIndex[]>();
  if (ids.length === 0) return parts;
  const rows = database.all<PartRow>(
    `SELECT message_id, part_type, tool_call_id, tool_name, tool_status
     FROM json_each(?) wanted CROSS JOIN message_parts ON message_id = wanted.value ORDER BY message_id, ordinal`,
    JSON.stringify(ids),
  );
  for (const row of rows) {
    const list = parts.get(row.message_id) ?? [];
    list.push(toPartIndex(row));
    parts.set(row.message_id, list);
  }
  return parts;
}

function toPartIndex(row: PartRow): PartIndex {
  return {
    type: row.part_type,
    toolCallId: row.tool_call_id,
    toolName: row.tool_name,
    toolStatus: row.tool_status,
  };
}
