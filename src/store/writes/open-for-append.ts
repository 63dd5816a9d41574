/**
 * The first round trip of an append: finds, locks or creates the conversation, and reads the stored messages with the keys of
 * the write.
 */
import { PalimpsestError } from "../../errors.ts";
import type { Scope } from "../../types.ts";
import type { Port } from "../port.ts";
import { digestIdentity, identitiesOf, isKnownByDigest } from "../rules/entry-identity.ts";
import { type KnownByKey, type KnownMessage, keysWithVersions } from "../rules/place-messages.ts";
import { versionKey } from "../seal.ts";
import type { AppendWrite, NewMessage, StoredTurn, TranscriptBasis } from "../store.ts";
import {
  type ConversationRow,
  conversationNotFound,
  createConversation,
  lockConversation,
} from "../tables/conversations.ts";
import { findErasedKeys, readSalts } from "../tables/erased-keys.ts";
import { findByKeys, findShown } from "../tables/messages.ts";
import { readBasis } from "../tables/transcripts.ts";
import { findTurn } from "../tables/turns.ts";

interface OpenedConversation {
  readonly row: ConversationRow;
  readonly known: KnownByKey;
  /** Messages whose entries were erased in other conversations: they are stored as erased. */
  readonly erased: ReadonlySet<NewMessage>;
  readonly turn: StoredTurn | undefined;
  /** Null if the write has no transcript. */
  readonly basis: TranscriptBasis | null;
  readonly created: boolean;
}

const CREATE_ATTEMPTS = 3;

export async function openForAppend(
  port: Port,
  scope: Scope,
  write: AppendWrite,
): Promise<OpenedConversation> {
  const opened = (await lockAndRead(port, scope, write)) ?? (await create(port, scope, write));
  if (write.onOtherContent === "refuse") return opened;
  return { ...opened, known: await withVersions(port, scope, write, opened.known) };
}

async function create(port: Port, scope: Scope, write: AppendWrite): Promise<OpenedConversation> {
  if (write.create === null || "id" in write.address) throw conversationNotFound(write.address);
  for (let attempt = 1; attempt <= CREATE_ATTEMPTS; attempt++) {
    const [inserted, opened] = await Promise.all([
      createConversation(port, scope, write.address, write.create, write.at),
      lockAndRead(port, scope, write),
    ]);
    if (opened !== undefined) return { ...opened, created: inserted === 1 };
  }
  throw new PalimpsestError("conflict", `${write.create.id} is on record for another agent or session`, {
    advice: "Create the conversation under another id. Nothing was written.",
  });
}

/** Statements that are sent together: each sees what was committed before the lock was granted. */
async function lockAndRead(
  port: Port,
  scope: Scope,
  write: AppendWrite,
): Promise<OpenedConversation | undefined> {
  const keys = write.messages.map((message) => message.key);
  const [row, known, shown, { turn, salt }, basis] = await Promise.all([
    lockConversation(port, scope, write.address),
    findByKeys(port, scope, keys),
    write.onOtherContent === "same" ? findShown(port, scope, keys, write.afterSeq ?? 0) : [],
    findTurn(port, scope, write.turnKey),
    write.transcript === null ? null : readBasis(port, scope, write.transcript.plannedFrom),
  ]);
  if (row === undefined) return undefined;
  const erased = await findErasedEntries(port, scope, row.uid, write, salt);
  return {
    row,
    known: new Map([...erased.here, ...byKey(shown), ...byKey(known)]),
    erased: erased.elsewhere,
    turn,
    basis,
    created: false,
  };
}

interface ErasedEntries {
  /** Messages of this conversation that were erased with their keys, by the keys of the incoming messages. */
  readonly here: ReadonlyMap<string, KnownMessage>;
  /** Messages whose entries were erased in other conversations. */
  readonly elsewhere: ReadonlySet<NewMessage>;
}

/** Which messages are entries that were erased before. Most stores have none: `first` is null, and the lookup is skipped. */
async function findErasedEntries(
  port: Port,
  scope: Scope,
  conversation: string,
  { messages }: AppendWrite,
  first: string | null,
): Promise<ErasedEntries> {
  const here = new Map<string, KnownMessage>();
  const elsewhere = new Set<NewMessage>();
  const salts =
    first === null || messages.length === 0 ? [] : [first, ...(await readSalts(port, scope, first))];
  for (const salt of salts) {
    const entries = messages.flatMap((message) =>
      identitiesOf(message, conversation).map((identity) => ({
        message,
        digest: digestIdentity(salt, identity),
      })),
    );
    const byDigest = Map.groupBy(entries, ({ digest }) => digest);
    for (const { digest, seq, ...found } of await findErasedKeys(port, scope, salt, [...byDigest.keys()]))
      for (const { message } of byDigest.get(digest) ?? [])
        if (found.conversation !== conversation) elsewhere.add(message);
        else if (isKnownByDigest(message.key)) here.set(message.key, erasedRecord(message.key, seq));
  }
  return { here, elsewhere };
}

function erasedRecord(key: string, seq: number): KnownMessage {
  return { seq, key, salt: null, digest: "", excluded: "erased" };
}

function byKey(messages: readonly KnownMessage[]): Map<string, KnownMessage> {
  return new Map(messages.map((message) => [message.key, message]));
}

/** Reads the further versions of keys that may need one, until a version of each is free. */
async function withVersions(
  port: Port,
  scope: Scope,
  write: AppendWrite,
  found: KnownByKey,
): Promise<KnownByKey> {
  const known = new Map(found);
  let keys = keysWithVersions(write, known);
  for (let first = 2; keys.length > 0; first *= 2) {
    const versions = Array.from({ length: first }, (_, index) => first + index);
    const wanted = keys.flatMap((key) => versions.map((version) => versionKey(key, version)));
    for (const message of await findByKeys(port, scope, wanted)) known.set(message.key, message);
    keys = keys.filter((key) => known.has(versionKey(key, 2 * first - 1)));
  }
  return known;
}
