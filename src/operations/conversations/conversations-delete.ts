import { z } from "zod";
import { type Engine, internalsOf } from "../../engine.ts";
import { PalimpsestError } from "../../errors.ts";
import { counted } from "../../text/counted.ts";
import { isMessageId } from "../../text/identifiers.ts";
import { list } from "../../text/terminal/table.ts";
import type { Conversation } from "../../types.ts";
import { afterErasing, cleanUpAfterErasing } from "../after-erasing.ts";
import { renderCopies } from "../copies-page.ts";
import { defineOperation } from "../operation.ts";
import { conversationName } from "./conversation-schema.ts";
import { describeConversation } from "./describe-conversation.ts";

const outputSchema = z.strictObject({
  conversation: z.string().describe("Id of the deleted conversation."),
  messages: z.number().int().describe("Number of deleted messages."),
  ...afterErasing,
  transcriptFiles: z
    .array(z.string())
    .describe("Files outside the store that the conversation was imported from. Importing one restores it."),
});

export const deleteConversation = defineOperation({
  name: "conversations-delete",
  summary: "Delete a conversation and everything in it. The audit log records the deletion.",
  input: z.strictObject({ conversation: conversationName }),
  output: outputSchema,
  command: {
    positional: ["conversation"],
    question: async (engine, { conversation }) => {
      const { id } = await requireWhole(engine, conversation);
      return `Delete ${await describeConversation(engine, id)}?`;
    },
    working: "deleting, and rewriting the store's files",
    outcome: ({ filesCleaned }) => (filesCleaned ? undefined : "busy"),
    text: (output, { suggest }) =>
      [
        `${output.conversation} is deleted, with ${counted(output.messages, "message")}.`,
        ...renderCopies(
          output,
          suggest("verify --erasure --repair"),
          list(
            "Files of the host are not touched; importing one restores the conversation:",
            output.transcriptFiles,
          ),
        ),
      ].join("\n"),
  },
  run: async (engine, { conversation }) => {
    const { id } = await requireWhole(engine, conversation);
    const transcripts = await internalsOf(engine).conversations.transcripts(id);
    const removed = await engine.context.conversations.delete(id);
    const transcriptFiles = [...new Set(transcripts.map((transcript) => transcript.path))];
    return { ...removed, ...(await cleanUpAfterErasing(engine)), transcriptFiles };
  },
});

/** The id of a message also finds its conversation, but must not delete all of it. */
export function requireWhole({ context }: Engine, reference: string): Promise<Conversation> {
  if (isMessageId(reference))
    throw new PalimpsestError("invalid-input", `${reference} is one message, not a conversation`, {
      advice: `Erase it with: lcm erase ${reference}`,
    });
  return context.conversations.get(reference);
}
