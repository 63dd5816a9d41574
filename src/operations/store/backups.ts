/** The folder, names and list of backups. */
import { readdir, stat } from "node:fs/promises";
import path from "node:path";
import type { Config } from "../../config/schema.ts";
import { PalimpsestError } from "../../errors.ts";
import { fileErrorCode, fileProblem } from "../../text/file-problem.ts";
import { isoTime } from "../../text/timestamps.ts";
import type { Use } from "../operation.ts";

export interface Backup {
  readonly file: string;
  /** When the file was finished, ISO 8601 in UTC. */
  readonly at: string;
  readonly bytes: number;
}

const BACKUP_NAME = /^palimpsest-.+\.jsonl(\.zst)?$/;

/** A PostgreSQL store has no folder of its own, so its backups go to the current directory. */
export function backupFolder(config: Pick<Config, "dataDir" | "databaseUrl">): string {
  return config.databaseUrl === null ? path.resolve(config.dataDir, "backups") : path.resolve(".");
}

export function archiveOptions({ signal, onProgress }: Use) {
  return {
    signal,
    onProgress: ({ rows }: { rows: number }) => onProgress?.({ done: rows, unit: "rows" }),
  };
}

/** Newest first. Empty if there is no such folder. */
export async function listBackups(folder: string): Promise<readonly Backup[]> {
  const names = (await namesIn(folder)).filter((name) => BACKUP_NAME.test(name));
  const backups = await Promise.all(names.map((name) => describeBackup(path.join(folder, name))));
  return backups.toSorted((a, b) => b.at.localeCompare(a.at));
}

/** Damaged databases that a repair or a restore kept, with their log, and files of a killed repair. */
const KEPT_DATABASE = /^palimpsest\.db\.(damaged-|salvage)/;
const UNFINISHED_BACKUP = /^palimpsest-.+\.part$/;

/** Our files other than backups that contain earlier content of the store. */
export async function listOldCopies(
  config: Pick<Config, "dataDir" | "databaseUrl">,
): Promise<readonly string[]> {
  const folders: [string, RegExp][] = [[backupFolder(config), UNFINISHED_BACKUP]];
  if (config.databaseUrl === null) folders.push([path.resolve(config.dataDir), KEPT_DATABASE]);
  const found = folders.map(async ([folder, name]) =>
    (await namesIn(folder)).filter((one) => name.test(one)).map((one) => path.join(folder, one)),
  );
  return (await Promise.all(found)).flat().toSorted();
}

export async function describeBackup(file: string): Promise<Backup> {
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

/** `2026-03-01T10-02-03-456Z`: sorts by time and is a file name everywhere. */
export function timestamp(milliseconds: number): string {
  return isoTime(milliseconds).replaceAll(/[:.]/g, "-");
}
