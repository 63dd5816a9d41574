/** What a host has that is not on record yet, beside what is assembled from the record. */
import { PalimpsestError } from "../../errors.ts";
import type { AssembledContext, AssembleInput } from "./assemble.ts";
import type { Meter } from "./measure.ts";
import { writeReceipt } from "./write-receipt.ts";

/** Other formats write every message anew, and could not leave these as they are. */
export function pendingOf({ pending = [], format = "original" }: AssembleInput): readonly object[] {
  if (pending.length === 0 || format === "original") return pending;
  throw new PalimpsestError("invalid-input", `pending messages cannot be shown in the format ${format}`, {
    advice: "Omit the format, or commit these messages first.",
  });
}

export function tokensOf(messages: readonly object[], meter: Meter): number {
  return messages.reduce((sum, message) => sum + meter.message(message, true).tokens, 0);
}

/** The same answer with these messages last. `beside`: tokens of all that comes with it. */
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

/** Of a session that has said nothing yet. */
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
