/** Adds messages at the end of a conversation, with everything that belongs to the same moment. */
import { PalimpsestError } from "../../errors.ts";
import type { Scope } from "../../types.ts";
import { placedInOrder } from "../placed-in-order.ts";
import { sealMessage, turnKeysDigest, versionKey } from "../seal.ts";
import type { AppendWrite, NewMessage, PlacedMessage, WriteResult } from "../store.ts";
import { requireBasis } from "../transcript-basis.ts";
import { withoutErasedHashes } from "../without-erased-hashes.ts";
import { enterContext, leaveContext, setBranch } from "./context-items.ts";
import {
  type ConversationRow,
  openConversation,
  requireConversation,
  toConversation,
} from "./conversations.ts";
import type { Database } from "./database.ts";
import { findByKey, hasContent, insertMessage } from "./messages.ts";
import { insertReceipt } from "./receipts.ts";
import { replayTurn } from "./replay-turn.ts";
import { bytes, hex } from "./rows.ts";
import { readBasis, writeTranscript } from "./transcripts.ts";
import { findTurn, insertTurn } from "./turns.ts";

type AppendResult = Extract<WriteResult, { kind: "append" }>;

/** A message on record under a version of the key that comes. */
interface Known {
  readonly key: string;
  readonly version: number;
  readonly seq: number;
  readonly erased: boolean;
}

/** What an append changes on the conversation's row, gathered while messages are placed. */
interface Head {
  readonly conversation: ConversationRow;
  afterSeq: number | null;
  lastSeq: number;
  tokens: number;
  hash: string;
  /** Items that join the context, and their tokens. */
  items: number;
  itemTokens: number;
  itemStubTokens: number;
}

export function append(database: Database, scope: Scope, write: AppendWrite): AppendResult {
  const { row, created } = openConversation(database, scope, write);
  const turn = write.turnKey === null ? undefined : findTurn(database, row.conversation_id, write.turnKey);
  if (turn !== undefined) {
    const messages = replayTurn(database, row, write, turn);
    return { kind: "append", conversation: toConversation(row), created, status: "duplicate", messages };
  }
  if (write.transcript !== null) {
    const { plannedFrom } = write.transcript;
    requireBasis(plannedFrom, readBasis(database, row.conversation_id, plannedFrom), row.uid);
  }
  const head: Head = {
    conversation: row,
    afterSeq: write.afterSeq,
    lastSeq: row.last_seq,
    tokens: row.token_count,
    hash: hex(row.head_hash),
    items: 0,
    itemTokens: 0,
    itemStubTokens: 0,
  };
  for (const { seq, reason } of write.leaveContext) leaveContext(database, row.conversation_id, seq, reason);
  const placed = write.messages.map((message) => place(database, head, write, message));
  if (write.turnKey !== null)
    insertTurn(database, row.conversation_id, {
      key: write.turnKey,
      keysDigest: turnKeysDigest(write.messages.map((message) => message.key)),
      firstSeq: placed[0]?.seq ?? head.lastSeq,
      messageCount: placed.length,
    });
  const firstNew = placed.find((message) => !message.existed);
  if (write.receipt !== null && firstNew !== undefined)
    insertReceipt(database, row.conversation_id, {
      firstSeq: firstNew.seq,
      at: write.at,
      content: write.receipt,
    });
  for (const seq of write.enterContext) enterContext(database, row.conversation_id, seq);
  if (write.transcript !== null) {
    const transcript = withoutErasedHashes(write.transcript, write, placed);
    const placeOf = placedInOrder(write, placed);
    const seqOf = (key: string) => placeOf(key)?.seq ?? null;
    writeTranscript(database, row.conversation_id, transcript, seqOf, write.at);
  }
  updateHead(database, head, write.at);
  return {
    kind: "append",
    conversation: toConversation(requireConversation(database, scope, row.uid)),
    created,
    status: isReplay(write, placed) ? "duplicate" : "committed",
    messages: placed,
  };
}

function isReplay(write: AppendWrite, placed: readonly PlacedMessage[]): boolean {
  return write.turnKey === null && placed.length > 0 && placed.every((message) => message.existed);
}

function place(database: Database, head: Head, write: AppendWrite, message: NewMessage): PlacedMessage {
  let erased: Known | null = null;
  let isOnRecord = false;
  for (let version = 1; ; version++) {
    const key = versionKey(message.key, version);
    if ((erased === null || isOnRecord) && insertNext(database, head, message, key)) {
      keepOrder(head, version, head.lastSeq);
      return { key, seq: head.lastSeq, existed: false, erased: false };
    }
    const known = findByKey(database, head.conversation.conversation_id, key);
    if (known === undefined) return take(database, head, write, message, erased);
    const found: Known = { key, version, seq: known.seq, erased: known.salt === null };
    if (found.erased) erased ??= found;
    else if (hasContent(known, message)) {
      if (known.seq > (head.afterSeq ?? 0)) return take(database, head, write, message, found);
      // Words that are on record are not the erased ones: they are only said in another place now.
      isOnRecord = true;
    }
    if (write.onOtherContent === "branch") continue;
    if (erased !== null) return take(database, head, write, message, erased);
    throw otherContent(head, message);
  }
}

/** Adds the message at the end. False when its key is taken. */
function insertNext(database: Database, head: Head, message: NewMessage, key: string): boolean {
  const seq = head.lastSeq + 1;
  const sealed = sealMessage(head.hash, seq, message);
  if (!insertMessage(database, head.conversation.conversation_id, { ...message, ...sealed, key, seq }))
    return false;
  head.lastSeq = seq;
  head.hash = sealed.hash;
  head.tokens += message.tokenCount;
  if (message.excluded === null) {
    head.items++;
    head.itemTokens += message.tokenCount;
    head.itemStubTokens += message.stubTokenCount ?? message.tokenCount;
  }
  return true;
}

/** Takes a message on record for the one that came. */
function take(
  database: Database,
  head: Head,
  write: AppendWrite,
  message: NewMessage,
  known: Known | null,
): PlacedMessage {
  if (known === null) throw new Error(`the key of message "${message.key}" is neither free nor taken`);
  const { key, version, seq, erased } = known;
  keepOrder(head, version, seq);
  if (write.onOtherContent === "branch")
    setBranch(database, head.conversation.conversation_id, seq, message.excluded === "branch");
  return { key, seq, existed: true, erased };
}

function otherContent(head: Head, message: NewMessage): PalimpsestError {
  return new PalimpsestError(
    "conflict",
    `message "${message.key}" is already on record in ${head.conversation.uid} with other content`,
    { advice: "A message key identifies one message: use a new key for other content. Nothing was written." },
  );
}

function keepOrder(head: Head, version: number, seq: number): void {
  if (version > 1 || head.afterSeq !== null) head.afterSeq = Math.max(head.afterSeq ?? 0, seq);
}

function updateHead(database: Database, head: Head, at: string): void {
  database.run(
    `UPDATE conversations SET last_seq = ?, token_count = ?, head_hash = ?, updated_at = ?,
       context_items = context_items + ?, context_tokens = context_tokens + ?,
       context_stub_tokens = context_stub_tokens + ? WHERE conversation_id = ?`,
    head.lastSeq,
    head.tokens,
    bytes(head.hash),
    at,
    head.items,
    head.itemTokens,
    head.itemStubTokens,
    head.conversation.conversation_id,
  );
}
