import { z } from "zod";
import { conversationSchema } from "./conversation-schema.ts";
import { defineOperation } from "./operation.ts";

export const listConversations = defineOperation({
  name: "conversations-list",
  summary: "List the conversations of this tenant and agent, last changed first.",
  input: z.strictObject({
    archived: z.boolean().exactOptional().describe("Include archived conversations. Default false."),
    from: z.number().int().min(0).exactOptional().describe("How many to skip: `next` of the page before."),
    limit: z
      .number()
      .int()
      .min(1)
      .exactOptional()
      .describe("Most conversations in the answer. Default 1,000."),
  }),
  output: z.strictObject({
    conversations: z.array(conversationSchema).readonly().describe("The conversations of this page."),
    next: z.number().int().nullable().describe("`from` of the next page; null when this is the last."),
  }),
  run: (engine, input) => engine.context.conversations.list(input),
});
