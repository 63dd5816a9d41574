/** Messages of the host that are not stored yet, added to the assembled context. */
import { PalimpsestError } from "../../errors.ts";
import type { AssembledContext, AssembleInput } from "./assemble.ts";
import type { Meter } from "./measure.ts";
import { writeReceipt } from "./write-receipt.ts";

/** Other formats rewrite every message, so they could not pass these unchanged. */
export function pendingOf({ pending = [], format = "original" }: AssembleInput): readonly object[] {
  if (pending.length === 0 || format === "original") return pending;
  throw new PalimpsestError("invalid-input", `pending messages cannot be shown in the format ${format}`, {
    advice: "Omit the format, or commit these messages first.",
  });
}

export function tokensOf(messages: readonly object[], meter: Meter): number {
  return messages.reduce((sum, message) => sum + meter.message(message, true).tokens, 0);
}

/** The same result with these messages appended. `beside`: tokens of everything sent with it. */
export function withPending(
  assembled: AssembledContext,
  pending: readonly object[],
  { budget, beside }: { readonly budget: number; readonly beside: number },
): AssembledContext {
  const tokens = assembled.tokens + beside;
  const messages = pending.length === 0 ? assembled.messages : [...assembled.messages, ...pending];
  return {
    ...assembled,
    messages,
    tokens,
    budget,
    overBudget: assembled.overBudget ?? tooLarge(tokens, budget),
  };
}

/** The view of a session without messages. */
export function emptyView(
  { format = "original" }: AssembleInput,
  budget: number,
  pending: readonly object[],
  meter: Meter,
): AssembledContext {
  const nothing = { system: null, messages: [], measures: [], tokens: 0 };
  const receipt = writeReceipt([], nothing, { format, budget, left: 0 });
  const empty = {
    conversation: null,
    format,
    messages: [],
    system: null,
    systemPromptAddition: null,
    items: [],
  };
  const view = { ...empty, tokens: 0, budget, leftOut: 0, overBudget: null, receipt };
  return withPending(view, pending, { budget, beside: tokensOf(pending, meter) });
}

export function tooLarge(tokens: number, budget: number): string | null {
  return tokens <= budget ? null : `the smallest possible context has ${tokens} tokens`;
}
