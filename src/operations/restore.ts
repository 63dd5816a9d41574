import path from "node:path";
import { z } from "zod";
import type { Engine } from "../engine.ts";
import { isPalimpsestError, PalimpsestError } from "../errors.ts";
import { isArchive, readArchive } from "../store/archive.ts";
import { writeBackup } from "./backups.ts";
import { followRows } from "./follow-rows.ts";
import { defineOperation, type Use } from "./operation.ts";

export const restore = defineOperation({
  name: "restore",
  summary: "Replace the whole store by a backup or export, after a safety backup of what is there now.",
  input: z.strictObject({ file: z.string().min(1).describe("The backup or export to take.") }),
  output: z.strictObject({
    file: z.string().describe("The file that was taken."),
    conversations: z.number().int().describe("Conversations in the store now."),
    messages: z.number().int().describe("Messages in the store now."),
    safetyBackup: z.string().nullable().describe("Backup of what was there before; null when nothing was."),
  }),
  makesStore: true,
  run: async (engine, input, use) => {
    const file = path.resolve(input.file);
    await requireArchive(file);
    const safetyBackup = await backUpFirst(engine, use);
    const { onProgress, ...rest } = use;
    const onRows = (done: number) => onProgress?.({ done, unit: "rows" });
    const rows = followRows(readArchive(file), { ...rest, onRows });
    const { conversations, messages } = await engine.store.load(rows, { replace: true });
    return { file, conversations, messages, safetyBackup };
  },
});

export async function requireArchive(file: string): Promise<void> {
  if (await isArchive(file)) return;
  throw new PalimpsestError("invalid-input", `${file} is not a backup or export of a palimpsest store`, {
    advice: "Backups are made by lcm backup. To bring in a transcript, use lcm import.",
  });
}

async function backUpFirst(engine: Engine, use: Use): Promise<string | null> {
  const isEmpty = (await engine.store.scopes()).length === 0;
  if (isEmpty) return null;
  try {
    return (await writeBackup(engine, { ...use, suffix: "-before-restore" })).file;
  } catch (error) {
    if (!isPalimpsestError(error) || error.code === "cancelled") throw error;
    const message = `what is there cannot be backed up first: ${error.message}`;
    throw new PalimpsestError(error.code, message, {
      advice:
        "Nothing was changed. Restore into a new store and use that: lcm restore <file>, with --data <folder> or --database-url <address>.",
      cause: error,
    });
  }
}
