import type { PartType, ToolStatus } from "../../types.ts";
import type { PartIndex } from "../store.ts";
import type { Database } from "./database.ts";

export function insertParts(database: Database, messageId: number, parts: readonly PartIndex[]): void {
  parts.forEach((part, ordinal) => {
    database.run(
      `INSERT INTO message_parts (message_id, ordinal, part_type, tool_call_id, tool_name, tool_status)
       VALUES (?, ?, ?, ?, ?, ?)`,
      messageId,
      ordinal,
      part.type,
      part.toolCallId,
      part.toolName,
      part.toolStatus,
    );
  });
}

export function replaceParts(database: Database, messageId: number, parts: readonly PartIndex[]): void {
  database.run("DELETE FROM message_parts WHERE message_id = ?", messageId);
  insertParts(database, messageId, parts);
}

/** An erased message keeps its shape, not the names and ids inside. */
export function blankParts(database: Database, messageId: number): void {
  database.run(
    "UPDATE message_parts SET tool_call_id = NULL, tool_name = NULL, tool_status = NULL WHERE message_id = ?",
    messageId,
  );
}

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
