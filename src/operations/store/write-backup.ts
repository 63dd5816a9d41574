/** Writes a backup, and records its path if it is not in the default folder. */
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { type Engine, internalsOf } from "../../engine.ts";
import { PalimpsestError } from "../../errors.ts";
import { type ArchiveReport, writeArchive } from "../../store/archive.ts";
import { fileProblem } from "../../text/file-problem.ts";
import type { Use } from "../operation.ts";
import { recordBackup } from "./backup-records.ts";
import { archiveOptions, backupFolder, timestamp } from "./backups.ts";

/** `suffix` is the reason for an automatic backup. */
export async function writeBackup(
  engine: Engine,
  options: { readonly folder?: string; readonly suffix?: string } & Use,
): Promise<ArchiveReport> {
  const usual = backupFolder(engine.config);
  const folder = path.resolve(options.folder ?? usual);
  await makeFolder(folder);
  const name = `palimpsest-${timestamp(internalsOf(engine).clock())}${options.suffix ?? ""}.jsonl.zst`;
  const report = await writeArchive(engine.store, path.join(folder, name), {
    ...archiveOptions(options),
    withDamaged: true,
  });
  // With PostgreSQL the default is the current directory, which may differ next time.
  if (folder !== usual || engine.store.engine === "postgres") await recordBackup(engine, report.file);
  return report;
}

/** Only its owner may read conversations. */
async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new PalimpsestError(
      "invalid-input",
      `the folder ${folder} cannot be created: ${fileProblem(error)}`,
      {
        advice: "Choose a folder this user may write to.",
        cause: error,
      },
    );
  }
}
