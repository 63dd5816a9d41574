/**
 * Adds messages at the end of a conversation, with everything that belongs to the same moment. Two round
 * trips: one that locks the conversation and reads what the decision needs, one that writes and commits.
 */
import type { ExclusionReason, Scope } from "../../types.ts";
import type { AppendWrite, PlacedMessage, WriteResult } from "../store.ts";
import { requireBasis } from "../transcript-basis.ts";
import {
  type Counts,
  contextItemOf,
  countItems,
  insertContextItems,
  insertExclusions,
} from "./context-items.ts";
import { type ConversationRow, nameSession, toConversation, updateHead } from "./conversations.ts";
import { insertParts } from "./message-parts.ts";
import { insertMessages, type SealedMessage } from "./messages.ts";
import { enterContext, leaveContext } from "./move-messages.ts";
import { openForAppend } from "./open-for-append.ts";
import { keysDigest, type Placement, placeMessages } from "./place-messages.ts";
import { insertReceipts } from "./receipts.ts";
import { replayTurn } from "./replay-turn.ts";
import type { Transaction } from "./transaction.ts";
import { insertTurns } from "./turns.ts";
import { writeTranscript } from "./write-transcript.ts";

type AppendResult = Extract<WriteResult, { kind: "append" }>;

export async function append(
  transaction: Transaction,
  scope: Scope,
  write: AppendWrite,
): Promise<AppendResult> {
  const { row, known, turn, basis, created } = await openForAppend(transaction, scope, write);
  const named = nameSession(transaction, scope, row, write.address);
  if (turn !== undefined) {
    const messages = await replayTurn(transaction, scope, row, write, turn, known);
    return { kind: "append", conversation: toConversation(named), created, status: "duplicate", messages };
  }
  if (write.transcript !== null && basis !== null) requireBasis(write.transcript.plannedFrom, basis, row.uid);
  const head = { lastSeq: row.last_seq, tokens: row.token_count, hash: row.head_hash };
  const placement = placeMessages(row.uid, head, write, known);
  const changed = await writeAppend(transaction, scope, named, write, placement);
  return {
    kind: "append",
    conversation: toConversation(changed),
    created,
    status: isRepetition(write, placement.placed) ? "duplicate" : "committed",
    messages: placement.placed,
  };
}

function isRepetition(write: AppendWrite, placed: readonly PlacedMessage[]): boolean {
  return write.turnKey === null && placed.length > 0 && placed.every((message) => message.existed);
}

async function writeAppend(
  transaction: Transaction,
  scope: Scope,
  row: ConversationRow,
  write: AppendWrite,
  placement: Placement,
): Promise<ConversationRow> {
  const id = row.conversation_id;
  const { placed, head } = placement;
  const joined = await writeFresh(transaction, scope, id, placement.fresh);
  if (write.turnKey !== null)
    insertTurns(transaction, scope, id, [
      {
        key: write.turnKey,
        keysDigest: keysDigest(write),
        firstSeq: placed[0]?.seq ?? head.lastSeq,
        messageCount: placed.length,
      },
    ]);
  const [firstNew] = placement.fresh;
  if (write.receipt !== null && firstNew !== undefined)
    insertReceipts(transaction, scope, id, [
      { firstSeq: firstNew.seq, at: write.at, content: write.receipt },
    ]);
  const leaving = new Map(placement.leave);
  for (const { seq, reason } of write.leaveContext) leaving.set(seq, reason);
  const entering = [...placement.enter, ...write.enterContext];
  await leaveContext(transaction, scope, row, leaving);
  await enterContext(transaction, scope, row, entering);
  writeTranscript(transaction, scope, id, write, placed);
  const changed: ConversationRow = {
    ...row,
    last_seq: head.lastSeq,
    token_count: head.tokens,
    head_hash: head.hash,
    context_items: row.context_items + joined.items,
    context_tokens: row.context_tokens + joined.tokens,
    context_stub_tokens: row.context_stub_tokens + joined.stubTokens,
    updated_at: write.at,
  };
  const counters = updateHead(transaction, scope, changed, joined);
  // Who only adds messages knows the counters, and need not wait for them.
  return leaving.size + entering.length === 0 ? changed : { ...changed, ...(await counters) };
}

/** Answers with what joined the context. */
async function writeFresh(
  transaction: Transaction,
  scope: Scope,
  conversationId: number,
  fresh: readonly SealedMessage[],
): Promise<Counts> {
  await insertMessages(transaction, scope, conversationId, fresh);
  insertParts(transaction, scope, conversationId, fresh);
  const included = fresh.filter((message) => message.excluded === null);
  insertContextItems(transaction, scope, conversationId, included.map(contextItemOf));
  const excluded = fresh.flatMap(({ seq, excluded }): [number, ExclusionReason][] =>
    excluded === null ? [] : [[seq, excluded]],
  );
  insertExclusions(transaction, scope, conversationId, new Map(excluded));
  return countItems(included);
}
