/** Where stores are put for a measurement: in memory, where the disk plays no part, and on disk. */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";

export interface Place {
  readonly name: "tmpfs" | "disk";
  readonly folder: string;
}

const MEMORY = "/dev/shm";

export const DISK: Place = { name: "disk", folder: os.tmpdir() };

/** Memory first, when the system has it. */
export function places(): Place[] {
  return existsSync(MEMORY) ? [{ name: "tmpfs", folder: MEMORY }, DISK] : [DISK];
}

const folders: string[] = [];

/** A new folder that is gone when the process ends. */
export function temporaryFolder(place: Place): string {
  if (folders.length === 0) process.once("exit", removeFolders);
  const folder = mkdtempSync(path.join(place.folder, "palimpsest-bench-"));
  folders.push(folder);
  return folder;
}

function removeFolders(): void {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}
