/**
 * Decides, without accessing the database, where each message of an append is placed: new at the end of the chain, the stored
 * one under its key, or another version of it.
 */
import { PalimpsestError } from "../../errors.ts";
import { type ExclusionReason, isSaid } from "../../types.ts";
import type { DatedFile } from "../file-store.ts";
import { digestContent, sealMessage, turnKeysDigest, versionKey } from "../seal.ts";
import type { AppendWrite, NewMessage, PlacedMessage } from "../store.ts";
import { ShownRecords } from "./shown-records.ts";

/** The fields of a stored message that are needed to compare it with another one. */
export interface KnownMessage {
  readonly seq: number;
  readonly key: string;
  /** Null once erased. */
  readonly salt: string | null;
  readonly digest: string;
  readonly excluded: ExclusionReason | null;
}

/** A message with its place in the chain, ready to be written. One from a dump may have been erased. */
export interface SealedMessage extends Omit<NewMessage, "salt" | "content" | "files"> {
  readonly seq: number;
  readonly files: readonly DatedFile[];
  readonly content: string | Uint8Array | null;
  readonly erasedAt: string | null;
  readonly salt: string | null;
  readonly digest: string;
  readonly hash: string;
}

/** The end of a conversation's chain. */
interface Head {
  readonly lastSeq: number;
  readonly tokens: number;
  readonly hash: string;
}

export interface Placement {
  readonly placed: readonly PlacedMessage[];
  readonly fresh: readonly SealedMessage[];
  readonly head: Head;
  /** Known messages that leave the active path of their transcript, and ones that return to it. */
  readonly leave: ReadonlyMap<number, ExclusionReason>;
  readonly enter: readonly number[];
}

/** The stored messages under the keys that an append may use. */
export type KnownByKey = ReadonlyMap<string, KnownMessage>;

export function placeMessages(
  conversation: string,
  head: Head,
  write: AppendWrite,
  known: KnownByKey,
  erasedElsewhere: ReadonlySet<NewMessage> = new Set(),
): Placement {
  const records = afterLeaving(known, write.leaveContext);
  const fresh: SealedMessage[] = [];
  const branches = new Map<number, boolean>();
  const shown = new ShownRecords(write.onOtherContent === "same" ? records.values() : []);
  let end = head;
  let { afterSeq } = write;
  const placed = write.messages.map((message): PlacedMessage => {
    refuseTwoContents(message, write, records.get(message.key), head);
    const own = findPlace(conversation, write, message, records, afterSeq ?? 0);
    const { key, version, record } = shownPlace(own, message, shown, afterSeq ?? 0, branches);
    const seq = record?.seq ?? end.lastSeq + 1;
    // Once the order of the stored messages differs, it becomes that of the transcript. Text that nobody said, such as a
    // host's summary of older messages, is never part of the context and has no place in that order.
    const isOrdered = version > 1 || afterSeq !== null;
    if (isOrdered && isSaid(message.excluded)) afterSeq = Math.max(afterSeq ?? 0, seq);
    if (record !== undefined) {
      if (write.onOtherContent !== "refuse") branches.set(seq, message.excluded === "branch");
      return { key, seq, existed: true, erased: record.salt === null };
    }
    const isErased = erasedElsewhere.has(message);
    const sealed = isErased ? asTombstone(seal(end, key, message), write.at) : seal(end, key, message);
    end = { lastSeq: sealed.seq, tokens: end.tokens + message.tokenCount, hash: sealed.hash };
    fresh.push(sealed);
    records.set(key, toKnown(sealed));
    return { key, seq: sealed.seq, existed: false, erased: isErased };
  });
  return { placed, fresh, head: end, ...branchMoves(records, branches) };
}

/** A message after the head was placed by this write: two of its messages have one key. */
function refuseTwoContents(
  message: NewMessage,
  { onOtherContent }: AppendWrite,
  record: KnownMessage | undefined,
  head: Head,
): void {
  if (onOtherContent !== "refuse" || record === undefined || record.seq <= head.lastSeq) return;
  if (hasContent(record, message)) return;
  throw new PalimpsestError(
    "conflict",
    `two messages of this turn have the key "${message.key}" and different content`,
    { advice: "Give each message its own key. Nothing was written." },
  );
}

