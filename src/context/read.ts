/** Reads messages back: the exact original, and what is in it. */
import { messageOf, PalimpsestError } from "../errors.ts";
import type { ScopedStore, StoredConversation, StoredMessage } from "../store/store.ts";
import { messageId } from "../text/identifiers.ts";
import { decodeLeniently, withoutByteOrderMark } from "../text/utf8.ts";
import type { Conversation, ConversationRef, Message, MessageFormat, Part, Role } from "../types.ts";
import { toAddress } from "./address.ts";
import { decodeOriginal } from "./ingest/original.ts";
import { readMessage } from "./ingest/read-parts.ts";
import { transcriptFormat } from "./ingest/transcripts/formats.ts";

export interface ReadInput {
  readonly conversation: ConversationRef;
  /** First and last seq wanted, both inclusive. Default: all. */
  readonly from?: number;
  readonly to?: number;
  readonly roles?: readonly Role[];
  /** Most messages in the answer. Default 1,000. */
  readonly limit?: number;
}

export interface ReadResult {
  readonly conversation: Conversation;
  readonly messages: readonly Message[];
  /** The seq to go on from; null when nothing is left. */
  readonly next: number | null;
}

export async function readMessages(store: ScopedStore, input: ReadInput): Promise<ReadResult> {
  const conversation = await requireConversation(store, input.conversation);
  for (const name of ["from", "to", "limit"] as const) requirePosition(name, input[name]);
  const page = await store.messages(conversation.id, {
    ...(input.from === undefined ? {} : { from: input.from }),
    ...(input.to === undefined ? {} : { to: input.to }),
    ...(input.roles === undefined ? {} : { roles: input.roles }),
    ...(input.limit === undefined ? {} : { limit: input.limit }),
  });
  return { conversation, messages: page.rows.map((row) => toMessage(conversation.id, row)), next: page.next };
}

export async function requireConversation(
  store: ScopedStore,
  reference: ConversationRef,
): Promise<StoredConversation> {
  const found = await store.conversation(toAddress(reference));
  if (found !== undefined) return found;
  const name = typeof reference === "string" ? reference : (reference.sessionKey ?? reference.sessionId);
  throw new PalimpsestError("not-found", `there is no conversation ${name}`, {
    advice: "List what is there with: lcm conversations",
  });
}

function requirePosition(name: string, value: number | undefined): void {
  if (value === undefined || (Number.isSafeInteger(value) && value >= 1)) return;
  throw new PalimpsestError("invalid-input", `${name} must be a whole number from 1`);
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
    parts: row.content === null ? [] : partsOf(row.format, row.content),
    excluded: row.excluded,
    erasedAt: row.erasedAt,
    hash: row.hash,
  };
}

/** What the host gave, read from the exact original. */
function readValue(format: MessageFormat, content: string | Uint8Array): unknown {
  const text = typeof content === "string" ? content : decodeLeniently(content);
  try {
    if (format === "message" || format === "message+binary") return decodeOriginal(format, text);
    return JSON.parse(withoutByteOrderMark(text));
  } catch (error) {
    throw new PalimpsestError("store-corrupt", `a stored message cannot be read: ${messageOf(error)}`, {
      advice: "Find out what is damaged with: lcm verify",
      cause: error,
    });
  }
}

export function partsOf(format: MessageFormat, content: string | Uint8Array): readonly Part[] {
  const value = readValue(format, content);
  return readMessage(transcriptFormat(format)?.unwrap(value) ?? value, "lenient").parts;
}
