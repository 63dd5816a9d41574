import { z } from "zod";
import { PalimpsestError } from "../errors.ts";
import { isSummaryId } from "../text/identifiers.ts";
import { messageSchema, toAnswer } from "./message-schema.ts";
import { defineOperation } from "./operation.ts";
import { summarySchema, toSummary } from "./summary-schema.ts";

const positive = z.int().min(1).exactOptional();

export const expand = defineOperation({
  name: "expand",
  summary: "From a summary back to what it stands for: the finer summaries below it, and the exact messages.",
  input: z.strictObject({
    summary: z.string().min(1).describe("Which summary: sum_ and 16 hex digits."),
    levels: positive.describe("Levels to go down; 1 gives what it was made from. Default: to the messages."),
    from: positive.describe("First message wanted: `next` of the page before."),
    maxTokens: positive.describe("Most tokens of messages in the answer. Default 20,000."),
  }),
  output: z.strictObject({
    conversation: z.string().describe("Id of the conversation."),
    summary: summarySchema.describe("The summary."),
    summaries: z.array(summarySchema).describe("Finer summaries, in the order of what they cover."),
    messages: z.array(messageSchema).describe("The messages that were reached, exactly as they were said."),
    next: z.int().nullable().describe("`from` of the next page; null when nothing is left."),
  }),
  run: async (engine, input) => {
    requireSummaryId(input.summary);
    const { summary, summaries, messages, next } = await engine.context.expand(input);
    return {
      conversation: summary.conversation,
      summary: toSummary(summary),
      summaries: summaries.map(toSummary),
      messages: messages.map(toAnswer),
      next,
    };
  },
});

function requireSummaryId(text: string): void {
  if (isSummaryId(text)) return;
  throw new PalimpsestError("invalid-input", `"${text}" is not the id of a summary`, {
    advice:
      "It looks like sum_0123456789abcdef. Summaries are listed by: lcm tree <conversation>; messages are read by: lcm read <id>",
  });
}
