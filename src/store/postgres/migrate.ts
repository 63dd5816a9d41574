/**
 * Migrates a schema to the current version, or refuses it: tables of another application and a store written by a newer
 * version are not changed. Several processes may do this at the same time; one does it, the others wait.
 */
import { readFileSync } from "node:fs";
import pg from "pg";
import { PalimpsestError } from "../../errors.ts";
import { fillOlderRows } from "../fill-older-rows.ts";
import { MIGRATIONS, type Migration, requireKnownVersion, sqlOf, versionAfter } from "../migrations.ts";
import type { Connections } from "./connections.ts";
import type { Session } from "./session.ts";
import type { Transaction } from "./transaction.ts";

const APPLICATION = "palimpsest";
/** "PLMP" in ASCII: the advisory lock that creating and migrating takes. */
const MIGRATION_LOCK = 0x504c4d50;

export async function migrate(
  connections: Connections,
  schema: string,
  { mustExist = false }: { readonly mustExist?: boolean } = {},
  changes = MIGRATIONS,
): Promise<void> {
  const target = versionAfter(changes);
  const version = await connections.read((session) => readVersion(session, schema, connections.location));
  if (version === target) return;
  if (version === 0 && mustExist)
    throw new PalimpsestError("not-found", `no store in the schema ${schema} of ${connections.location}`, {
      advice:
        "Create one with: lcm import <file or folder>, or with: lcm memory store <text>. Or set another database with `databaseUrl` or LCM_DATABASE_URL.",
    });
  await connections.write(async (transaction) => {
    // Waits for every writing transaction, and new ones wait for this one.
    await transaction.rows("SELECT pg_advisory_xact_lock($1, hashtext($2))", MIGRATION_LOCK, schema);
    // Another process may have migrated while this one waited for the lock.
    const current = await readVersion(transaction, schema, connections.location);
    if (current === 0) await create(transaction, schema, changes);
    else {
      for (const statement of statementsOf(sqlOf(changes, "postgres", current)))
        await transaction.script(statement);
      await fillOlderRows(transaction, current);
    }
    await transaction.rows(
      `INSERT INTO store_meta (name, value) VALUES ('application', $1), ('schema_version', $2)
       ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
      APPLICATION,
      target,
    );
  });
}

/**
 * Begins a transaction that writes. A newer version may change the schema while this process has the store open: this process
 * then stops writing. The version is read once migrations are locked out.
 */
export async function beginKnown(transaction: Transaction, location: string): Promise<void> {
  const [row] = await transaction.beginWith<{ value: string }>(
    `SELECT pg_advisory_xact_lock_shared(${MIGRATION_LOCK}, hashtext(current_schema()));
     SELECT value FROM store_meta WHERE name = 'schema_version'`,
  );
  requireKnownVersion(Number(row?.value), "postgres", location);
}

async function create(
  transaction: Transaction,
  schema: string,
  changes: readonly Migration[],
): Promise<void> {
  const known = await transaction.one("SELECT FROM pg_namespace WHERE nspname = $1", schema);
  // Not IF NOT EXISTS: it requires the right to create schemas even if there is nothing to create.
  if (known === undefined) await transaction.script(`CREATE SCHEMA ${pg.escapeIdentifier(schema)}`);
  await transaction.script(schemaSql(changes));
}

type Inventory = { encoding: string; tables: number; has_meta: boolean };

/** The version of the store in the schema; 0 if there is no store. */
export async function readVersion(
  session: Session | Transaction,
  schema: string,
  location: string,
): Promise<number> {
  const inventory = await session.one<Inventory>(
    `SELECT current_setting('server_encoding') AS encoding, count(c.oid)::integer AS tables,
       coalesce(bool_or(c.relname = 'store_meta'), false) AS has_meta
     FROM pg_namespace n JOIN pg_class c ON c.relnamespace = n.oid AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
     WHERE n.nspname = $1`,
    schema,
  );
  refuseEncoding(inventory?.encoding, location);
  if (inventory === undefined || inventory.tables === 0) return 0;
  if (!inventory.has_meta) throw foreign(schema, location);
  return readMeta(session, schema, location);
}

async function readMeta(session: Session | Transaction, schema: string, location: string): Promise<number> {
  const rows = await session.rows<{ name: string; value: string }>("SELECT name, value FROM store_meta");
  const meta = new Map(rows.map((row) => [row.name, row.value]));
  const version = Number(meta.get("schema_version"));
  if (meta.get("application") !== APPLICATION || !Number.isInteger(version)) throw foreign(schema, location);
  return requireKnownVersion(version, "postgres", location);
}

function foreign(schema: string, location: string): PalimpsestError {
  return new PalimpsestError(
    "store-foreign",
    `the schema ${schema} in ${location} belongs to another application`,
    {
      advice: "Choose another schema: add ?schema=name to the database URL. Nothing was changed.",
    },
  );
}

/** Databases with other encodings cannot store all characters. */
function refuseEncoding(encoding: string | undefined, location: string): void {
  if (encoding === "UTF8") return;
  throw new PalimpsestError("not-supported", `${location} is encoded as ${encoding}, not UTF8`, {
    advice: "Create a database with UTF8: createdb --encoding=UTF8 --template=template0 name",
  });
}

/** One by one: a cluster refuses several statements on distributed tables in one text. */
function statementsOf(sql: string): string[] {
  return sql
    .replaceAll(/--.*$/gm, "")
    .split(/;\s*$/m)
    .filter((statement) => statement.trim() !== "");
}

export function schemaSql(changes = MIGRATIONS): string {
  return readFileSync(new URL("./schema.sql", import.meta.url), "utf8") + sqlOf(changes, "postgres");
}
