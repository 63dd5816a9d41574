import { statSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { bytes, counted } from "../../text/counted.ts";
import { escapeControls } from "../../text/escape-controls.ts";
import { defineOperation } from "../operation.ts";
import { archiveSchema, damageLines } from "./archive-schema.ts";
import { checkBackup, checkedSchema, describeChecked } from "./check-backup.ts";
import { writeBackup } from "./write-backup.ts";

const outputSchema = archiveSchema.extend({
  checked: checkedSchema.nullable().describe("What was read back and verified, if requested."),
});

export const backup = defineOperation({
  name: "backup",
  summary: "Back up the whole store, every tenant and agent, into one compressed file, while it is in use.",
  input: z.strictObject({
    folder: z
      .string()
      .min(1)
      .exactOptional()
      .describe(
        "Where to put it. Default: backups in the data folder; with PostgreSQL the current folder. With verify, it may be an existing backup: then only that is read.",
      ),
    verify: z
      .boolean()
      .exactOptional()
      .describe("Read the backup back and check every row, count and hash in it. Default false."),
  }),
  output: outputSchema,
  command: {
    positional: ["folder"],
    working: "backing up",
    outcome: ({ damages }) => (damages.length > 0 ? "found-problems" : undefined),
    text: ({ file, conversations, messages, bytes: size, damages, checked }, { suggest }) =>
      [
        `Backup: ${escapeControls(file)}`,
        `${counted(conversations, "conversation")}, ${counted(messages, "message")}, ${bytes(size)} before compression.`,
        ...(checked === null ? [] : [describeChecked(checked)]),
        `Restore it with: ${suggest(`restore ${escapeControls(file)}`)}`,
        ...damageLines("The store is damaged; these items are damaged or missing in the backup:", damages),
      ].join("\n"),
  },
  readsDamaged: true,
  run: async (engine, { folder, verify = false }, use) => {
    const given = verify && folder !== undefined && isFile(folder) ? path.resolve(folder) : null;
    if (given !== null) return checkBackup(given, use);
    const report = await writeBackup(engine, { ...use, ...(folder === undefined ? {} : { folder }) });
    return verify ? checkBackup(report.file, use, report) : { ...report, checked: null };
  },
});

function isFile(place: string): boolean {
  return statSync(place, { throwIfNoEntry: false })?.isFile() === true;
}
