import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { describe, expect, inject, it } from "vitest";
import { freshDatabase } from "../../test/start-postgres.ts";
import { sha256 } from "../text/bytes.ts";
import { BASE_VERSION, MIGRATIONS, SCHEMA_VERSION } from "./migrations.ts";
import { Connections } from "./postgres/connections.ts";
import * as postgres from "./postgres/migrate.ts";
import { readPostgresUrl } from "./postgres/postgres-url.ts";
import { Database } from "./sqlite/database.ts";
import * as sqlite from "./sqlite/migrate.ts";

/** With two changes of a later version of Palimpsest. */
const CHANGES = [
  ...MIGRATIONS,
  { version: SCHEMA_VERSION + 1, sql: "ALTER TABLE summaries ADD COLUMN note TEXT" },
  {
    version: SCHEMA_VERSION + 3,
    sql: {
      sqlite: "ALTER TABLE summaries ADD COLUMN colour BLOB",
      postgres: "ALTER TABLE summaries ADD COLUMN colour bytea",
    },
  },
];

describe("a change of the schema for both engines", () => {
  it("comes to new and to older stores on SQLite", async () => {
    const folder = mkdtempSync(path.join(tmpdir(), "palimpsest-migrations-"));
    for (const base of [0, BASE_VERSION.sqlite]) {
      const file = path.join(folder, `${base}.db`);
      const database = new Database({ file, readOnly: false });
      if (base > 0)
        database.exec(
          `${sqlite.schemaSql([])}; PRAGMA application_id = ${sqlite.APPLICATION_ID}; PRAGMA user_version = ${base}`,
        );
      await sqlite.migrate(database, file, CHANGES);
      expect(database.one("PRAGMA user_version")).toEqual({ user_version: SCHEMA_VERSION + 3 });
      expect(database.all("SELECT note, colour FROM summaries")).toEqual([]);
      database.close();
    }
  });

  it("comes to new and to older stores on PostgreSQL", async () => {
    const { url, drop } = await freshDatabase(inject("postgresUrl"));
    const client = new pg.Client(url);
    await client.connect();
    await client.query(`CREATE SCHEMA older; SET search_path = older; ${postgres.schemaSql([])}`);
    await client.query(
      "INSERT INTO store_meta VALUES ('application', 'palimpsest'), ('schema_version', $1)",
      [BASE_VERSION.postgres],
    );
    for (const schema of ["older", "newer"]) {
      const connections = new Connections(readPostgresUrl(`${url}?schema=${schema}`));
      await postgres.migrate(connections, schema, {}, CHANGES);
      await connections.close();
      const { rows } = await client.query(
        `SELECT value FROM ${schema}.store_meta WHERE name = 'schema_version'`,
      );
      expect(rows).toEqual([{ value: String(SCHEMA_VERSION + 3) }]);
      expect((await client.query(`SELECT note, colour FROM ${schema}.summaries`)).rows).toEqual([]);
    }
    await client.end();
    await drop();
  });

  it("has a version of its own, after those that the engines had", () => {
    const versions = MIGRATIONS.map(({ version }) => version);
    expect(versions).toEqual([...new Set(versions)].toSorted((a, b) => a - b));
    expect(versions.filter((version) => version <= BASE_VERSION.postgres)).toEqual([]);
  });

  it.each([
    ["sqlite", sqlite.schemaSql, "5e66d11994ff6ca732e778364e4d433c573b5dde4afab63885fb8e8b093b3670"],
    ["postgres", postgres.schemaSql, "0d1f898ee62dbf2f5f9ee8f1fa9decea9602004268cc3167051e8a6890eb4075"],
  ])("is never in schema.sql of %s, which existing stores were created with", (_, schemaSql, digest) => {
    expect(sha256(schemaSql([]).replaceAll(/--.*$/gm, ""))).toBe(digest);
  });
});
