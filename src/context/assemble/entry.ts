/** One item of the context on its way to the model. */

import { messageValue, partsIn } from "../../message/stored-value.ts";
import { withinDepth } from "../../message/strings-inside.ts";
import type { StoredMessage, StoredSummary } from "../../store/store.ts";
import type { CountTokens } from "../../text/estimate-tokens.ts";
import { messageId } from "../../text/identifiers.ts";
import { decodeLeniently } from "../../text/utf8.ts";
import type { Role } from "../../types.ts";
import { ITEM_OVERHEAD } from "../compact/plan/evaluate.ts";
import { renderSummary } from "./render-summary.ts";
import type { WireItem } from "./wire/wire.ts";

export type Reason =
  | "system message"
  | "newest user message"
  | "first request"
  | "summary of older messages"
  | "in the window"
  | "matches the prompt"
  | typeof STUB;

export const STUB = "stub of an old tool result";

export interface AssembledItem {
  /** `msg_…` or `sum_…` */
  readonly id: string;
  readonly type: "message" | "summary";
  readonly role: Role;
  /** Time of the message; for a summary, the time of its newest message. */
  readonly at: string;
  readonly tokens: number;
  /** Tokens to which it was cut because it does not fit; null if it is whole. */
  readonly cutTo: number | null;
  readonly reason: Reason;
}

export interface Entry extends AssembledItem {
  /** Seq of the message, or of the first message that the summary covers. */
  readonly seq: number;
  /** Depth of a summary; null for a message. */
  readonly depth: number | null;
  readonly wire: WireItem;
  /** The message as the host gave it; a summary is a user message. */
  readonly original: unknown;
  /** A summary's own text, without its frame; null for a message. */
  readonly summaryText: string | null;
  readonly hasFiles: boolean;
  /** Tokens that its stubs save. */
  readonly savedTokens: number;
  readonly toolCalls: readonly string[];
  readonly toolResults: readonly string[];
  /** The entry before it was cut. */
  readonly whole?: Entry;
}

export function summaryEntry(summary: StoredSummary, countTokens: CountTokens): Entry {
  const text = renderSummary(summary);
  return {
    id: summary.id,
    type: "summary",
    role: "user",
    at: summary.latestAt,
    seq: summary.firstSeq,
    depth: summary.depth,
    tokens: countTokens(text) + ITEM_OVERHEAD,
    reason: "summary of older messages",
    cutTo: null,
    wire: { type: "text", role: "user", text },
    original: { role: "user", content: text },
    summaryText: summary.content,
    hasFiles: false,
    savedTokens: 0,
    toolCalls: [],
    toolResults: [],
  };
}

/** `isStub`: the message was read with its results as stubs. */
export function messageEntry(conversation: string, message: StoredMessage, isStub = false): Entry {
  const { seq, role, parts: index, tokenCount, stubTokenCount } = message;
  const value = shownValue(message);
  const shown = isStub ? (stubTokenCount ?? tokenCount) : tokenCount;
  const ids = (isCall: boolean) =>
    index
      .filter((part) => part.toolCallId !== null && (part.toolStatus === "pending") === isCall)
      .flatMap((part) => part.toolCallId ?? []);
  return {
    id: messageId(conversation, seq),
    type: "message",
    role,
    at: message.createdAt,
    seq,
    depth: null,
    tokens: shown + ITEM_OVERHEAD,
    reason: isStub ? STUB : role === "system" ? "system message" : "in the window",
    cutTo: null,
    wire: { type: "message", role, value, parts: partsIn(value) },
    original: value,
    summaryText: null,
    hasFiles: index.some((part) => part.type === "file"),
    savedTokens: tokenCount - shown,
    toolCalls: ids(true),
    toolResults: ids(false),
  };
}

function shownValue(message: StoredMessage): unknown {
  const { content } = message;
  return withinDepth(
    messageValue(message),
    typeof content === "string" ? content : decodeLeniently(content ?? new Uint8Array()),
  );
}

/** The description of an entry for callers. */
export function toItem({ id, type, role, at, tokens, cutTo, reason }: Entry): AssembledItem {
  return { id, type, role, at, tokens, cutTo, reason };
}
