/** How values of the contract are stored in SQLite: hashes are raw bytes, ids of messages are computed. */
import { toHex } from "../../text/bytes.ts";
import { originalBytes } from "../content-encoding.ts";

/** Allows 268 million messages in a conversation and 33 million conversations within exact integers. */
export const MESSAGES_PER_CONVERSATION = 2 ** 28;

export function messageRowId(conversationId: number, seq: number): number {
  return conversationId * MESSAGES_PER_CONVERSATION + seq;
}

export function conversationOfRowId(messageId: number): number {
  return Math.floor(messageId / MESSAGES_PER_CONVERSATION);
}

export function seqOfRowId(messageId: number): number {
  return messageId % MESSAGES_PER_CONVERSATION;
}

/** First and last row id that a conversation's messages with these seqs can have. */
export function rowIdRange(
  conversationId: number,
  from = 0,
  to = MESSAGES_PER_CONVERSATION - 1,
): [number, number] {
  const last = Math.min(to, MESSAGES_PER_CONVERSATION - 1);
  return [messageRowId(conversationId, from), messageRowId(conversationId, last)];
}

export function hex(bytes: Uint8Array): string;
export function hex(bytes: Uint8Array | null): string | null;
export function hex(bytes: Uint8Array | null): string | null {
  return bytes === null ? null : toHex(bytes);
}

export function bytes(hexText: string): Uint8Array;
export function bytes(hexText: string | null): Uint8Array | null;
export function bytes(hexText: string | null): Uint8Array | null {
  return hexText === null ? null : Buffer.from(hexText, "hex");
}

/** A content without separate payloads; null once it was erased. */
export function contentBytes(row: {
  encoding: string | null;
  content: Uint8Array | null;
}): Uint8Array | null {
  return row.content === null ? null : originalBytes(row.encoding, row.content);
}
