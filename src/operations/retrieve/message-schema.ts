/** The schema of a message in results: its content, and its exact original encoded for JSON. */
import { z } from "zod";
import { EXCLUSION_REASONS, MESSAGE_FORMATS, type Message, ROLES } from "../../types.ts";
import { partSchema } from "./part-schema.ts";

export const messageSchema = z.strictObject({
  id: z.string().describe("msg_…; does not change when the store is exported, merged or moved."),
  conversation: z.string().describe("Id of the conversation."),
  seq: z.number().int().describe("Number of the message in the conversation, from 1."),
  key: z.string().describe("Identifies it within its conversation, so that a replay is recognised."),
  role: z.enum(ROLES).describe("Role of the message."),
  format: z.enum(MESSAGE_FORMATS).describe("Format of the original."),
  createdAt: z.string().describe("Time of the message, ISO 8601 in UTC."),
  tokenCount: z.number().int().describe("Tokens of the message as the model sees it."),
  parts: z.array(partSchema).readonly().describe("Its parts. Empty once erased."),
  original: z
    .string()
    .nullable()
    .describe("The exact original, encoded as `encoding` says; null once erased."),
  encoding: z.enum(["text", "base64"]).describe("base64 if the original is not valid text."),
  excluded: z
    .enum(EXCLUSION_REASONS)
    .nullable()
    .describe("Why it is excluded from the context; null if it is not."),
  erasedAt: z.string().nullable().describe("When its content was erased; null if it was not."),
  hash: z.string().describe("Its hash in the chain that makes tampering evident."),
  damaged: z
    .literal(true)
    .exactOptional()
    .describe("true if the content does not match its hash because the store is damaged."),
});

export type MessageAnswer = z.infer<typeof messageSchema>;

export function toAnswer(message: Message): MessageAnswer {
  const { original, value: _, ...rest } = message;
  if (!(original instanceof Uint8Array)) return { ...rest, original, encoding: "text" };
  return { ...rest, original: Buffer.from(original).toString("base64"), encoding: "base64" };
}
