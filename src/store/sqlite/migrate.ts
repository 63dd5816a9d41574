/**
 * Migrates a database to the current schema, or refuses it: a file of another application and one written by a newer version
 * are not changed.
 */
import { readFileSync } from "node:fs";
import { PalimpsestError } from "../../errors.ts";
import { fillOlderRows } from "../fill-older-rows.ts";
import { MIGRATIONS, requireKnownVersion, SCHEMA_VERSION, sqlOf, versionAfter } from "../migrations.ts";
import type { Database } from "./database.ts";
import { damagedHeader } from "./sqlite-errors.ts";
import { portOf } from "./sqlite-port.ts";

/** "PLMP" in ASCII: marks the file as a Palimpsest store, visible to `file(1)`. */
export const APPLICATION_ID = 0x504c4d50;
/** Versions count up by one: a larger number in the header of a file means damage. */
const MOST_VERSIONS = 99;
/** No other application has all of these: a file with them but without our application id is our own, and damaged. */
const OWN_TABLE_COUNT = 4;
const OWN_TABLES = "'context_items', 'transcript_lines', 'assembly_receipts', 'conversation_bootstrap_state'";

export async function migrate(database: Database, file: string, changes = MIGRATIONS): Promise<void> {
  const target = versionAfter(changes);
  if (readVersion(database, file) === target) return;
  database.begin();
  try {
    // Another process may have migrated while this one waited for the lock.
    const version = readVersion(database, file);
    if (version === 0) database.exec(schemaSql(changes));
    else {
      database.exec(sqlOf(changes, "sqlite", version));
      await fillOlderRows(portOf(database), version);
    }
    database.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${target}`);
    database.exec("COMMIT");
  } catch (error) {
    database.rollback();
    throw error;
  }
}

/** The version of the schema in the file; 0 for a new file. */
export function readVersion(database: Database, file: string): number {
  const applicationId = pragma(database, "application_id");
  const version = pragma(database, "user_version");
  const tables = database.one<{ count: number; own: number }>(
    `SELECT count(*) AS count, count(*) FILTER (WHERE name IN (${OWN_TABLES})) AS own FROM sqlite_schema`,
  );
  if (applicationId === APPLICATION_ID) {
    if ((version === 0 && tables?.count !== 0) || version < 0 || version > MOST_VERSIONS)
      throw damagedHeader(file, `its header says schema ${version}, which cannot be`);
    return version === 0 ? 0 : requireKnownVersion(version, "sqlite", file);
  }
  if (applicationId === 0 && tables?.count === 0) return 0;
  if (tables?.own === OWN_TABLE_COUNT) throw damagedHeader(file, "its header does not say whose file it is");
  throw new PalimpsestError("store-foreign", `${file} belongs to another application`, {
    advice: "Choose another data folder with `dataDir` or LCM_DATA_DIR. The file was not changed.",
  });
}

/** Refuses a store that a newer version has changed. Runs in every writing transaction, so the usual version is checked first. */
export function requireKnown(database: Database, file: string): void {
  if (pragma(database, "user_version") !== SCHEMA_VERSION) readVersion(database, file);
}

/** A read-only store cannot be migrated to the current schema. */
export function requireCurrent(version: number, file: string): void {
  if (version === SCHEMA_VERSION) return;
  throw new PalimpsestError("store-readonly", `${file} has an older schema and is read-only`, {
    advice: "Let a user who may write to the data folder open it once, for example with: lcm status",
  });
}

function pragma(database: Database, name: "application_id" | "user_version"): number {
  return Number(database.one(`PRAGMA ${name}`)?.[name] ?? 0);
}

export function schemaSql(changes = MIGRATIONS): string {
  return readFileSync(new URL("./schema.sql", import.meta.url), "utf8") + sqlOf(changes, "sqlite");
}
