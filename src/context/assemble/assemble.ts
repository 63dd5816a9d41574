/**
 * What the model sees: summaries of what is old, the newest messages as they were said, within the budget. Its
 * cost depends on the window and not on the history. Same store and input, same bytes.
 */

import { PalimpsestError } from "../../errors.ts";
import type { ScopedStore, StoredMessage, WindowItem } from "../../store/store.ts";
import type { CountTokens } from "../../text/estimate-tokens.ts";
import { messageId } from "../../text/identifiers.ts";
import type { ConversationRef, Role } from "../../types.ts";
import { requireConversation, toMessage } from "../read.ts";
import { type Candidate, chooseCut } from "./choose-window.ts";
import { renderSummary } from "./render-summary.ts";
import { systemPromptAddition } from "./system-prompt-addition.ts";

export interface AssembleInput {
  readonly conversation: ConversationRef;
  /** Tokens that the answer may take. */
  readonly budget: number;
}

export interface AssembledItem {
  readonly id: string;
  readonly type: "message" | "summary";
  readonly role: Role;
  /** The message as the host gave it, or the summary's text in its frame. */
  readonly value: unknown;
  readonly tokens: number;
  readonly reason: "system message" | "summary of older messages" | "in the window" | "cut to fit";
}

export interface AssembleResult {
  readonly conversation: string;
  readonly items: readonly AssembledItem[];
  readonly tokens: number;
  readonly budget: number;
  /** What the context holds and the budget does not. */
  readonly leftOut: { readonly items: number; readonly tokens: number };
  /** Guidance for the model, when summaries are shown. Constant, so that it can be cached. */
  readonly systemPromptAddition: string | null;
  /** True when even one item does not fit. */
  readonly overBudget: boolean;
}

export async function assemble(
  store: ScopedStore,
  countTokens: CountTokens,
  input: AssembleInput,
): Promise<AssembleResult> {
  if (!Number.isSafeInteger(input.budget) || input.budget < 1)
    throw new PalimpsestError("invalid-input", "budget must be a whole number of tokens from 1");
  const { id } = await requireConversation(store, input.conversation);
  const window = await store.contextWindow(id, { maxTokens: input.budget });
  const pinned = window.pinned.map((message) =>
    toItem(id, { ordinal: 0, type: "message", message }, countTokens),
  );
  const items = window.items.map((item) => toItem(id, item, countTokens));
  const room = input.budget - sumOf(pinned);
  const cut = chooseCut(items.map(toCandidate), window.left.tokens, Math.max(1, room));
  const shown = [...pinned, ...items.slice(cut)].map(({ candidate: _, ...item }) => item);
  const tokens = sumOf(shown);
  return {
    conversation: id,
    items: shown,
    tokens,
    budget: input.budget,
    leftOut: {
      items: window.left.items + cut - pinned.length,
      tokens: window.left.tokens + sumOf(items.slice(0, cut)) - sumOf(pinned),
    },
    systemPromptAddition: shown.some((item) => item.type === "summary") ? systemPromptAddition() : null,
    overBudget: tokens > input.budget,
  };
}

type Rendered = AssembledItem & { readonly candidate: Pick<Candidate, "toolCalls" | "toolResults"> };

function toItem(conversation: string, item: WindowItem, countTokens: CountTokens): Rendered {
  if (item.type === "summary") {
    const value = renderSummary(item.summary);
    return {
      id: item.summary.id,
      type: "summary",
      role: "user",
      value,
      tokens: countTokens(value),
      reason: "summary of older messages",
      candidate: { toolCalls: [], toolResults: [] },
    };
  }
  return messageItem(conversation, item.message);
}

function messageItem(conversation: string, message: StoredMessage): Rendered {
  const tools = message.parts.filter((part) => part.toolCallId !== null);
  const ids = (isCall: boolean) =>
    tools
      .filter((part) => (part.toolStatus === "pending") === isCall)
      .flatMap((part) => part.toolCallId ?? []);
  return {
    id: messageId(conversation, message.seq),
    type: "message",
    role: message.role,
    value: toMessage(conversation, message).value,
    tokens: message.tokenCount,
    reason: message.role === "system" ? "system message" : "in the window",
    candidate: { toolCalls: ids(true), toolResults: ids(false) },
  };
}

function toCandidate({ tokens, candidate }: Rendered): Candidate {
  return { tokens, ...candidate };
}

function sumOf(items: readonly { readonly tokens: number }[]): number {
  return items.reduce((sum, item) => sum + item.tokens, 0);
}
