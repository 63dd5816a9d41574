import { z } from "zod";
import { resetInput } from "../../context/inputs.ts";
import { counted } from "../../text/counted.ts";
import { defineOperation } from "../operation.ts";
import { conversationName } from "./conversation-schema.ts";

export const reset = defineOperation({
  name: "reset",
  summary: "Reset a conversation: empty its context, or archive it so that the session starts a new one.",
  input: resetInput.omit({ retainDepth: true }).extend({ conversation: conversationName }),
  output: z.strictObject({
    conversation: z.string().describe("Id of the conversation."),
    leftContext: z.number().int().describe("Number of messages that left the context. They stay on record."),
  }),
  command: {
    positional: ["conversation"],
    text: ({ conversation, leftContext }, { input: { mode } }) =>
      mode === "new"
        ? `${counted(leftContext, "message")} left the context of ${conversation} and ${leftContext === 1 ? "is" : "are"} kept on record.`
        : `${conversation} is archived; the next turn of its session starts a new conversation.`,
  },
  run: (engine, input) => engine.context.conversations.reset(input),
});
