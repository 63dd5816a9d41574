/** Renames a damaged database, because another process may still be reading it. */
import { existsSync, renameSync } from "node:fs";
import path from "node:path";
import { PalimpsestError } from "../../errors.ts";
import { fileProblem } from "../../text/file-problem.ts";
import { DATABASE_NAME } from "./index.ts";

/** SQLite's other files first: a log that is left beside a new, empty database would be deleted with it. */
const SUFFIXES = ["-wal", "-shm", "-journal", ""];

/** Returns the new name. The store must not be open in this process. */
export function setDatabaseAside(dataDir: string, name: string): string {
  const file = path.join(path.resolve(dataDir), DATABASE_NAME);
  const target = `${file}.${name}`;
  try {
    for (const suffix of SUFFIXES) if (existsSync(file + suffix)) renameSync(file + suffix, target + suffix);
  } catch (error) {
    throw new PalimpsestError(
      "store-readonly",
      `the damaged ${file} cannot be renamed: ${fileProblem(error)}`,
      {
        advice: "Make the data folder writable for this user, or choose another with `dataDir`.",
        cause: error,
      },
    );
  }
  return target;
}
