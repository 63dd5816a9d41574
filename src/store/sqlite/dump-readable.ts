/**
 * All that can be read of a database that may be damaged. Where its structure is, rows are taken from a salvaged copy
 * beside it, which is removed afterwards.
 */
import { dumpDamagedRows } from "../reads/dump-damaged.ts";
import type { DumpRow } from "../store.ts";
import { structuralProblems } from "./calls.ts";
import { Database } from "./database.ts";
import { dumpSource } from "./dump.ts";
import { salvageBeside } from "./salvage/salvage-beside.ts";

export async function* dumpReadableRows(database: Database, file: string): AsyncGenerator<DumpRow> {
  if (structuralProblems(database).length === 0) {
    database.exec("BEGIN");
    yield* dumpDamagedRows(dumpSource(database));
    return;
  }
  const { copy, problems, remove } = salvageBeside(file);
  try {
    const salvaged = new Database({ file: copy, readOnly: true });
    try {
      yield* dumpDamagedRows(dumpSource(salvaged));
    } finally {
      salvaged.close();
    }
    for (const problem of problems) yield { row: "damage", conversation: null, seq: null, problem };
  } finally {
    remove();
  }
}
