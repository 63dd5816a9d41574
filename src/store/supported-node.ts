/**
 * Checks the Node version. An older one lacks modules and functions; so that it can report this, they are never imported by
 * name before this check (`zlib.zstdCompressSync`, and `node:sqlite` only in the threads).
 */
import { PalimpsestError } from "../errors.ts";

/** The first release whose built-in SQLite has what the embedded store needs. */
const OLDEST = [22, 16] as const;
export const OLDEST_NODE = OLDEST.join(".");

export function isSupportedNode(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
}

export function requireNode(version: string = process.versions.node): void {
  if (isSupportedNode(version)) return;
  throw new PalimpsestError(
    "not-supported",
    `palimpsest needs Node ${OLDEST_NODE} or newer; this is ${version}`,
    {
      advice: "Install a newer Node: https://nodejs.org",
    },
  );
}
