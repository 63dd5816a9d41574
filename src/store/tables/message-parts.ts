/** Used to search and pair parts without reading the message. Can be rebuilt from the messages. */
import { insertInto, type RowFor } from "../insert.ts";
import type { HeldConversation } from "../port.ts";
import { statement } from "../statement.ts";
import type { PartIndex } from "../store.ts";

interface PartsOfMessage {
  readonly seq: number;
  readonly parts: readonly PartIndex[];
}

const INSERT = insertInto(
  "message_parts",
  {
    seq: "message",
    ordinal: "integer",
    part_type: "text",
    tool_call_id: "shown",
    tool_name: "shown",
    tool_status: "text",
  },
  { owner: "message" },
);

export function insertParts(held: HeldConversation, messages: readonly PartsOfMessage[]): void {
  const rows: RowFor<(typeof INSERT)["columns"]>[] = [];
  for (const { seq, parts } of messages)
    for (const [ordinal, { type, toolCallId, toolName, toolStatus }] of parts.entries())
      rows.push({
        seq,
        ordinal,
        part_type: type,
        tool_call_id: toolCallId,
        tool_name: toolName,
        tool_status: toolStatus,
      });
  held.insert(INSERT, rows);
}

const DROP = statement((d) => `DELETE FROM message_parts WHERE ${d.listedMessages("message_parts", "$3")}`);

export function replaceParts(held: HeldConversation, messages: readonly PartsOfMessage[]): void {
  if (messages.length === 0) return;
  held.send(
    DROP,
    messages.map(({ seq }) => seq),
  );
  insertParts(held, messages);
}

const BLANK = statement(
  (d) => `UPDATE message_parts SET tool_call_id = NULL, tool_name = NULL, tool_status = NULL
    WHERE ${d.listedMessages("message_parts", "$3")}`,
);

/** An erased message keeps its shape, but not the names and ids in it. */
export function blankParts(held: HeldConversation, seqs: readonly number[]): void {
  held.send(BLANK, seqs);
}
