/** A file as operations give it: an attached one, or a long result of a tool. */
import { z } from "zod";
import { ENCODINGS } from "../../context/files/explore/detect-encoding.ts";
import type { FileSlice } from "../../context/files/read-file.ts";
import { rangeInput } from "../../context/inputs.ts";
import { FILE_KINDS, type StoredFile } from "../../store/file-store.ts";
import { messageId } from "../../text/identifiers.ts";

const number = z.int();

export const fileSchema = z.strictObject({
  id: z.string().describe("file_ and 16 hex digits."),
  conversation: z.string().describe("Id of its conversation."),
  message: z.string().describe("Id of the message that it came in."),
  kind: z.enum(FILE_KINDS).describe("Attached to a message, or the result of a tool."),
  name: z.string().nullable().describe("Its name, if it had one."),
  mime: z.string().nullable().describe("Its type, as whoever attached it said."),
  tool: z.string().nullable().describe("Of a result: the tool that gave it."),
  bytes: number.describe("Its size."),
  lines: number.describe("Line feeds in it, and at least 1 where there is anything."),
  description: z.string().describe("What is in it, or which call it answers."),
  described: z
    .strictObject({
      text: z.string().describe("Its words."),
      model: z.string().describe("Which model, as provider/model."),
      at: z.string().describe("When, ISO 8601 in UTC."),
    })
    .nullable()
    .describe("What a model wrote of it; null when none did."),
  createdAt: z.string().describe("When it was kept, ISO 8601 in UTC."),
});
export type FileAnswer = z.infer<typeof fileSchema>;

export function toFile(file: StoredFile): FileAnswer {
  const { id, conversation, seq, kind, name, mime, tool, bytes, lines, description, described, createdAt } =
    file;
  const message = messageId(conversation, seq);
  return {
    id,
    conversation,
    message,
    kind,
    name,
    mime,
    tool,
    bytes,
    lines,
    description,
    described,
    createdAt,
  };
}

export const sliceSchema = z.strictObject({
  startByte: number.describe("Where it begins."),
  endByte: number.describe("Where it ends, not included."),
  firstLine: number.describe("The line in which it begins, from 1."),
  lastLine: number.describe("The line in which it ends."),
  text: z
    .string()
    .nullable()
    .describe("What stands there: exactly, where base64 is null; null for what is no text."),
  encoding: z
    .enum(ENCODINGS)
    .nullable()
    .describe("How the bytes were read as text, as the whole file reads; null for what is no text."),
  base64: z.string().nullable().describe("The bytes, where they are not valid UTF-8 or no text at all."),
  next: rangeInput
    .nullable()
    .describe("The range of what is left of all that was asked for; null when nothing is."),
});
export type SliceAnswer = z.infer<typeof sliceSchema>;

export function toSlice({ next, ...slice }: FileSlice): SliceAnswer {
  return { ...slice, next: next === null ? null : { ...next } };
}
