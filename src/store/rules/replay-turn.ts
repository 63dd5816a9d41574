/** Recognises a repeated turn. */
import { CONTENT_KEY_PREFIX, versionKey } from "../seal.ts";
import type { AppendWrite, PlacedMessage, StoredTurn } from "../store.ts";
import { hasContent, type KnownByKey, keysDigest, otherContent } from "./place-messages.ts";

/** Replaces the digest of a turn's keys after they revealed erased content. */
export const FORGOTTEN_KEYS = "00".repeat(32);

/**
 * The places of the messages of a stored turn, or an error if it was another turn. If the turn contains a message that is
 * missing, that message was erased together with its key: its place is null here.
 */
export function replayTurn(
  conversation: string,
  write: AppendWrite,
  turn: StoredTurn,
  known: KnownByKey,
): readonly (PlacedMessage | null)[] {
  if (turn.keysDigest !== FORGOTTEN_KEYS && turn.keysDigest !== keysDigest(write))
    throw otherContent(`turn "${write.turnKey}"`, conversation);
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

/** Inserts the turn's erased messages, in order, where no message was found. */
export function fillErased(
  placed: readonly (PlacedMessage | null)[],
  turn: StoredTurn,
  erased: readonly number[],
): PlacedMessage[] {
  const left = [...erased];
  return placed.map((message, index) => {
    if (message !== null) return message;
    const seq = left.shift() ?? turn.firstSeq + index;
    return { key: `erased:${seq}`, seq, existed: true, erased: true };
  });
}
