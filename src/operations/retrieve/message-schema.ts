/** A message as operations give it: what is in it, and its exact original in a form that JSON can carry. */
import { z } from "zod";
import { EXCLUSION_REASONS, MESSAGE_FORMATS, type Message, ROLES } from "../../types.ts";
import { partSchema } from "./part-schema.ts";

export const messageSchema = z.strictObject({
  id: z.string().describe("msg_…: stable across export, merge and engine."),
  conversation: z.string().describe("Id of its conversation."),
  seq: z.number().int().describe("Its place in the conversation, from 1."),
  key: z.string().describe("Identifies it within its conversation, so that a replay is recognised."),
  role: z.enum(ROLES).describe("Who spoke."),
  format: z.enum(MESSAGE_FORMATS).describe("How the original wraps the message."),
  createdAt: z.string().describe("When it was said, ISO 8601 in UTC."),
  tokenCount: z.number().int().describe("Tokens that the model reads of it."),
  parts: z.array(partSchema).readonly().describe("What is in it. Empty once erased."),
  original: z
    .string()
    .nullable()
    .describe("The exact original, encoded as `encoding` says; null once erased."),
  encoding: z.enum(["text", "base64"]).describe("base64 where the original is not valid text."),
  excluded: z
    .enum(EXCLUSION_REASONS)
    .nullable()
    .describe("Why it is not in the model's context, if it is not."),
  erasedAt: z.string().nullable().describe("When its content was erased, if it was."),
  hash: z.string().describe("Its link in the chain that makes tampering visible."),
  damaged: z
    .literal(true)
    .exactOptional()
    .describe("Given where its content is not what was stored, because the store is damaged."),
});

export type MessageAnswer = z.infer<typeof messageSchema>;

export function toAnswer(message: Message): MessageAnswer {
  const { original, value: _, ...rest } = message;
  if (!(original instanceof Uint8Array)) return { ...rest, original, encoding: "text" };
  return { ...rest, original: Buffer.from(original).toString("base64"), encoding: "base64" };
}
