import { z } from "zod";
import type { ReplayResult } from "../context/assemble/replay.ts";
import { conversationName } from "./conversation-schema.ts";
import { defineOperation } from "./operation.ts";
import { itemSchema, toTurn, turnName, turnSchema, withTexts } from "./shown-schema.ts";

const sideSchema = z.strictObject({
  turn: turnSchema.describe("The turn."),
  tokens: z.int().describe("Tokens of what the model saw."),
  items: z.int().describe("Items that it saw."),
});

export const diff = defineOperation({
  name: "diff",
  summary: "What changed between what the model saw before two turns.",
  input: z.strictObject({
    conversation: conversationName,
    from: turnName.describe("The turn to compare with: its key, or the number of one of its messages."),
    to: turnName.describe("The turn that is compared: its key, or the number of one of its messages."),
  }),
  output: z.strictObject({
    conversation: z.string().describe("Id of the conversation."),
    from: sideSchema.describe("What was seen before the first."),
    to: sideSchema.describe("What was seen before the second."),
    added: z.array(itemSchema).describe("Items that only the second saw."),
    removed: z.array(itemSchema).describe("Items that only the first saw."),
    kept: z.int().describe("Items that both saw."),
    samePrefix: z
      .int()
      .describe("Items at the beginning that are the same: what a provider's cache can hold."),
  }),
  run: async (engine, input) => {
    const { conversation, from, to, kept, samePrefix, ...changed } = await engine.context.diff(input);
    const [added, removed] = await Promise.all([
      withTexts(engine, to, changed.added),
      withTexts(engine, from, changed.removed),
    ]);
    return { conversation, from: toSide(from), to: toSide(to), added, removed, kept, samePrefix };
  },
});

function toSide(side: ReplayResult) {
  return { turn: toTurn(side), tokens: side.receipt.tokens, items: side.items.length };
}
