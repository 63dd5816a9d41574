/**
 * The changes of a set-up, byte for byte, so that it can be undone regardless of the current store. Readable for its owner
 * only.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { setupRecords } from "../../config/host-folders.ts";
import { PalimpsestError } from "../../errors.ts";
import { fileProblem } from "../../text/file-problem.ts";

const recordSchema = z.strictObject({
  /** The Node that the host starts. */
  node: z.string(),
  /** Variables that name the store in the configuration. */
  store: z.record(z.string(), z.string()),
  files: z.array(
    z.strictObject({
      path: z.string(),
      /** Base64; null: there was no file. */
      before: z.string().nullable(),
      after: z.string(),
    }),
  ),
});
export type SetupRecord = z.infer<typeof recordSchema>;

export function readRecord(host: string): SetupRecord | null {
  const file = fileOf(host);
  const text = readBytes(file)?.toString("utf8");
  if (text === undefined) return null;
  try {
    return recordSchema.parse(JSON.parse(text));
  } catch (error) {
    throw new PalimpsestError("invalid-input", `${file} is damaged`, {
      advice:
        "Remove it and run the command again. Undoing then takes out only what Palimpsest wrote, and keeps later changes.",
      cause: error,
    });
  }
}

export function writeRecord(host: string, record: SetupRecord): void {
  const file = fileOf(host);
  try {
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, JSON.stringify(record), { mode: 0o600 });
  } catch (error) {
    throw new PalimpsestError("invalid-input", `${file} cannot be written: ${fileProblem(error)}`, {
      advice: "Nothing was changed. Make the folder writable, and run the command again.",
      cause: error,
    });
  }
}

export function removeRecord(host: string): void {
  rmSync(fileOf(host), { force: true });
}

/** Null when there is no such file. */
export function readBytes(file: string): Buffer | null {
  try {
    return readFileSync(file);
  } catch (error) {
    if (Object(error).code === "ENOENT") return null;
    throw new PalimpsestError("invalid-input", `${file} cannot be read: ${fileProblem(error)}`, {
      advice: "Nothing was changed. Correct that, and run the command again.",
      cause: error,
    });
  }
}

function fileOf(host: string): string {
  return path.join(setupRecords(), `${host}.json`);
}
