import { z } from "zod";
import { listFilesInput } from "../../context/inputs.ts";
import type { Engine } from "../../engine.ts";
import { bytes, count } from "../../text/counted.ts";
import type { Look } from "../../text/terminal/look.ts";
import { table } from "../../text/terminal/table.ts";
import type { View } from "../command.ts";
import { conversationName } from "../conversations/conversation-schema.ts";
import { defineOperation } from "../operation.ts";
import { type FileAnswer, fileSchema, toFile } from "./file-schema.ts";

type Input = z.infer<typeof inputSchema>;
const inputSchema = listFilesInput.extend({
  conversation: conversationName.exactOptional().describe("Only files of this conversation. Default: all."),
});

const outputSchema = z.strictObject({
  files: z.array(fileSchema).describe("The files of this page."),
  next: z.int().nullable().describe("`from` of the next page; null when this is the last."),
});

export const listFiles = defineOperation({
  name: "files-list",
  summary: "List attached files and externalised tool results, most recently stored first.",
  input: inputSchema,
  output: outputSchema,
  command: {
    positional: ["conversation"],
    examples: [["lcm files list"], ["lcm files list my-session --kind tool-output --limit 20"]],
    paged: true,
    text: ({ files, next }, view) => {
      const listed = files.length === 0 ? nothing(view) : fileTable(files, view.look);
      return next === null ? listed : `${listed}\nThere are more: ${view.again({ from: next })}`;
    },
  },
  run: async (engine, input) => {
    const { files, next } = await engine.context.files.list(input);
    return { files: files.map(toFile), next };
  },
});

function fileTable(files: readonly FileAnswer[], look: Look): string {
  const columns = [
    { title: "file" },
    { title: "kind", optional: true },
    { title: "name, tool" },
    { title: "size", align: "right" },
    { title: "lines", align: "right", optional: true },
    { title: "message", optional: true },
    { title: "when", optional: true },
    { title: "what", flexible: true },
  ] as const;
  const rows = files.map((file) => [
    file.id,
    file.kind,
    file.name ?? file.tool ?? "",
    bytes(file.bytes),
    count(file.lines),
    file.message,
    look.time(file.createdAt),
    file.description.split("\n", 1)[0] ?? "",
  ]);
  return table(columns, rows, look);
}

function nothing({ input: { conversation, kind }, suggest }: View<Input, Engine>): string {
  const where = conversation === undefined ? "" : " in this conversation";
  if (kind !== undefined) return `There is no ${kind}${where}.`;
  return `There are no files${where}. Add one with: ${suggest("files add <path> --conversation <name>")}`;
}
