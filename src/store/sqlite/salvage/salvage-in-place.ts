/** Replaces a damaged database by a salvaged one, and keeps it under another name. */
import { closeSync, fsyncSync, openSync, renameSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { PalimpsestError } from "../../../errors.ts";
import { fileErrorCode, fileProblem } from "../../../text/file-problem.ts";
import type { SalvagedStore } from "../../open-store.ts";
import { DATABASE_NAME } from "../index.ts";
import { setDatabaseAside } from "../set-aside.ts";
import { fromSqlite, isBusy } from "../sqlite-errors.ts";
import { salvage } from "./salvage.ts";

export function salvageInPlace(dataDir: string, name: string): SalvagedStore {
  const file = path.join(path.resolve(dataDir), DATABASE_NAME);
  const made = `${file}.salvaged`;
  requireUnused(file);
  try {
    const salvaged = salvage(file, made);
    sync(made);
    const damagedFile = setDatabaseAside(dataDir, name);
    renameSync(made, file);
    sync(path.dirname(file));
    return { damagedFile, ...salvaged };
  } catch (error) {
    if (fileErrorCode(error) === undefined || fileErrorCode(error) === "ERR_SQLITE_ERROR")
      throw fromSqlite(error, file);
    throw new PalimpsestError("store-unavailable", `${made} cannot be written: ${fileProblem(error)}`, {
      advice:
        "Make room and make the data folder writable for this user. The damaged database was not changed.",
      cause: error,
    });
  }
}

/** Another process that has it open would continue to write to the kept file. Damage is expected here, and is not an error. */
function requireUnused(file: string): void {
  try {
    const database = new DatabaseSync(file, { timeout: 1_000 });
    try {
      database.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; ROLLBACK");
    } finally {
      database.close();
    }
  } catch (error) {
    if (!isBusy(error)) return;
    throw new PalimpsestError(
      "busy",
      "the damaged database cannot be replaced while another process has it open",
      {
        advice: "Stop the agents and servers that use this store, and repeat: lcm verify repair=true",
        cause: error,
      },
    );
  }
}

function sync(place: string): void {
  const descriptor = openSync(place, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
