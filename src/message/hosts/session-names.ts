/** Session ids in the file names that hosts choose. */
import { basename } from "node:path";

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i;

/** The file's name without its folder and without `.jsonl`, `.json` or `.ndjson`. */
export function fileStem(path: string): string {
  // A path from a Windows host keeps its backslashes when it is read elsewhere.
  const name = basename(path.replaceAll("\\", "/"));
  return name.replace(/\.(jsonl|ndjson|json)$/i, "") || name;
}

/** The file's stem if it is a UUID. */
export function uuidStem(path: string): string | null {
  const stem = fileStem(path);
  return UUID.exec(stem)?.[0] === stem ? stem : null;
}

/** The UUID at the end of the file's stem, as in `rollout-<time>-<uuid>` and `<time>_<uuid>`. */
export function uuidAtEnd(path: string): string | null {
  const stem = fileStem(path);
  return UUID.exec(stem.slice(-36))?.[0] ?? null;
}
