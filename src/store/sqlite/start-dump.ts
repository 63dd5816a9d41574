/** Dumps everything in the store. In a separate module, because a thread rarely dumps and starts often. */
import { dumpRows } from "../reads/dump.ts";
import { dumpDamagedRows } from "../reads/dump-damaged.ts";
import type { DumpDamage, DumpRow } from "../store.ts";
import { structuralProblems } from "./calls.ts";
import { Database } from "./database.ts";
import { dumpSource } from "./dump.ts";
import { dumpSalvagedRows, dumpSoundRows } from "./dump-sound.ts";
import { salvageBeside } from "./salvage/salvage-beside.ts";
import { schemaProblems } from "./schema-problems.ts";
import { damagedHeader } from "./sqlite-errors.ts";

/** Fails on damage; leaves out damaged conversations; or includes everything that can be read. */
export type DumpKind = "strict" | "sound" | "with-damaged";

/** `onDamage` receives what a sound dump leaves out. */
export function startDump(
  database: Database,
  file: string,
  kind: DumpKind,
  onDamage: (damage: DumpDamage) => void,
): AsyncIterator<DumpRow> {
  if (kind === "with-damaged") return dumpReadableRows(database, file);
  const [problem] = schemaProblems(database);
  if (problem !== undefined && kind === "strict") throw damagedHeader(file, problem);
  if (problem !== undefined) return dumpSalvagedRows(file, onDamage);
  database.exec("BEGIN");
  return kind === "strict" ? dumpRows(dumpSource(database)) : dumpSoundRows(database, file, onDamage);
}

/**
 * All readable rows of a database that may be damaged. If its structure is damaged, rows are read from a salvaged copy beside
 * it, which is removed afterwards.
 */
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
