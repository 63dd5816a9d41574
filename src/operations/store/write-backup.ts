/** Makes a backup, and notes where it is when that is not the folder where backups are looked for. */
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { type Engine, internalsOf } from "../../engine.ts";
import { PalimpsestError } from "../../errors.ts";
import { type ArchiveReport, writeArchive } from "../../store/archive.ts";
import { fileProblem } from "../../text/file-problem.ts";
import type { Use } from "../operation.ts";
import { recordBackup } from "./backup-records.ts";
import { archiveOptions, backupFolder, timestamp } from "./backups.ts";

/** `suffix` says why the backup was made, when no person asked for it. */
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
  // With PostgreSQL the usual folder is the caller's, who may stand elsewhere the next time.
  if (folder !== usual || engine.store.engine === "postgres") await recordBackup(engine, report.file);
  return report;
}

/** Only its owner may read what agents said. */
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
