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

interface Place {
  /** Default: that of the store, which is created. */
  readonly folder?: string;
  /** Instead of a name after the time, in a folder. */
  readonly file?: string;
  /** The reason for an automatic backup. */
  readonly suffix?: string;
}

export async function writeBackup(engine: Engine, options: Place & Use): Promise<ArchiveReport> {
  const usual = backupFolder(engine.config);
  const folder = options.folder ?? usual;
  if (options.file === undefined && folder === usual) await makeFolder(folder);
  const name = `palimpsest-${timestamp(internalsOf(engine).clock())}${options.suffix ?? ""}.jsonl.zst`;
  const file = path.resolve(options.file ?? path.join(folder, name));
  const report = await writeArchive(engine.store, file, { ...archiveOptions(options), withDamaged: true });
  // With PostgreSQL the default is the current directory, which may differ next time.
  if (options.file !== undefined || path.resolve(folder) !== usual || engine.store.engine === "postgres")
    await recordBackup(engine, report.file);
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
