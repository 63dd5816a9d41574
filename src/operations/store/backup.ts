import { statSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { PalimpsestError } from "../../errors.ts";
import { bytes, counted } from "../../text/counted.ts";
import { escapeControls } from "../../text/escape-controls.ts";
import { quoted } from "../../text/terminal/quoted.ts";
import { defineOperation } from "../operation.ts";
import { archiveSchema, damageLines } from "./archive-schema.ts";
import { checkBackup, checkedSchema, describeChecked } from "./check-backup.ts";
import { writeBackup } from "./write-backup.ts";

const inputSchema = z.strictObject({
  folder: z
    .string()
    .min(1)
    .exactOptional()
    .describe(
      "Existing folder for the backup, which is named after the time. Default: backups in the data folder; with PostgreSQL, the current folder. With `verify`, it can also be an existing backup, which is only read.",
    ),
  file: z
    .string()
    .min(1)
    .exactOptional()
    .describe(
      "File to write the backup to instead. It must not exist yet, and is compressed if its name ends in .zst.",
    ),
  verify: z
    .boolean()
    .exactOptional()
    .describe("Read the backup back and check every row, count and hash in it. Default false."),
});

const outputSchema = archiveSchema.extend({
  checked: checkedSchema.nullable().describe("What was read back and verified, if requested."),
});

export const backup = defineOperation({
  name: "backup",
  summary:
    "Back up the whole store, every tenant and agent, into one file. Other processes can keep using the store.",
  input: inputSchema,
  output: outputSchema,
  command: {
    positional: ["folder"],
    flags: { file: { name: "output", letter: "o", value: "file" } },
    examples: [
      ["lcm backup", "into backups in the data folder"],
      ["lcm backup /mnt/backups", "into an existing folder"],
      ["lcm backup -o store.jsonl.zst --verify", "into this file, and read it back"],
    ],
    refuse: refuseTwoPlaces,
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
  run: async (engine, { verify = false, ...place }, use) => {
    const { folder } = place;
    const kind = folder === undefined ? undefined : kindOf(folder);
    if (verify && folder !== undefined && kind === "file") return checkBackup(path.resolve(folder), use);
    if (verify && folder !== undefined && kind === null) throw nothingToVerify(folder);
    if (folder !== undefined) requireFolder(folder);
    const report = await writeBackup(engine, { ...use, ...place });
    return verify ? checkBackup(report.file, use, report) : { ...report, checked: null };
  },
});

function refuseTwoPlaces({ folder, file }: z.infer<typeof inputSchema>): PalimpsestError | undefined {
  if (file === "-")
    return new PalimpsestError("invalid-input", "a backup cannot be written to standard output", {
      advice: "Use: lcm export -o -",
    });
  if (folder === undefined || file === undefined) return undefined;
  return new PalimpsestError("invalid-input", "a folder and --output were both given", {
    advice: "Name one place for the backup.",
  });
}

/** With `verify`, a name is usually that of an existing backup. */
function nothingToVerify(place: string): PalimpsestError {
  return new PalimpsestError("not-found", `no such file or folder: ${path.resolve(place)}`, {
    advice: "To verify a backup, use its file. To write a new backup and verify it, use an existing folder.",
  });
}

/** A folder is not created: a name with a typing error, or of a disk that is not mounted, would look like a success. */
function requireFolder(folder: string): void {
  const kind = kindOf(folder);
  if (kind === "folder") return;
  const message =
    kind === "file" ? `${folder} is a file, not a folder` : `the folder ${folder} does not exist`;
  const advice =
    kind === "file"
      ? `To read this backup back, add --verify. To write a file, use: lcm backup -o <new file>`
      : `Create it first. If it is the name of a file, use: lcm backup -o ${quoted(folder)}`;
  throw new PalimpsestError("invalid-input", message, { advice });
}

function kindOf(place: string): "file" | "folder" | null {
  const found = statSync(place, { throwIfNoEntry: false });
  if (found === undefined) return null;
  return found.isDirectory() ? "folder" : "file";
}