/** Messages that leave the context do so before the new ones are placed. */
function afterLeaving(known: KnownByKey, leaving: AppendWrite["leaveContext"]): Map<string, KnownMessage> {
  const reasons = new Map(leaving.map(({ seq, reason }) => [seq, reason]));
  const records = new Map<string, KnownMessage>();
  for (const [key, record] of known) {
    const excluded = record.excluded ?? reasons.get(record.seq) ?? null;
    records.set(key, { ...record, excluded });
  }
  return records;
}

/** The stored message that matches, with its key, or the first key that is free for it. */
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
    else if (write.onOtherContent === "same" || hasContent(record, message)) {
      if (record.seq > afterSeq) return { key, version, record };
      // The content is stored, so it is not the erased content: it was only said in another place now.
      isOnRecord = true;
    }
    if (write.onOtherContent !== "refuse") continue;
    if (erased !== null) return erased;
    throw otherContent(`message "${message.key}"`, conversation);
  }
}

/**
 * A message that a host shows may be stored under another key. An erased one stays erased, unless the host's id shows that
 * this is another message.
 */
function shownPlace(
  own: Place,
  { key }: NewMessage,
  shown: ShownRecords,
  afterSeq: number,
  taken: ReadonlyMap<number, boolean>,
): Place {
  if (own.record !== undefined && own.record.salt !== null) return own;
  const other =
    shown.withIdOf(key, afterSeq) ??
    (own.record === undefined ? shown.like(key, afterSeq, taken) : undefined);
  return other === undefined ? own : { key: other.key, version: 1, record: other };
}

interface Place {
  readonly key: string;
  readonly version: number;
  readonly record: KnownMessage | undefined;
}

function seal(end: Head, key: string, message: NewMessage): SealedMessage {
  const seq = end.lastSeq + 1;
  const { createdAt } = message;
  const { digest, hash } = sealMessage(end.hash, seq, message);
  // Field by field, which is faster than spreading, because it runs for every stored message.
  return {
    seq,
    key,
    role: message.role,
    format: message.format,
    content: message.content,
    tokenCount: message.tokenCount,
    stubTokenCount: message.stubTokenCount,
    files: message.files.map((file) => ({ ...file, createdAt })),
    createdAt,
    erasedAt: null,
    salt: message.salt,
    digest,
    hash,
    parts: message.parts,
    excluded: message.excluded,
  };
}

/** The entry was erased in another conversation: it gets a place in the chain, without its content. */
function asTombstone(sealed: SealedMessage, at: string): SealedMessage {
  return {
    ...sealed,
    content: null,
    salt: null,
    stubTokenCount: null,
    files: [],
    parts: sealed.parts.map(({ type }) => ({ type, toolCallId: null, toolName: null, toolStatus: null })),
    erasedAt: at,
    excluded: "erased",
  };
}

/** A repetition within one write is handled as if the message had been stored before. */
function toKnown(sealed: SealedMessage): KnownMessage {
  const { seq, key, salt, digest, excluded } = sealed;
  return { seq, key, salt, digest, excluded };
}

/** Whether the message stored under a key has the incoming content. An erased one cannot be compared and counts as the same. */
export function hasContent(known: KnownMessage, message: NewMessage): boolean {
  return known.salt === null || digestContent(known.salt, message.content) === known.digest;
}

/**
 * Keys whose further versions must be read. Once one message needs another version, or the order must be kept, any stored key
 * may need one; so may keys that occur more than once in this write.
 */
export function keysWithVersions(write: AppendWrite, known: KnownByKey): string[] {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  let ordered = write.afterSeq !== null;
  for (const message of write.messages) {
    if (seen.has(message.key)) repeated.add(message.key);
    seen.add(message.key);
    const record = known.get(message.key);
    // Another version of an erased message may have the content.
    ordered ||= record !== undefined && (record.salt === null || !hasContent(record, message));
  }
  return [...seen].filter((key) => repeated.has(key) || ((ordered || repeated.size > 0) && known.has(key)));
}

/** Messages move only between the context and a branch; those excluded for other reasons stay excluded. */
function branchMoves(records: KnownByKey, branches: ReadonlyMap<number, boolean>) {
  const leave = new Map<number, ExclusionReason>();
  const enter: number[] = [];
  for (const { seq, excluded } of records.values()) {
    const isOffPath = branches.get(seq);
    if (isOffPath === true && excluded === null) leave.set(seq, "branch");
    if (isOffPath === false && excluded === "branch") enter.push(seq);
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
      advice: "A key can have only one content: use a new key for different content. Nothing was written.",
    },
  );
}
