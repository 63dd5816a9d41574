/** Reads messages back: the exact original and its parts. */
import type { z } from "zod";
import { PalimpsestError } from "../../errors.ts";
import { partsIn, readValue, unwrapped } from "../../message/stored-value.ts";
import { matchesDigest } from "../../store/seal.ts";
import type { Page, ScopedStore, StoredConversation, StoredMessage } from "../../store/store.ts";
import { isMessageId, messageId, parseMessageId } from "../../text/identifiers.ts";
import { type Conversation, type ConversationRef, type Message, ROLES } from "../../types.ts";
import type { readInput } from "../inputs.ts";
import { toAddress } from "./address.ts";
import { noConversation, noMessage } from "./not-found.ts";

export type ReadInput = z.input<typeof readInput>;

export interface ReadResult {
  readonly conversation: Conversation;
  readonly messages: readonly Message[];
  /** The seq to continue from; null if nothing is left. */
  readonly next: number | null;
}

/** A result ends after this many messages, or about this many bytes of them. */
const ANSWER_MESSAGES = 1_000;
const ANSWER_SIZE = 8 * 1024 * 1024;
/** Messages are read and parsed in small groups, so that the caller's event loop can run in between. */
const SLICE_MESSAGES = 100;
const SLICE_BYTES = 256 * 1024;

export async function readMessages(store: ScopedStore, input: ReadInput): Promise<ReadResult> {
  const conversation = await requireConversation(store, input.conversation);
  for (const name of ["from", "to", "limit"] as const) requirePosition(name, input[name]);
  requireRange(input.from ?? 1, input.to);
  requireRoles(input.roles);
  const limit = input.limit ?? ANSWER_MESSAGES;
  const messages: Message[] = [];
  let size = 0;
  let next: number | null = input.from ?? 1;
  while (next !== null && messages.length < limit && size < ANSWER_SIZE) {
    const page: Page<StoredMessage> = await store.messages(conversation.id, {
      from: next,
      limit: Math.min(SLICE_MESSAGES, limit - messages.length),
      maxBytes: SLICE_BYTES,
      ...(input.to === undefined ? {} : { to: input.to }),
      ...(input.roles === undefined ? {} : { roles: input.roles }),
    });
    for (const row of page.rows) {
      messages.push(toMessage(conversation.id, row));
      size += row.content?.length ?? 0;
    }
    next = page.next;
  }
  return { conversation, messages, next };
}

export async function requireConversation(
  store: ScopedStore,
  reference: ConversationRef,
): Promise<StoredConversation> {
  const address = toAddress(reference);
  const found = await store.conversation(address);
  if (found !== undefined) return found;
  throw await noConversation(store, nameOf(reference));
}

export function nameOf(reference: ConversationRef): string {
  return typeof reference === "string" ? reference : (reference.sessionKey ?? reference.sessionId);
}

/** A conversation by id, session id or the id of one of its messages. */
export function conversationBy(store: ScopedStore, reference: ConversationRef): Promise<StoredConversation> {
  const isMessage = typeof reference === "string" && isMessageId(reference);
  return requireConversation(store, isMessage ? parseMessageId(reference).conversation : reference);
}

/** One message by its public id. */
export async function requireMessage(store: ScopedStore, id: string): Promise<Message> {
  const { conversation, seq } = parseMessageId(id);
  const { rows } = await store.messages(conversation, { from: seq, to: seq, limit: 1 });
  const [row] = rows;
  if (row === undefined) throw await noMessage(store, id);
  return toCheckedMessage(conversation, row);
}

function requirePosition(name: string, value: number | undefined): void {
  if (value === undefined || (Number.isSafeInteger(value) && value >= 1)) return;
  throw new PalimpsestError("invalid-input", `${name} must be a whole number from 1`);
}

const KNOWN_ROLES: ReadonlySet<unknown> = new Set(ROLES);

function requireRoles(roles: readonly unknown[] | undefined): void {
  if (roles === undefined) return;
  const advice = `Roles are ${ROLES.join(", ")}.`;
  if (!Array.isArray(roles))
    throw new PalimpsestError("invalid-input", "roles must be a list of roles", { advice });
  const unknown = roles.findIndex((role) => !KNOWN_ROLES.has(role));
  if (unknown !== -1)
    throw new PalimpsestError(
      "invalid-input",
      `roles[${unknown}] is not a role: ${JSON.stringify(roles[unknown])}`,
      { advice },
    );
}

export function requireRange(from: number, to: number | undefined): void {
  if (to === undefined || from <= to) return;
  throw new PalimpsestError("invalid-input", `\`from\` (${from}) is greater than \`to\` (${to})`);
}

/**
 * For a message that was read completely: a damaged one is reported. Not used for ranges, where it costs too much
 * (docs/decisions/0027).
 */
export function toCheckedMessage(conversation: string, row: StoredMessage): Message {
  const message = toMessage(conversation, row);
  return matchesDigest(row) ? message : { ...message, damaged: true };
}

export function toMessage(conversation: string, row: StoredMessage): Message {
  const value = row.content === null ? undefined : readValue(row.format, row.content);
  return {
    id: messageId(conversation, row.seq),
    conversation,
    seq: row.seq,
    key: row.key,
    role: row.role,
    format: row.format,
    createdAt: row.createdAt,
    tokenCount: row.tokenCount,
    original: row.content,
    value,
    parts: row.content === null ? [] : partsIn(unwrapped(row.format, value)),
    excluded: row.excluded,
    erasedAt: row.erasedAt,
    hash: row.hash,
  };
}
