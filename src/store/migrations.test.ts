import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { describe, expect, inject, it } from "vitest";
import { freshDatabase } from "../../test/start-postgres.ts";
import { MIGRATIONS } from "./migrations.ts";
import { Connections } from "./postgres/connections.ts";
import * as postgres from "./postgres/migrate.ts";
import { readPostgresUrl } from "./postgres/postgres-url.ts";
import { Database } from "./sqlite/database.ts";
import * as sqlite from "./sqlite/migrate.ts";

/** Two changes of a later version of Palimpsest. */
const CHANGES = [
  { version: 9, sql: "ALTER TABLE summaries ADD COLUMN note TEXT" },
  {
    version: 11,
    sql: {
      sqlite: "ALTER TABLE summaries ADD COLUMN seal BLOB",
      postgres: "ALTER TABLE summaries ADD COLUMN seal bytea",
    },
  },
];

/** The version that each engine had reached on its own. */
const BASE = { sqlite: 7, postgres: 8 };

describe("a change of the schema for both engines", () => {
  it("comes to new and to older stores on SQLite", async () => {
    const folder = mkdtempSync(path.join(tmpdir(), "palimpsest-migrations-"));
    for (const base of [0, BASE.sqlite]) {
      const file = path.join(folder, `${base}.db`);
      const database = new Database({ file, readOnly: false });
      for (let version = 1; version <= base; version++) database.exec(sqlite.migrationSql(version));
      if (base > 0)
        database.exec(`PRAGMA application_id = ${sqlite.APPLICATION_ID}; PRAGMA user_version = ${base}`);
      await sqlite.migrate(database, file, CHANGES);
      expect(database.one("PRAGMA user_version")).toEqual({ user_version: 11 });
      expect(database.all("SELECT note, seal FROM summaries")).toEqual([]);
      database.close();
    }
  });

  it("comes to new and to older stores on PostgreSQL", async () => {
    const { url, drop } = await freshDatabase(inject("postgresUrl"));
    const client = new pg.Client(url);
    await client.connect();
    await client.query("CREATE SCHEMA older; SET search_path = older");
    for (let version = 1; version <= BASE.postgres; version++)
      await client.query(postgres.migrationSql(version));
    await client.query(
      "INSERT INTO store_meta VALUES ('application', 'palimpsest'), ('schema_version', $1)",
      [BASE.postgres],
    );
    for (const schema of ["older", "newer"]) {
      const connections = new Connections(readPostgresUrl(`${url}?schema=${schema}`));
      await postgres.migrate(connections, schema, {}, CHANGES);
      await connections.close();
      const { rows } = await client.query(
        `SELECT value FROM ${schema}.store_meta WHERE name = 'schema_version'`,
      );
      expect(rows).toEqual([{ value: "11" }]);
      expect((await client.query(`SELECT note, seal FROM ${schema}.summaries`)).rows).toEqual([]);
    }
    await client.end();
    await drop();
  });

  it("has a version of its own, after those that the engines had", () => {
    const versions = MIGRATIONS.map(({ version }) => version);
    expect(versions).toEqual([...new Set(versions)].toSorted((a, b) => a - b));
    expect(versions.filter((version) => version <= BASE.postgres)).toEqual([]);
  });
});
