/**
 * Adds messages at the end of a conversation, with everything that belongs to the same moment. Two round
 * trips: one that locks the conversation and reads what the decision needs, one that writes and commits.
 */
import { PalimpsestError } from "../../errors.ts";
import type { ExclusionReason, Scope } from "../../types.ts";
import { versionKey } from "../seal.ts";
import type { AppendWrite, StoredTurn, WriteResult } from "../store.ts";
import {
  type Counts,
  contextItemOf,
  countItems,
  insertContextItems,
  insertExclusions,
} from "./context-items.ts";
import {
  type ConversationRow,
  conversationNotFound,
  createConversation,
  lockConversation,
  nameSession,
  toConversation,
  updateHead,
} from "./conversations.ts";
import { insertParts } from "./message-parts.ts";
import { findByKeys, insertMessages, type SealedMessage } from "./messages.ts";
import { enterContext, leaveContext } from "./move-messages.ts";
import {
  hasContent,
  type KnownByKey,
  keysDigest,
  type Placed,
  type Placement,
  placeMessages,
  replayTurn,
} from "./place-messages.ts";
import type { Transaction } from "./transaction.ts";
import { findTurn, insertTurns } from "./turns.ts";
import { writeTranscript } from "./write-transcript.ts";

type AppendResult = Extract<WriteResult, { kind: "append" }>;

/** The locked conversation and what is on record under the keys of the write. */
interface Opened {
  readonly row: ConversationRow;
  readonly known: KnownByKey;
  readonly turn: StoredTurn | undefined;
  readonly created: boolean;
}

const CREATE_ATTEMPTS = 3;

