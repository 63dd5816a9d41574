import { z } from "zod";
import { FILE_KINDS } from "../../store/file-store.ts";
import { conversationName } from "../conversation-schema.ts";
import { defineOperation } from "../operation.ts";
import { fileSchema, toFile } from "./file-schema.ts";

export const listFiles = defineOperation({
  name: "files-list",
  summary:
    "List files and long results of tools that are kept apart from their messages, those stored last first.",
  input: z.strictObject({
    conversation: conversationName.exactOptional().describe("Only files of this conversation. Default: all."),
    kind: z.enum(FILE_KINDS).exactOptional().describe("Only attached files, or only results. Default: both."),
    from: z.int().min(0).exactOptional().describe("Where to go on: `next` of the page before."),
    limit: z.int().min(1).exactOptional().describe("Most files in the answer. Default 1,000."),
  }),
  output: z.strictObject({
    files: z.array(fileSchema).describe("The files of this page."),
    next: z.int().nullable().describe("`from` of the next page; null when this is the last."),
  }),
  run: async (engine, input) => {
    const { files, next } = await engine.context.files.list(input);
    return { files: files.map(toFile), next };
  },
});
