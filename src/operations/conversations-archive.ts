import { z } from "zod";
import { conversationName, conversationSchema } from "./conversation-schema.ts";
import { defineOperation } from "./operation.ts";

export const archiveConversation = defineOperation({
  name: "conversations-archive",
  summary: "Archive a conversation, or restore an archived one. Archiving deletes nothing.",
  input: z.strictObject({
    conversation: conversationName,
    undo: z.boolean().exactOptional().describe("Bring it back instead. Default false."),
  }),
  output: z.strictObject({ conversation: conversationSchema.describe("The conversation as it is now.") }),
  command: {
    positional: ["conversation"],
    text: ({ conversation: { id, archivedAt } }, { suggest }) =>
      archivedAt === null
        ? `${id} is back in the list.`
        : `${id} is archived. Bring it back with: ${suggest(`conversations archive ${id} --undo`)}`,
  },
  run: async ({ context }, { conversation, undo }) => ({
    conversation:
      undo === true
        ? await context.conversations.unarchive(conversation)
        : await context.conversations.archive(conversation),
  }),
});
