/** Storing a turn over HTTP. Not a command, since people store messages by import. */
import { z } from "zod";
import { commitTurnInput } from "../context/inputs.ts";
import type { Engine } from "../engine.ts";
import { conversationName } from "../operations/conversations/conversation-schema.ts";
import { defineOperation, type Steps } from "../operations/operation.ts";

const { heartbeat, budget, hostContext, strictness } = commitTurnInput.shape;

const inputSchema = z.strictObject({
  conversation: conversationName.describe(
    "The session id. The first turn of a session creates a conversation.",
  ),
  key: z.string().min(1).describe("Identifies the turn: committing it again changes nothing."),
  messages: z
    .array(z.record(z.string(), z.unknown()))
    .min(1)
    .describe("Messages in the provider's or host's own format, oldest first."),
  ...{ heartbeat, budget, hostContext, strictness },
});

const outputSchema = z.discriminatedUnion("status", [
  z.strictObject({
    status: z.enum(["committed", "duplicate"]).describe("duplicate: the turn was already on record."),
    conversation: z.string().describe("Id of the conversation."),
    messages: z
      .array(
        z.strictObject({
          id: z.string().describe("msg_…"),
          seq: z.int().describe("Number of the message in the conversation."),
          existed: z.boolean().describe("Whether it was already on record."),
        }),
      )
      .readonly()
      .describe("The messages of the turn."),
  }),
  z.strictObject({
    status: z.literal("skipped").describe("The turn was not stored."),
    reason: z.string().describe("The setting that excludes it."),
  }),
]);

type Input = z.infer<typeof inputSchema>;
type Output = z.infer<typeof outputSchema>;

export const commitTurn = defineOperation<Input, Output, Steps, Engine>({
  name: "turns-commit",
  summary: "Store a turn of a conversation. Storing it again changes nothing.",
  input: inputSchema,
  output: outputSchema,
  command: { text: ({ status }) => status },
  run: (engine, input) => engine.context.commitTurn(input),
});
