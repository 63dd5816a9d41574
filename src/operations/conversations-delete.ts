import { z } from "zod";
import { backupFolder, listBackups } from "./backups.ts";
import { conversationName } from "./conversation-schema.ts";
import { defineOperation } from "./operation.ts";

export const deleteConversation = defineOperation({
  name: "conversations-delete",
  summary: "Remove a conversation with everything in it. The audit log says that it was there.",
  input: z.strictObject({ conversation: conversationName }),
  output: z.strictObject({
    conversation: z.string().describe("Id of the conversation that was removed."),
    messages: z.number().int().describe("Messages that were removed with it."),
    backups: z.array(z.string()).describe("Backups made earlier, which still contain it."),
  }),
  run: async (engine, { conversation }) => {
    const removed = await engine.context.delete(conversation);
    const backups = await listBackups(backupFolder(engine.config));
    return { ...removed, backups: backups.map((backup) => backup.file) };
  },
});
