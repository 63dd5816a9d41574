/** Recognises a turn that comes again. */
import { PalimpsestError } from "../../errors.ts";
import { CONTENT_KEY_PREFIX, turnKeysDigest, versionKey } from "../seal.ts";
import type { AppendWrite, NewMessage, PlacedMessage, StoredTurn } from "../store.ts";
import type { ConversationRow } from "./conversations.ts";
import type { Database } from "./database.ts";
import { findByKey, hasContent } from "./messages.ts";

/** The messages of a turn that is on record under this key, or an error when that was another turn. */
export function replayTurn(
  database: Database,
  row: ConversationRow,
  write: AppendWrite,
  turn: StoredTurn,
): PlacedMessage[] {
  if (turn.keysDigest !== turnKeysDigest(write.messages.map((message) => message.key)))
    throw otherTurn(row, write);
  const erased = findErased(database, row.conversation_id, turn);
  return write.messages.map((message, index) => {
    const placed = findPlace(database, row, write, message);
    if (placed !== null) return placed;
    const seq = erased.shift() ?? turn.firstSeq + index;
    return { key: `erased:${seq}`, seq, existed: true, erased: true };
  });
}

/** A message that is missing although the turn has it was erased, and its key with it: its place is null here. */
function findPlace(
  database: Database,
  row: ConversationRow,
  write: AppendWrite,
  message: NewMessage,
): PlacedMessage | null {
  for (let version = 1; ; version++) {
    const key = versionKey(message.key, version);
    const known = findByKey(database, row.conversation_id, key);
    if (known === undefined && version === 1 && key.startsWith(CONTENT_KEY_PREFIX)) return null;
    if (known !== undefined && hasContent(known, message))
      return { key, seq: known.seq, existed: true, erased: known.salt === null };
    if (known === undefined || write.onOtherContent === "refuse") throw otherTurn(row, write);
  }
}

/** Messages of a turn whose keys went with their content. */
function findErased(database: Database, conversationId: number, turn: StoredTurn): number[] {
  return database
    .all<{ seq: number }>(
      `SELECT seq FROM messages WHERE conversation_id = ? AND seq >= ? AND seq < ?
         AND message_key = 'erased:' || seq ORDER BY seq`,
      conversationId,
      turn.firstSeq,
      turn.firstSeq + turn.messageCount,
    )
    .map((row) => row.seq);
}

function otherTurn(row: ConversationRow, write: AppendWrite): PalimpsestError {
  return new PalimpsestError(
    "conflict",
    `turn "${write.turnKey}" is already on record in ${row.uid} with other content`,
    { advice: "A turn key identifies one turn: use a new key for a new turn. Nothing was written." },
  );
}
