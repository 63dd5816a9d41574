/** One item of the context on its way to the model. */
import type { StoredMessage, StoredSummary, WindowItem } from "../../store/store.ts";
import type { CountTokens } from "../../text/estimate-tokens.ts";
import { messageId } from "../../text/identifiers.ts";
import type { Role } from "../../types.ts";
import { ITEM_OVERHEAD } from "../compact/evaluate.ts";
import { messageValue, partsIn } from "../read.ts";
import { renderSummary } from "./render-summary.ts";
import type { WireItem } from "./wire/wire.ts";

export type Reason =
  | "system message"
  | "newest user message"
  | "summary of older messages"
  | "in the window"
  | "matches the prompt"
  | "stub of an old tool result";

export interface Entry {
  /** `msg_…` or `sum_…` */
  readonly id: string;
  readonly type: "message" | "summary";
  readonly role: Role;
  /** Of the message, or of the first that the summary covers. */
  readonly seq: number;
  readonly tokens: number;
  readonly reason: Reason;
  /** Tokens to which a message was cut, because it does not fit as a whole. */
  readonly cutTo: number | null;
  readonly wire: WireItem;
  readonly toolCalls: readonly string[];
  readonly toolResults: readonly string[];
}

export function toEntry(conversation: string, item: WindowItem, countTokens: CountTokens): Entry {
  return item.type === "summary"
    ? summaryEntry(item.summary, countTokens)
    : messageEntry(conversation, item.message, "in the window");
}

function summaryEntry(summary: StoredSummary, countTokens: CountTokens): Entry {
  const text = renderSummary(summary);
  return {
    id: summary.id,
    type: "summary",
    role: "user",
    seq: summary.firstSeq,
    tokens: countTokens(text) + ITEM_OVERHEAD,
    reason: "summary of older messages",
    cutTo: null,
    wire: { type: "text", role: "user", text },
    toolCalls: [],
    toolResults: [],
  };
}

export function messageEntry(conversation: string, message: StoredMessage, reason: Reason): Entry {
  const { seq, role, parts: index } = message;
  const value = messageValue(message);
  const ids = (isCall: boolean) =>
    index
      .filter((part) => part.toolCallId !== null && (part.toolStatus === "pending") === isCall)
      .flatMap((part) => part.toolCallId ?? []);
  return {
    id: messageId(conversation, seq),
    type: "message",
    role,
    seq,
    tokens: message.tokenCount + ITEM_OVERHEAD,
    reason: role === "system" ? "system message" : reason,
    cutTo: null,
    wire: { type: "message", role, value, parts: partsIn(value) },
    toolCalls: ids(true),
    toolResults: ids(false),
  };
}
