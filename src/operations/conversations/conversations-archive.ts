import { z } from "zod";
import { defineOperation } from "../operation.ts";
import { conversationName, conversationSchema } from "./conversation-schema.ts";

export const archiveConversation = defineOperation({
  name: "conversations-archive",
  summary: "Archive a conversation, or restore an archived one. Archiving deletes nothing.",
  input: z.strictObject({
    conversation: conversationName,
    undo: z.boolean().exactOptional().describe("Restore it instead. Default false."),
  }),
  output: z.strictObject({ conversation: conversationSchema.describe("The conversation after the change.") }),
  command: {
    positional: ["conversation"],
    text: ({ conversation: { id, archivedAt } }, { suggest }) =>
      archivedAt === null
        ? `${id} is active again.`
        : `${id} is archived. Restore it with: ${suggest(`conversations archive ${id} --undo`)}`,
  },
  run: async ({ context }, { conversation, undo }) => ({
    conversation:
      undo === true
        ? await context.conversations.unarchive(conversation)
        : await context.conversations.archive(conversation),
  }),
});
