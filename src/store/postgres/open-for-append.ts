/**
 * The first round trip of an append: finds, locks or creates the conversation, and reads what is on record
 * under the keys of the write.
 */
import { PalimpsestError } from "../../errors.ts";
import type { Scope } from "../../types.ts";
import { versionKey } from "../seal.ts";
import type { AppendWrite, StoredTurn, TranscriptBasis } from "../store.ts";
import {
  type ConversationRow,
  conversationNotFound,
  createConversation,
  lockConversation,
} from "./conversations.ts";
import { findByKeys } from "./messages.ts";
import { hasContent, type KnownByKey } from "./place-messages.ts";
import type { Transaction } from "./transaction.ts";
import { readBasis } from "./transcripts.ts";
import { findTurn } from "./turns.ts";

export interface OpenedConversation {
  readonly row: ConversationRow;
  readonly known: KnownByKey;
  readonly turn: StoredTurn | undefined;
  /** Null when the write brings nothing of a transcript. */
  readonly basis: TranscriptBasis | null;
  readonly created: boolean;
}

const CREATE_ATTEMPTS = 3;

export async function openForAppend(
  transaction: Transaction,
  scope: Scope,
  write: AppendWrite,
): Promise<OpenedConversation> {
  const opened = (await lockAndRead(transaction, scope, write)) ?? (await create(transaction, scope, write));
  if (write.onOtherContent === "branch") await readVersions(transaction, scope, write, opened.known);
  return opened;
}

async function create(
  transaction: Transaction,
  scope: Scope,
  write: AppendWrite,
): Promise<OpenedConversation> {
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
): Promise<OpenedConversation | undefined> {
  const keys = write.messages.map((message) => message.key);
  const [row, known, turn, basis] = await Promise.all([
    lockConversation(transaction, scope, write.address),
    findByKeys(transaction, scope, keys),
    findTurn(transaction, scope, write.turnKey),
    write.transcript === null ? null : readBasis(transaction, scope, write.transcript.plannedFrom),
  ]);
  if (row === undefined) return undefined;
  return {
    row,
    known: new Map(known.map((message) => [message.message_key, message])),
    turn,
    basis,
    created: false,
  };
}

/** Reads the further versions of keys that may need one, until a version of each is free. */
async function readVersions(
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
    // Of what was erased another version may have the content.
    ordered ||= record !== undefined && (record.salt === null || !hasContent(record, message));
  }
  return [...seen].filter((key) => repeated.has(key) || ((ordered || repeated.size > 0) && known.has(key)));
}
