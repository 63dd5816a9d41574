/** Adds messages at the end of a conversation, with everything that belongs to the same moment. */
import { PalimpsestError } from "../../errors.ts";
import type { Scope } from "../../types.ts";
import { digestContent, sealMessage, turnKeysDigest, versionKey } from "../seal.ts";
import { seqsInOrder } from "../seqs-in-order.ts";
import type { AppendWrite, NewMessage, WriteResult } from "../store.ts";
import { requireBasis } from "../transcript-basis.ts";
import { enterContext, leaveContext, setBranch } from "./context-items.ts";
import { type ConversationRow, openConversation, toConversation } from "./conversations.ts";
import type { Database } from "./database.ts";
import { findByKey, insertMessage, type KnownMessage } from "./messages.ts";
import { bytes, hex } from "./rows.ts";
import { readBasis, writeTranscript } from "./transcripts.ts";
import { findTurn, insertTurn } from "./turns.ts";

type AppendResult = Extract<WriteResult, { kind: "append" }>;
type Placed = AppendResult["messages"][number];

/** What an append changes on the conversation's row, gathered while messages are placed. */
interface Head {
  readonly conversation: ConversationRow;
  afterSeq: number | null;
  lastSeq: number;
  tokens: number;
  hash: string;
}

export function append(database: Database, scope: Scope, write: AppendWrite): AppendResult {
  const { row, created } = openConversation(database, scope, write);
  const replayed = findReplay(database, row, write);
  if (replayed !== undefined)
    return {
      kind: "append",
      conversation: toConversation(row),
      created: false,
      status: "duplicate",
      messages: replayed,
    };
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
  };
  for (const { seq, reason } of write.leaveContext) leaveContext(database, row.conversation_id, seq, reason);
  const placed = write.messages.map((message) => place(database, head, write, message));
  if (write.turnKey !== null)
    insertTurn(database, row.conversation_id, {
      key: write.turnKey,
      keysDigest: keysDigest(write),
      firstSeq: placed[0]?.seq ?? head.lastSeq,
      messageCount: placed.length,
    });
  for (const seq of write.enterContext) enterContext(database, row.conversation_id, seq);
  if (write.transcript !== null)
    writeTranscript(database, row.conversation_id, write.transcript, seqsInOrder(write, placed), write.at);
  return {
    kind: "append",
    conversation: toConversation(updateHead(database, head, write.at)),
    created,
    status: isReplay(write, placed) ? "duplicate" : "committed",
    messages: placed,
  };
}

function isReplay(write: AppendWrite, placed: readonly Placed[]): boolean {
  return write.turnKey === null && placed.length > 0 && placed.every((message) => message.existed);
}

function keysDigest(write: AppendWrite): string {
  return turnKeysDigest(write.messages.map((message) => message.key));
}

/** The messages of a turn that is on record under this key, if it is the same turn. */
function findReplay(database: Database, row: ConversationRow, write: AppendWrite): Placed[] | undefined {
  if (write.turnKey === null) return undefined;
  const turn = findTurn(database, row.conversation_id, write.turnKey);
  if (turn === undefined) return undefined;
  const placed: Placed[] = [];
  for (const message of write.messages) {
    const known = findByKey(database, row.conversation_id, message.key);
    if (known !== undefined && hasContent(known, message))
      placed.push({ key: message.key, seq: known.seq, existed: true });
  }
  if (turn.keysDigest !== keysDigest(write) || placed.length !== write.messages.length)
    throw new PalimpsestError(
      "conflict",
      `turn "${write.turnKey}" is already on record in ${row.uid} with other content`,
      { advice: "A turn key identifies one turn: use a new key for a new turn. Nothing was written." },
    );
  return placed;
}

function place(database: Database, head: Head, write: AppendWrite, message: NewMessage): Placed {
  for (let version = 1; ; version++) {
    const key = versionKey(message.key, version);
    const seq = head.lastSeq + 1;
    const sealed = sealMessage(head.hash, seq, message);
    if (insertMessage(database, head.conversation.conversation_id, { ...message, ...sealed, key, seq })) {
      head.lastSeq = seq;
      head.hash = sealed.hash;
      head.tokens += message.tokenCount;
      keepOrder(head, version, seq);
      return { key, seq, existed: false };
    }
    const known = findByKey(database, head.conversation.conversation_id, key);
    if (known !== undefined && known.seq > (head.afterSeq ?? 0) && hasContent(known, message)) {
      keepOrder(head, version, known.seq);
      if (write.onOtherContent === "branch")
        setBranch(database, head.conversation.conversation_id, known.seq, message.excluded === "branch");
      return { key, seq: known.seq, existed: true };
    }
    if (write.onOtherContent === "refuse")
      throw new PalimpsestError(
        "conflict",
        `message "${message.key}" is already on record in ${head.conversation.uid} with other content`,
        {
          advice:
            "A message key identifies one message: use a new key for other content. Nothing was written.",
        },
      );
  }
}

function keepOrder(head: Head, version: number, seq: number): void {
  if (version > 1 || head.afterSeq !== null) head.afterSeq = Math.max(head.afterSeq ?? 0, seq);
}

/** Whether what is on record under a key is what came now. What was erased cannot be compared and counts as the same. */
function hasContent(known: KnownMessage, message: NewMessage): boolean {
  return known.salt === null || digestContent(hex(known.salt), message.content) === hex(known.digest);
}

function updateHead(database: Database, head: Head, at: string): ConversationRow {
  const { conversation } = head;
  database.run(
    "UPDATE conversations SET last_seq = ?, token_count = ?, head_hash = ?, updated_at = ? WHERE conversation_id = ?",
    head.lastSeq,
    head.tokens,
    bytes(head.hash),
    at,
    conversation.conversation_id,
  );
  return {
    ...conversation,
    last_seq: head.lastSeq,
    token_count: head.tokens,
    head_hash: bytes(head.hash),
    updated_at: at,
  };
}
