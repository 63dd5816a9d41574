import { PalimpsestError } from "../errors.ts";
import type { RandomBytes } from "../types.ts";
import { sha256, toHex } from "./bytes.ts";

const CONVERSATION_ID = /^conv_[0-9a-f]{16}$/;
const SUMMARY_ID = /^sum_[0-9a-f]{16}$/;
const MEMORY_ID = /^mem_[0-9a-f]{16}$/;
const MESSAGE_ID = /^msg_([0-9a-f]{16})_([1-9][0-9]{0,8})$/;

export function newConversationId(random: RandomBytes): string {
  return `conv_${toHex(random(8))}`;
}

/** From the text and random bytes, so that equal texts give different ids. */
export function newSummaryId(text: string, random: RandomBytes): string {
  return `sum_${sha256(text + toHex(random(16))).slice(0, 16)}`;
}

/** For a summary of a host: deterministic, so that a repeated import into this conversation gives the same id. */
export function importedSummaryId(conversation: string, hostId: string): string {
  return `sum_${sha256(JSON.stringify([conversation, hostId])).slice(0, 16)}`;
}

export function isSummaryId(text: string): boolean {
  return SUMMARY_ID.test(text);
}

export function newFileId(random: RandomBytes): string {
  return `file_${toHex(random(8))}`;
}

export function newMemoryId(random: RandomBytes): string {
  return `mem_${toHex(random(8))}`;
}

export function isMemoryId(text: string): boolean {
  return MEMORY_ID.test(text);
}

const KINDS = {
  conv: "conversation",
  msg: "message",
  sum: "summary",
  file: "file",
  mem: "memory",
} as const;
export type IdKind = (typeof KINDS)[keyof typeof KINDS];

/** The type of an id, by its prefix; null for text that is not an id, such as a session id. */
export function kindOfId(text: string): IdKind | null {
  const [, prefix] = /^(conv|msg|sum|file|mem)_/.exec(text) ?? [];
  return prefix === undefined ? null : KINDS[prefix as keyof typeof KINDS];
}

const WHOLE_ID = /^(?:(?:conv|sum|file|mem)_[0-9a-f]{16}|msg_[0-9a-f]{16}_[1-9][0-9]{0,8})$/i;
/** Complete, with the prefix of any kind. */
export function isWholeId(text: string): boolean {
  return WHOLE_ID.test(text);
}

const BEFORE_ID = /^[\s[({<"'`“‘«]+/;
const BEHIND_ID = /[\s\])}>"'`”’».,;:]+$/;

/** The id in a text copied with surrounding characters, such as `[msg_…]`; other text is unchanged. */
export function idIn(text: string): string {
  const bare = text.replace(BEFORE_ID, "").replace(BEHIND_ID, "");
  if (WHOLE_ID.test(bare)) return bare.toLowerCase();
  return kindOfId(bare) === null ? text : bare;
}

export function isConversationId(text: string): boolean {
  return CONVERSATION_ID.test(text);
}

/** The public id of a message: stable across export, merge and engine. */
export function messageId(conversation: string, seq: number): string {
  return `msg_${conversation.slice("conv_".length)}_${seq}`;
}

export function isMessageId(text: string): boolean {
  return MESSAGE_ID.test(text);
}

export function parseMessageId(id: string): { conversation: string; seq: number } {
  const match = MESSAGE_ID.exec(id);
  if (match === null)
    throw new PalimpsestError("invalid-input", `"${id}" is not a message id`, {
      advice: "A message id looks like msg_0123456789abcdef_42.",
    });
  return { conversation: `conv_${match[1]}`, seq: Number(match[2]) };
}
