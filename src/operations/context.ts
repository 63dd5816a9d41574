import { z } from "zod";
import type { RecalledAgain, ReplayResult } from "../context/assemble/replay.ts";
import type { AssembleResult } from "../context/context.ts";
import { assembleInput, TURN } from "../context/inputs.ts";
import { requireConversation } from "../context/read/read-messages.ts";
import { internalsOf } from "../engine.ts";
import { PalimpsestError } from "../errors.ts";
import { fitOf } from "../message/check-json.ts";
import { tagBinary } from "../message/tag-binary.ts";
import { ASSEMBLE_FORMATS } from "../message/wire-formats.ts";
import { conversationName } from "./conversations/conversation-schema.ts";
import { readTurn } from "./conversations/read-turn.ts";
import { defineOperation } from "./operation.ts";
import { renderContext } from "./shown-page.ts";
import { itemSchema, recalledSchema, receiptAnswer, toTurn, turnSchema, withTexts } from "./shown-schema.ts";

const number = z.int();

const inputSchema = assembleInput.extend({
  conversation: conversationName,
  at: TURN.exactOptional().describe("Show what the model saw before it produced this turn instead."),
});

const viewSchema = z.strictObject({
  full: z.boolean().exactOptional().describe("Show the complete text of each item."),
});

export type ContextOutput = z.infer<typeof outputSchema>;
const outputSchema = z.strictObject({
  conversation: z.string().describe("Id of the conversation."),
  turn: turnSchema.nullable().describe("The requested turn; null for the current context."),
  format: z.enum(ASSEMBLE_FORMATS).describe("Format of the messages."),
  tokens: number.describe("Tokens of the result, including the system prompt addition."),
  budget: number.describe("Token budget of the context."),
  overBudget: z.string().nullable().describe("Why the context is larger than the budget; null if it is not."),
  leftOut: number.describe("Number of items that did not fit. They stay on record."),
  system: z
    .string()
    .nullable()
    .describe("System text, for formats that send it separately from the messages."),
  systemPromptAddition: z
    .string()
    .nullable()
    .describe("Text to add to the system prompt; null when the context contains no summaries."),
  recalled: recalledSchema.describe("Memories that are relevant to the prompt; null if there are none."),
  items: z.array(itemSchema).describe("What is shown and why, in order."),
  messages: z
    .array(z.unknown())
    .describe("Messages, ready to send. Binary values are tagged, because JSON has no type for them."),
  receipt: receiptAnswer.describe("Identifies this context, so that it can be replayed."),
});

export const context = defineOperation({
  name: "context",
  summary: "Show what the model would see of a conversation within a budget, or what it saw before a turn.",
  input: inputSchema,
  output: outputSchema,
  command: {
    positional: ["conversation"],
    flags: { budget: { value: "tokens" }, at: { value: "turn", read: readTurn } },
    view: viewSchema,
    paged: true,
    text: (output, view) => renderContext(output, view.flags(viewSchema).full === true, view.look),
  },
  run: async (engine, { at, ...input }) => {
    if (at === undefined) {
      const { id } = await requireConversation(internalsOf(engine).conversations, input.conversation);
      const answer = { ...(await engine.context.assemble(input)), conversation: id };
      const { tokens, budget, leftOut, overBudget } = answer;
      const items = await withTexts(engine, answer, answer.items);
      return { ...common(answer), turn: null, tokens, budget, leftOut, overBudget, items };
    }
    refuseBesideTurn(input);
    const answer = await engine.context.conversations.at({ conversation: input.conversation, turn: at });
    const { tokens, budget, left: leftOut } = answer.receipt;
    const items = await withTexts(engine, answer, answer.items);
    return { ...common(answer), turn: toTurn(answer), tokens, budget, leftOut, overBudget: null, items };
  },
});

function common(answer: (AssembleResult & { readonly conversation: string }) | ReplayResult) {
  const { conversation, receipt, system, systemPromptAddition } = answer;
  const recalled = answer.recalled === null ? null : withoutDates(answer.recalled);
  const messages = answer.messages.map((message) =>
    fitOf(message) === "plain" ? message : tagBinary(message),
  );
  return { conversation, format: receipt.format, system, systemPromptAddition, recalled, messages, receipt };
}

function withoutDates({ text, tokens, ids }: RecalledAgain): RecalledAgain {
  return { text, tokens, ids };
}

function refuseBesideTurn({ conversation: _, ...rest }: Omit<z.infer<typeof inputSchema>, "at">): void {
  const [name] = Object.keys(rest);
  if (name === undefined) return;
  throw new PalimpsestError("invalid-input", `\`${name}\` cannot be combined with a past turn`, {
    advice: `A past turn is shown in its original format and budget. Remove \`${name}\`.`,
  });
}