export async function append(
  transaction: Transaction,
  scope: Scope,
  write: AppendWrite,
): Promise<AppendResult> {
  const { row, known, turn, created } = await open(transaction, scope, write);
  if (write.onOtherContent === "branch") await findVersions(transaction, scope, write, known);
  const named = nameSession(transaction, scope, row, write.address);
  if (turn !== undefined) {
    const messages = await replay(transaction, scope, row, write, turn, known);
    return { kind: "append", conversation: toConversation(named), created, status: "duplicate", messages };
  }
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

function isRepetition(write: AppendWrite, placed: readonly Placed[]): boolean {
  return write.turnKey === null && placed.length > 0 && placed.every((message) => message.existed);
}

async function open(transaction: Transaction, scope: Scope, write: AppendWrite): Promise<Opened> {
  const found = await lockAndRead(transaction, scope, write);
  if (found !== undefined) return found;
  if (write.create === null || "id" in write.address) throw conversationNotFound(write.address);
  for (let attempt = 1; attempt <= CREATE_ATTEMPTS; attempt++) {
    const [inserted, opened] = await Promise.all([
      createConversation(transaction, scope, write.address, write.create, write.at),
      lockAndRead(transaction, scope, write),
    ]);
    if (opened !== undefined) return { ...opened, created: inserted === 1 };
  }
  throw new PalimpsestError("conflict", `${write.create.id} is on record for another agent or session`, {
    advice: "Create the conversation under another id. Nothing was written.",
  });
}

/** Statements that are sent together: each sees what was committed before the lock was granted. */
async function lockAndRead(
  transaction: Transaction,
  scope: Scope,
  write: AppendWrite,
): Promise<Opened | undefined> {
  const keys = write.messages.map((message) => message.key);
  const [row, known, turn] = await Promise.all([
    lockConversation(transaction, scope, write.address),
    findByKeys(transaction, scope, keys),
    findTurn(transaction, scope, write.turnKey),
  ]);
  if (row === undefined) return undefined;
  return {
    row,
    known: new Map(known.map((message) => [message.message_key, message])),
    turn,
    created: false,
  };
}

/** Reads the further versions of keys that may need one, until a version of each is free. */
async function findVersions(
  transaction: Transaction,
  scope: Scope,
  write: AppendWrite,
  known: KnownByKey,
): Promise<void> {
  let keys = keysWithVersions(write, known);
  for (let first = 2; keys.length > 0; first *= 2) {
    const versions = Array.from({ length: first }, (_, index) => first + index);
    const wanted = keys.flatMap((key) => versions.map((version) => versionKey(key, version)));
    for (const message of await findByKeys(transaction, scope, wanted))
      known.set(message.message_key, message);
    keys = keys.filter((key) => known.has(versionKey(key, 2 * first - 1)));
  }
}

/**
 * Once one message needs another version, or order is to be kept, any key that is on record may need one; and
 * so may keys that come more than once in this write.
 */
function keysWithVersions(write: AppendWrite, known: KnownByKey): string[] {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  let ordered = write.afterSeq !== null;
  for (const message of write.messages) {
    if (seen.has(message.key)) repeated.add(message.key);
    seen.add(message.key);
    const record = known.get(message.key);
    ordered ||= record !== undefined && !hasContent(record, message);
  }
  return [...seen].filter((key) => repeated.has(key) || ((ordered || repeated.size > 0) && known.has(key)));
}

async function replay(
  transaction: Transaction,
  scope: Scope,
  row: ConversationRow,
  write: AppendWrite,
  turn: StoredTurn,
  known: KnownByKey,
): Promise<Placed[]> {
  const placed = replayTurn(row.uid, write, turn, known);
  if (!placed.includes(null)) return placed.filter((message) => message !== null);
  const erased = await findErased(transaction, scope, row.conversation_id, turn);
  return placed.map((message, index) => {
    if (message !== null) return message;
    const seq = erased.shift() ?? turn.firstSeq + index;
    return { key: `erased:${seq}`, seq, existed: true };
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

async function writeAppend(
  transaction: Transaction,
  scope: Scope,
  row: ConversationRow,
  write: AppendWrite,
  placement: Placement,
): Promise<ConversationRow> {
  const id = row.conversation_id;
  const { placed, head } = placement;
  const joined = writeFresh(transaction, scope, id, placement.fresh);
  if (write.turnKey !== null)
    insertTurns(transaction, scope, id, [
      {
        key: write.turnKey,
        keysDigest: keysDigest(write),
        firstSeq: placed[0]?.seq ?? head.lastSeq,
        messageCount: placed.length,
      },
    ]);
  const leaving = new Map(placement.leave);
  for (const { seq, reason } of write.leaveContext) leaving.set(seq, reason);
  const entering = [...placement.enter, ...write.enterContext];
  await leaveContext(transaction, scope, row, leaving);
  enterContext(transaction, scope, id, entering);
  writeTranscript(transaction, scope, id, write, placed);
  const changed: ConversationRow = {
    ...row,
    last_seq: head.lastSeq,
    token_count: head.tokens,
    head_hash: head.hash,
    context_items: row.context_items + joined.items,
    context_tokens: row.context_tokens + joined.tokens,
    updated_at: write.at,
  };
  const counters = updateHead(transaction, scope, changed, joined);
  // Who only adds messages knows the counters, and need not wait for them.
  return leaving.size + entering.length === 0 ? changed : { ...changed, ...(await counters) };
}

/** Answers with what joined the context. */
function writeFresh(
  transaction: Transaction,
  scope: Scope,
  conversationId: number,
  fresh: readonly SealedMessage[],
): Counts {
  insertMessages(transaction, scope, conversationId, fresh);
  insertParts(transaction, scope, conversationId, fresh);
  const included = fresh.filter((message) => message.excluded === null);
  insertContextItems(transaction, scope, conversationId, included.map(contextItemOf));
  const excluded = fresh.flatMap(({ seq, excluded }): [number, ExclusionReason][] =>
    excluded === null ? [] : [[seq, excluded]],
  );
  insertExclusions(transaction, scope, conversationId, new Map(excluded));
  return countItems(included);
}
