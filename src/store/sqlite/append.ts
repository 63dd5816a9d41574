/** Adds messages at the end of a conversation, with everything that belongs to the same moment. */
import { PalimpsestError } from "../../errors.ts";
import type { Scope } from "../../types.ts";
import { sealMessage, turnKeysDigest, versionKey } from "../seal.ts";
import { seqsInOrder } from "../seqs-in-order.ts";
import type { AppendWrite, NewMessage, WriteResult } from "../store.ts";
import { requireBasis } from "../transcript-basis.ts";
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
type Placed = AppendResult["messages"][number];

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
  if (write.transcript !== null)
    writeTranscript(database, row.conversation_id, write.transcript, seqsInOrder(write, placed), write.at);
  updateHead(database, head, write.at);
  return {
    kind: "append",
    conversation: toConversation(requireConversation(database, scope, row.uid)),
    created,
    status: isReplay(write, placed) ? "duplicate" : "committed",
    messages: placed,
  };
}

function isReplay(write: AppendWrite, placed: readonly Placed[]): boolean {
  return write.turnKey === null && placed.length > 0 && placed.every((message) => message.existed);
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
      if (message.excluded === null) {
        head.items++;
        head.itemTokens += message.tokenCount;
      }
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

function updateHead(database: Database, head: Head, at: string): void {
  database.run(
    `UPDATE conversations SET last_seq = ?, token_count = ?, head_hash = ?, updated_at = ?,
       context_items = context_items + ?, context_tokens = context_tokens + ? WHERE conversation_id = ?`,
    head.lastSeq,
    head.tokens,
    bytes(head.hash),
    at,
    head.items,
    head.itemTokens,
    head.conversation.conversation_id,
  );
}
