import { createReadStream } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { attachFileInput } from "../../context/inputs.ts";
import { isPalimpsestError, messageOf, PalimpsestError } from "../../errors.ts";
import { bytes, counted } from "../../text/counted.ts";
import { escapeControls } from "../../text/escape-controls.ts";
import { bar } from "../../text/terminal/table.ts";
import { conversationName } from "../conversations/conversation-schema.ts";
import { defineOperation } from "../operation.ts";
import { requireReadable } from "../store/require-readable.ts";

const inputSchema = z.strictObject({
  path: z.string().min(1).describe("The file."),
  conversation: conversationName.describe(
    "The conversation to attach it to: its id, or a session id. An unknown session id starts a new conversation.",
  ),
  name: z
    .string()
    .min(1)
    .nullable()
    .exactOptional()
    .describe("Name of the file; null for none. Default: the file name of the path."),
  mime: attachFileInput.shape.mime,
});

const outputSchema = z.strictObject({
  status: z
    .enum(["committed", "duplicate"])
    .describe("Whether the file was added now or was already in the conversation under this name."),
  id: z.string().describe("Id of the file."),
  conversation: z.string().describe("Id of the conversation."),
  message: z.string().describe("Id of the message that represents the file."),
  bytes: z.int().describe("Its size."),
  reference: z.string().describe("The reference that the model sees."),
});

/** The progress of reading. */
export interface AddStep {
  readonly bytes: number;
  readonly total: number;
}

export const addFile = defineOperation<z.infer<typeof inputSchema>, z.infer<typeof outputSchema>, AddStep>({
  name: "files-add",
  summary:
    "Attach a file of any size to a conversation. A message refers to it, and any part of it can be read.",
  input: inputSchema,
  output: outputSchema,
  command: {
    positional: ["path"],
    flags: {
      path: { description: "The file; - is standard input." },
      conversation: { value: "name" },
      name: { description: "Name of the file. Default: the file name of the path." },
      mime: { value: "type" },
    },
    examples: [
      ["lcm files add trace.log --conversation my-session"],
      ["journalctl -b | lcm files add - --conversation my-session --name boot.log"],
    ],
    progress: ({ bytes: done, total }) => `${bar(done, total)} ${bytes(done)} of ${bytes(total)}`,
    text: ({ status, id, conversation, message, bytes: size, reference }, { suggest }) => {
      const done =
        status === "committed"
          ? `Added ${id} (${counted(size, "byte")}) to ${conversation} as ${message}.`
          : `Already added: ${id} (${counted(size, "byte")}), in ${message}.`;
      return [done, escapeControls(reference), `Read it with: ${suggest(`files cat ${id}`)}`].join("\n\n");
    },
  },
  makesStore: true,
  whyNothing: async ({ path: file }) => {
    try {
      await requireReadable(file);
      return null;
    } catch (error) {
      return isPalimpsestError(error) ? error : new PalimpsestError("internal", messageOf(error));
    }
  },
  run: async (engine, { path: file, conversation, mime, ...input }, { signal, onProgress }) => {
    const total = await requireReadable(file);
    const name = input.name === undefined ? path.basename(file) : input.name;
    return engine.context.files.attach({
      conversation,
      open: () => createReadStream(file),
      ...(name === null ? {} : { name }),
      ...(mime === undefined ? {} : { mime }),
      signal,
      onProgress: ({ bytes }) => onProgress?.({ bytes, total }),
    });
  },
});
