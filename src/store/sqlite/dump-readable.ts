/**
 * All that can be read of a database that may be damaged. Where its structure is, rows are taken from a salvaged copy
 * beside it, which is removed afterwards.
 */
import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { dumpDamagedRows } from "../reads/dump-damaged.ts";
import type { DumpRow } from "../store.ts";
import { structuralProblems } from "./calls.ts";
import { Database } from "./database.ts";
import { dumpSource } from "./dump.ts";
import { salvage } from "./salvage/salvage.ts";

export async function* dumpReadableRows(database: Database, file: string): AsyncGenerator<DumpRow> {
  if (structuralProblems(database).length === 0) {
    database.exec("BEGIN");
    yield* dumpDamagedRows(dumpSource(database));
    return;
  }
  const copy = `${file}.salvage-${randomBytes(8).toString("hex")}`;
  try {
    const { problems } = salvage(file, copy);
    const salvaged = new Database({ file: copy, readOnly: true });
    try {
      yield* dumpDamagedRows(dumpSource(salvaged));
    } finally {
      salvaged.close();
    }
    for (const problem of problems) yield { row: "damage", conversation: null, seq: null, problem };
  } finally {
    for (const suffix of ["", "-wal", "-shm"]) rmSync(copy + suffix, { force: true });
  }
}
