/**
 * Decides, without touching the database, where each message of an append ends up: new at the end of the
 * chain, the one that is on record under its key, or another version of it.
 */
import { PalimpsestError } from "../../errors.ts";
import type { ExclusionReason } from "../../types.ts";
import { digestContent, sealMessage, turnKeysDigest, versionKey } from "../seal.ts";
import type { AppendWrite, NewMessage, PlacedMessage } from "../store.ts";
import type { KnownMessage, SealedMessage } from "./messages.ts";

/** The end of a conversation's chain. */
export interface Head {
  readonly lastSeq: number;
  readonly tokens: number;
  readonly hash: string;
}

export interface Placement {
  readonly placed: readonly PlacedMessage[];
  readonly fresh: readonly SealedMessage[];
  readonly head: Head;
  /** Known messages that are off the active path of their transcript now, and ones that are back on it. */
  readonly leave: ReadonlyMap<number, ExclusionReason>;
  readonly enter: readonly number[];
}

/** What is on record under the keys that an append may meet. */
export type KnownByKey = Map<string, KnownMessage>;

export function placeMessages(
  conversation: string,
  head: Head,
  write: AppendWrite,
  known: KnownByKey,
): Placement {
  const records = afterLeaving(known, write.leaveContext);
  const fresh: SealedMessage[] = [];
  const branches = new Map<number, boolean>();
  let end = head;
  let { afterSeq } = write;
  const placed = write.messages.map((message): PlacedMessage => {
    const { key, version, record } = findPlace(conversation, write, message, records, afterSeq ?? 0);
    const sealed = record ?? append(end, key, message);
    // The order of the messages on record becomes that of the transcript, once it differs.
    if (version > 1 || afterSeq !== null) afterSeq = Math.max(afterSeq ?? 0, sealed.seq);
    if (!("hash" in sealed)) {
      if (write.onOtherContent === "branch") branches.set(sealed.seq, message.excluded === "branch");
      return { key, seq: sealed.seq, existed: true, erased: sealed.salt === null };
    }
    end = { lastSeq: sealed.seq, tokens: end.tokens + message.tokenCount, hash: sealed.hash };
    fresh.push(sealed);
    records.set(key, toKnown(sealed));
    return { key, seq: sealed.seq, existed: false, erased: false };
  });
  return { placed, fresh, head: end, ...branchMoves(records, branches) };
}

/** Messages that leave the context do so before the new ones are placed. */
function afterLeaving(known: KnownByKey, leaving: AppendWrite["leaveContext"]): KnownByKey {
  const reasons = new Map(leaving.map(({ seq, reason }) => [seq, reason]));
  const records: KnownByKey = new Map();
  for (const [key, record] of known) {
    const reason = record.reason ?? reasons.get(record.seq) ?? null;
    records.set(key, { ...record, reason });
  }
  return records;
}

/** The record that a message is taken for, with its key, or the first key that is free for it. */
function findPlace(
  conversation: string,
  write: AppendWrite,
  message: NewMessage,
  records: KnownByKey,
  afterSeq: number,
): Place {
  let erased: Place | null = null;
  let isOnRecord = false;
  for (let version = 1; ; version++) {
    const key = versionKey(message.key, version);
    const record = records.get(key);
    if (record === undefined) return isOnRecord || erased === null ? { key, version, record } : erased;
    if (record.salt === null) erased ??= { key, version, record };
    else if (hasContent(record, message)) {
      if (record.seq > afterSeq) return { key, version, record };
      // Words that are on record are not the erased ones: they are only said in another place now.
      isOnRecord = true;
    }
    if (write.onOtherContent === "branch") continue;
    if (erased !== null) return erased;
    throw otherContent(`message "${message.key}"`, conversation);
  }
}

interface Place {
  readonly key: string;
  readonly version: number;
  readonly record: KnownMessage | undefined;
}

function append(end: Head, key: string, message: NewMessage): SealedMessage {
  const seq = end.lastSeq + 1;
  const files = message.files.map((file) => ({ ...file, createdAt: message.createdAt }));
  return { ...message, ...sealMessage(end.hash, seq, message), key, seq, files, erasedAt: null };
}

/** A repetition inside one write meets the message as if it had been written before. */
function toKnown(sealed: SealedMessage): KnownMessage {
  const { seq, key, salt, digest, excluded } = sealed;
  return { seq, message_key: key, salt, digest, reason: excluded };
}

/** Whether what is on record under a key is what came now. What was erased cannot be compared and counts as the same. */
export function hasContent(known: KnownMessage, message: NewMessage): boolean {
  return known.salt === null || digestContent(known.salt, message.content) === known.digest;
}

/** Messages change sides only between the context and a branch; other reasons to be out are left alone. */
function branchMoves(records: KnownByKey, branches: ReadonlyMap<number, boolean>) {
  const leave = new Map<number, ExclusionReason>();
  const enter: number[] = [];
  for (const { seq, reason } of records.values()) {
    const isOffPath = branches.get(seq);
    if (isOffPath === true && reason === null) leave.set(seq, "branch");
    if (isOffPath === false && reason === "branch") enter.push(seq);
  }
  return { leave, enter };
}

export function keysDigest(write: AppendWrite): string {
  return turnKeysDigest(write.messages.map((message) => message.key));
}

export function otherContent(what: string, conversation: string): PalimpsestError {
  return new PalimpsestError(
    "conflict",
    `${what} is already on record in ${conversation} with other content`,
    {
      advice: "A key identifies one thing: use a new key for other content. Nothing was written.",
    },
  );
}
