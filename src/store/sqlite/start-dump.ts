/** Everything in the store, row by row. In a module of its own, because a thread seldom dumps and starts often. */
import { dumpRows } from "../reads/dump.ts";
import type { DumpDamage, DumpRow } from "../store.ts";
import type { Database } from "./database.ts";
import { dumpSource } from "./dump.ts";
import { dumpReadableRows } from "./dump-readable.ts";
import { dumpSalvagedRows, dumpSoundRows } from "./dump-sound.ts";
import { schemaProblems } from "./schema-problems.ts";
import { damagedHeader } from "./sqlite-errors.ts";

/** Without damage or not at all; without conversations that are damaged; or with all that can be read. */
export type DumpKind = "strict" | "sound" | "with-damaged";

/** `onDamage` is told what a sound dump leaves out. */
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
