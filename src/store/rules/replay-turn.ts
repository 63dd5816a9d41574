/** Recognises a turn that comes again. */
import { CONTENT_KEY_PREFIX, versionKey } from "../seal.ts";
import type { AppendWrite, PlacedMessage, StoredTurn } from "../store.ts";
import { hasContent, type KnownByKey, keysDigest, otherContent } from "./place-messages.ts";

/** In the place of the digest of a turn's keys, once these told something that was erased. */
export const FORGOTTEN_KEYS = "00".repeat(32);

/**
 * Where the messages of a turn on record are, or an error when that was another turn. A message that is missing although
 * the turn has it was erased, and its key with it: its place is null here.
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

/** Puts erased messages of the turn, in order, where none was found. */
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
