/** Folders that are made once and kept in the system's temporary folder, because making them takes minutes. */
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";

/** A folder that was not finished is never taken for one that was. `name` says all that its content depends on. */
export async function keptFolder(name: string, make: (folder: string) => Promise<void>): Promise<string> {
  const folder = path.join(os.tmpdir(), `palimpsest-bench-${name}`);
  if (existsSync(folder)) return folder;
  const unfinished = `${folder}-${process.pid}`;
  mkdirSync(unfinished, { recursive: true });
  try {
    await make(unfinished);
    renameSync(unfinished, folder);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
  return folder;
}
