/** Recognises a turn that comes again. */
import type { Scope } from "../../types.ts";
import { CONTENT_KEY_PREFIX, versionKey } from "../seal.ts";
import type { AppendWrite, PlacedMessage, StoredTurn } from "../store.ts";
import type { ConversationRow } from "./conversations.ts";
import { hasContent, type KnownByKey, keysDigest, otherContent } from "./place-messages.ts";
import type { Transaction } from "./transaction.ts";

/** The messages of a turn that is on record under this key, or an error when that was another turn. */
export async function replayTurn(
  transaction: Transaction,
  scope: Scope,
  row: ConversationRow,
  write: AppendWrite,
  turn: StoredTurn,
  known: KnownByKey,
): Promise<PlacedMessage[]> {
  const placed = findPlaces(row.uid, write, turn, known);
  if (!placed.includes(null)) return placed.filter((message) => message !== null);
  const erased = await findErased(transaction, scope, row.conversation_id, turn);
  return placed.map((message, index) => {
    if (message !== null) return message;
    const seq = erased.shift() ?? turn.firstSeq + index;
    return { key: `erased:${seq}`, seq, existed: true, erased: true };
  });
}

/** A message that is missing although the turn has it was erased, and its key with it: its place is null here. */
function findPlaces(
  conversation: string,
  write: AppendWrite,
  turn: StoredTurn,
  known: KnownByKey,
): (PlacedMessage | null)[] {
  if (turn.keysDigest !== keysDigest(write)) throw otherContent(`turn "${write.turnKey}"`, conversation);
  return write.messages.map((message) => {
    for (let version = 1; ; version++) {
      const key = versionKey(message.key, version);
      const record = known.get(key);
      if (record === undefined && version === 1 && key.startsWith(CONTENT_KEY_PREFIX)) return null;
      if (record !== undefined && hasContent(record, message))
        return { key, seq: record.seq, existed: true, erased: record.salt === null };
      if (record === undefined || write.onOtherContent === "refuse")
        throw otherContent(`turn "${write.turnKey}"`, conversation);
    }
  });
}

/** Messages of a turn whose keys went with their content. */
async function findErased(
  transaction: Transaction,
  scope: Scope,
  conversationId: number,
  turn: StoredTurn,
): Promise<number[]> {
  const rows = await transaction.rows<{ seq: number }>(
    `SELECT seq FROM messages WHERE tenant = $1 AND conversation_id = $2 AND seq >= $3 AND seq < $4
       AND message_key = 'erased:' || seq ORDER BY seq`,
    scope.tenant,
    conversationId,
    turn.firstSeq,
    turn.firstSeq + turn.messageCount,
  );
  return rows.map((row) => row.seq);
}
