/** The schema of a file in results: an attached one, or a long result of a tool. */
import { z } from "zod";
import { ENCODINGS } from "../../context/files/explore/detect-encoding.ts";
import type { FileSlice } from "../../context/files/read-file.ts";
import { rangeInput } from "../../context/inputs.ts";
import { FILE_KINDS, type StoredFile } from "../../store/file-store.ts";
import { messageId } from "../../text/identifiers.ts";

const number = z.int();

export const fileSchema = z.strictObject({
  id: z.string().describe("file_ and 16 hex digits."),
  conversation: z.string().describe("Id of the conversation."),
  message: z.string().describe("Id of the message that contains it."),
  kind: z.enum(FILE_KINDS).describe("file: attached to a message. tool-output: the result of a tool."),
  name: z.string().nullable().describe("Name of the file, if it has one."),
  mime: z.string().nullable().describe("Media type, as declared by the sender."),
  tool: z.string().nullable().describe("For a tool result: name of the tool."),
  bytes: number.describe("Size of the file."),
  lines: number.describe("Number of line feeds; at least 1 unless the file is empty."),
  description: z.string().describe("Description of the content, or of the call that it answers."),
  described: z
    .strictObject({
      text: z.string().describe("The description."),
      model: z.string().describe("Model that wrote it, as provider/model."),
      at: z.string().describe("When it was written, ISO 8601 in UTC."),
    })
    .nullable()
    .describe("Description by a model; null if there is none."),
  createdAt: z.string().describe("When the file was stored, ISO 8601 in UTC."),
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
  startByte: number.describe("First byte of the range."),
  endByte: number.describe("End of the range, exclusive."),
  firstLine: number.describe("First line of the range, from 1."),
  lastLine: number.describe("Last line of the range."),
  text: z
    .string()
    .nullable()
    .describe("Text of the range, exact if base64 is null; null for binary content."),
  encoding: z.enum(ENCODINGS).nullable().describe("Encoding of the file; null for binary content."),
  base64: z.string().nullable().describe("The bytes in base64, if they are not valid UTF-8 or not text."),
  next: rangeInput.nullable().describe("The rest of the requested range; null if nothing is left."),
});
export type SliceAnswer = z.infer<typeof sliceSchema>;

export function toSlice({ next, ...slice }: FileSlice): SliceAnswer {
  return { ...slice, next: next === null ? null : { ...next } };
}

const NAMES = {
  "utf-8": "UTF-8 with � for what is not valid",
  "utf-16le": "UTF-16",
  "utf-16be": "UTF-16",
  "windows-1252": "Latin (Windows-1252)",
} as const;

/** The encoding of a slice, in words; null if its text is exactly the content of the file. */
export function decodedAs({ text, base64, encoding }: SliceAnswer): string | null {
  return text === null || base64 === null || encoding === null ? null : NAMES[encoding];
}
