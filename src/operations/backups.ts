/** Where backups are kept, what they are called, and which there are. */
import { mkdir, readdir, stat } from "node:fs/promises";
import path from "node:path";
import type { Config } from "../config/schema.ts";
import type { Engine } from "../engine.ts";
import { PalimpsestError } from "../errors.ts";
import { type ArchiveReport, writeArchive } from "../store/archive.ts";
import { fileErrorCode, fileProblem } from "../text/file-problem.ts";
import { isoTime } from "../text/timestamps.ts";
import type { Use } from "./operation.ts";

export interface Backup {
  readonly file: string;
  /** When the file was finished, ISO 8601 in UTC. */
  readonly at: string;
  readonly bytes: number;
}

const BACKUP_NAME = /^palimpsest-.+\.jsonl(\.zst)?$/;

/** A PostgreSQL store has no folder of its own, so its backups go where the caller stands. */
export function backupFolder(config: Pick<Config, "dataDir" | "databaseUrl">): string {
  return config.databaseUrl === null ? path.resolve(config.dataDir, "backups") : path.resolve(".");
}

/** `suffix` says why the backup was made, when no person asked for it. */
export async function writeBackup(
  engine: Engine,
  options: { readonly folder?: string; readonly suffix?: string } & Use,
): Promise<ArchiveReport> {
  const folder = path.resolve(options.folder ?? backupFolder(engine.config));
  await makeFolder(folder);
  const name = `palimpsest-${timestamp(engine.clock())}${options.suffix ?? ""}.jsonl.zst`;
  return writeArchive(engine.store, path.join(folder, name), archiveOptions(options));
}

export function archiveOptions({ signal, onProgress }: Use) {
  return {
    ...(signal === undefined ? {} : { signal }),
    ...(onProgress === undefined
      ? {}
      : { onProgress: ({ rows }: { rows: number }) => onProgress({ done: rows, unit: "rows" as const }) }),
  };
}

/** Newest first. None when there is no such folder. */
export async function listBackups(folder: string): Promise<readonly Backup[]> {
  const names = (await namesIn(folder)).filter((name) => BACKUP_NAME.test(name));
  const backups = await Promise.all(names.map((name) => describeBackup(path.join(folder, name))));
  return backups.toSorted((a, b) => b.at.localeCompare(a.at));
}

async function describeBackup(file: string): Promise<Backup> {
  const { mtimeMs, size } = await stat(file);
  return { file, at: isoTime(mtimeMs), bytes: size };
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (fileErrorCode(error) === "ENOENT") return [];
    throw new PalimpsestError("store-unavailable", `${folder} cannot be read: ${fileProblem(error)}`);
  }
}

/** Only its owner may read what agents said. */
async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new PalimpsestError("invalid-input", `the folder ${folder} cannot be made: ${fileProblem(error)}`, {
      advice: "Choose a folder this user may write to.",
      cause: error,
    });
  }
}

/** `2026-03-01T10-02-03-456Z`: sorts by time and is a file name everywhere. */
export function timestamp(milliseconds: number): string {
  return isoTime(milliseconds).replaceAll(/[:.]/g, "-");
}
