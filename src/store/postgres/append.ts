/**
 * Adds messages at the end of a conversation, with everything that belongs to the same moment. Two round
 * trips: one that locks the conversation and reads what the decision needs, one that writes and commits.
 */
import type { ExclusionReason, Scope } from "../../types.ts";
import type { AppendWrite, WriteResult } from "../store.ts";
import { requireBasis } from "../transcript-basis.ts";
import {
  contextItemOf,
  enterContext,
  insertContextItems,
  insertExclusions,
  leaveContext,
} from "./context-items.ts";
import { type ConversationRow, nameSession, toConversation, updateHead } from "./conversations.ts";
import { insertParts } from "./message-parts.ts";
import { insertMessages, type SealedMessage } from "./messages.ts";
import { openForAppend } from "./open-for-append.ts";
import { keysDigest, type Placed, type Placement, placeMessages } from "./place-messages.ts";
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
  const changed = writeAppend(transaction, scope, named, write, placement);
  return {
    kind: "append",
    conversation: toConversation(changed),
    created,
    status: isRepetition(write, placement.placed) ? "duplicate" : "committed",
    messages: placement.placed,
  };
}

function isRepetition(write: AppendWrite, placed: readonly Placed[]): boolean {
  return write.turnKey === null && placed.length > 0 && placed.every((message) => message.existed);
}

function writeAppend(
  transaction: Transaction,
  scope: Scope,
  row: ConversationRow,
  write: AppendWrite,
  placement: Placement,
): ConversationRow {
  const id = row.conversation_id;
  const { placed, head } = placement;
  writeFresh(transaction, scope, id, placement.fresh);
  if (write.turnKey !== null)
    insertTurns(transaction, scope, id, [
      {
        key: write.turnKey,
        keysDigest: keysDigest(write),
        firstSeq: placed[0]?.seq ?? head.lastSeq,
        messageCount: placed.length,
      },
    ]);
  leaveContext(transaction, scope, id, new Map(write.leaveContext.map(({ seq, reason }) => [seq, reason])));
  leaveContext(transaction, scope, id, placement.leave);
  enterContext(transaction, scope, id, placement.enter);
  enterContext(transaction, scope, id, write.enterContext);
  writeTranscript(transaction, scope, id, write, placed);
  const changed: ConversationRow = {
    ...row,
    last_seq: head.lastSeq,
    token_count: head.tokens,
    head_hash: head.hash,
    updated_at: write.at,
  };
  updateHead(transaction, scope, changed);
  return changed;
}

function writeFresh(
  transaction: Transaction,
  scope: Scope,
  conversationId: number,
  fresh: readonly SealedMessage[],
): void {
  insertMessages(transaction, scope, conversationId, fresh);
  insertParts(transaction, scope, conversationId, fresh);
  const included = fresh.filter((message) => message.excluded === null);
  insertContextItems(
    transaction,
    scope,
    conversationId,
    included.map((message) => contextItemOf(message.seq)),
  );
  const excluded = fresh.flatMap(({ seq, excluded }): [number, ExclusionReason][] =>
    excluded === null ? [] : [[seq, excluded]],
  );
  insertExclusions(transaction, scope, conversationId, new Map(excluded));
}
