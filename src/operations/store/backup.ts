import { z } from "zod";
import { escapeControls } from "../../text/escape-controls.ts";
import { bytes, counted } from "../../text/terminal/amounts.ts";
import { defineOperation } from "../operation.ts";
import { archiveSchema } from "./archive-schema.ts";
import { writeBackup } from "./write-backup.ts";

export const backup = defineOperation({
  name: "backup",
  summary:
    "Write the whole store, every tenant and agent, into one compressed file. Others may go on writing.",
  input: z.strictObject({
    folder: z
      .string()
      .min(1)
      .exactOptional()
      .describe("Where to put it. Default: backups in the data folder; with PostgreSQL the current folder."),
  }),
  output: archiveSchema,
  command: {
    positional: ["folder"],
    working: "backing up",
    text: ({ file, conversations, messages, bytes: size }, { suggest }) =>
      [
        `Backup: ${escapeControls(file)}`,
        `${counted(conversations, "conversation")}, ${counted(messages, "message")}, ${bytes(size)} before compression.`,
        `Bring it back with: ${suggest(`restore ${escapeControls(file)}`)}`,
      ].join("\n"),
  },
  run: (engine, { folder }, use) =>
    writeBackup(engine, { ...use, ...(folder === undefined ? {} : { folder }) }),
});
