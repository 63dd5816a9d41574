import { z } from "zod";
import { oneLine } from "../../text/escape-controls.ts";
import { shownName } from "../../text/given.ts";
import { defineOperation } from "../operation.ts";
import { conversationName, conversationSchema } from "./conversation-schema.ts";

export const renameConversation = defineOperation({
  name: "conversations-rename",
  summary: "Rename a conversation.",
  input: z.strictObject({
    conversation: conversationName,
    title: shownName.describe("The new title."),
  }),
  output: z.strictObject({ conversation: conversationSchema.describe("The conversation after the change.") }),
  command: {
    positional: ["conversation", "title"],
    text: ({ conversation: { id, title } }) => `${id} is now called "${oneLine(title ?? "")}".`,
  },
  run: async (engine, { conversation, title }) => ({
    conversation: await engine.context.conversations.rename(conversation, title),
  }),
});
