import { z } from "zod";
import type { ReadInput } from "../context/read.ts";
import { PalimpsestError } from "../errors.ts";
import { isMessageId, isSummaryId, parseMessageId } from "../text/identifiers.ts";
import { ROLES } from "../types.ts";
import { conversationSchema } from "./conversation-schema.ts";
import { messageSchema, toAnswer } from "./message-schema.ts";
import { defineOperation } from "./operation.ts";

const position = z.number().int().min(1).exactOptional();

const inputSchema = z.strictObject({
  id: z.string().min(1).describe("A conversation's id or session id, or a message's id."),
  from: position.describe("First seq wanted. Default 1."),
  to: position.describe("Last seq wanted, inclusive. Default: the last."),
  roles: z.array(z.enum(ROLES)).min(1).exactOptional().describe("Only messages of these roles."),
  limit: position.describe("Most messages in the answer. Default 1,000."),
});

export const read = defineOperation({
  name: "read",
  summary: "Read messages exactly as they were said, by conversation and range or by message id.",
  input: inputSchema,
  output: z.strictObject({
    conversation: conversationSchema.describe("The conversation that was read."),
    messages: z.array(messageSchema).describe("The messages, in order."),
    next: z.number().int().nullable().describe("The seq to go on from; null when nothing is left."),
  }),
  run: async (engine, input) => {
    const { conversation, messages, next } = await engine.context.read(toReadInput(input));
    if (messages.length === 0 && isMessageId(input.id))
      throw new PalimpsestError("not-found", `there is no message ${input.id}`, {
        advice: `${conversation.id} has messages 1 to ${conversation.messageCount}. Read some with: lcm read ${conversation.id} --from <number>`,
      });
    return { conversation, messages: messages.map(toAnswer), next };
  },
});

function toReadInput({ id, ...rest }: z.infer<typeof inputSchema>): ReadInput {
  if (isSummaryId(id))
    throw new PalimpsestError("invalid-input", `${id} is a summary, and no message`, {
      advice: `See what it says and stands for with: lcm expand ${id}`,
    });
  if (!isMessageId(id)) return { conversation: id, ...rest };
  if (rest.from !== undefined || rest.to !== undefined)
    throw new PalimpsestError("invalid-input", `${id} is one message: from and to do not apply`, {
      advice: "Name the conversation to read a range of it.",
    });
  const { conversation, seq } = parseMessageId(id);
  return { conversation, ...rest, from: seq, to: seq };
}
