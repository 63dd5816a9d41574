import { randomBytes } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { freshDatabase } from "../../../test/start-postgres.ts";
import { BASE_VERSION, SCHEMA_VERSION } from "../migrations.ts";
import { openPostgresStore } from "./index.ts";
import { schemaSql } from "./migrate.ts";

/** Columns, constraints and indexes of a schema, as described by the catalog. */
const CATALOG = `
  SELECT 'column' AS kind, table_name || '.' || column_name AS name,
    concat_ws(' ', ordinal_position, data_type, datetime_precision, collation_name, is_nullable, column_default,
      identity_generation,
      (SELECT attstorage FROM pg_attribute WHERE attrelid = format('%I.%I', table_schema, table_name)::regclass
        AND attname = column_name)) AS definition
    FROM information_schema.columns WHERE table_schema = $1
  UNION ALL SELECT 'constraint', conrelid::regclass || ' ' || conname, pg_get_constraintdef(oid)
    FROM pg_constraint WHERE connamespace = $1::regnamespace
  UNION ALL SELECT 'index', indexname, indexdef FROM pg_indexes WHERE schemaname = $1
  ORDER BY kind, name`;

describe("the schema", () => {
  let database: Awaited<ReturnType<typeof freshDatabase>>;
  let client: pg.Client;

  beforeAll(async () => {
    database = await freshDatabase(inject("postgresUrl"));
    client = new pg.Client(database.url);
    await client.connect();
  });
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  async function catalogOf(schema: string): Promise<unknown[]> {
    const { rows } = await client.query(CATALOG, [schema]);
    return JSON.parse(JSON.stringify(rows).replaceAll(`${schema}.`, ""));
  }

  it("is the same in a new store and in one that was migrated", async () => {
    await (await openPostgresStore({ url: `${database.url}?schema=created` })).close();
    await client.query(`CREATE SCHEMA migrated; SET search_path = migrated; ${schemaSql([])};
      INSERT INTO store_meta VALUES ('application', 'palimpsest'), ('schema_version', '${BASE_VERSION.postgres}');
      RESET search_path`);
    await (await openPostgresStore({ url: `${database.url}?schema=migrated` })).close();
    const created = await catalogOf("created");
    expect(created.length).toBeGreaterThan(80);
    expect(await catalogOf("migrated")).toEqual(created);
  });

  it("refuses what a process of an earlier version would write unseen", async () => {
    const store = await openPostgresStore({ url: `${database.url}?schema=counted` });
    await store.close();
    const written = client.query(`INSERT INTO counted.memory_vector_bits
      (tenant, scope, number, model, passage, is_active, bits) VALUES ('t', 's', 1, 'm', 0, true, B'1')`);
    await expect(written).rejects.toThrow(/change/);
  });

  it("says whose it is and which version it has", async () => {
    await (await openPostgresStore({ url: database.url })).close();
    const { rows } = await client.query("SELECT * FROM palimpsest.store_meta ORDER BY name");
    expect(rows).toEqual([
      { name: "application", value: "palimpsest" },
      { name: "schema_version", value: String(SCHEMA_VERSION) },
    ]);
  });

  it("is created once when several processes open a new store together", async () => {
    const url = `${database.url}?schema=raced`;
    const stores = await Promise.all([1, 2, 3, 4].map(() => openPostgresStore({ url })));
    const infos = await Promise.all(stores.map((store) => store.info()));
    expect(infos.map((info) => info.schemaVersion)).toEqual(Array(4).fill(SCHEMA_VERSION));
    await Promise.all(stores.map((store) => store.close()));
  });

  it("may be prepared empty by an owner of the database for a user without further rights", async () => {
    const role = `plain_${randomBytes(4).toString("hex")}`;
    await client.query(
      `CREATE ROLE ${role} LOGIN PASSWORD 'plain'; CREATE SCHEMA prepared AUTHORIZATION ${role}`,
    );
    const url = new URL(database.url);
    [url.username, url.password, url.search] = [role, "plain", "?schema=prepared"];
    const store = await openPostgresStore({ url: url.href });
    expect((await store.info()).conversations).toBe(0);
    await store.close();
    await client.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
  });

  it("is refused when other tables live there, and left as it was", async () => {
    await client.query("CREATE SCHEMA foreign_app; CREATE TABLE foreign_app.users (id integer)");
    await expect(openPostgresStore({ url: `${database.url}?schema=foreign_app` })).rejects.toMatchObject({
      code: "store-foreign",
      advice: expect.stringContaining("schema="),
    });
    const { rows } = await client.query("SELECT tablename FROM pg_tables WHERE schemaname = 'foreign_app'");
    expect(rows).toEqual([{ tablename: "users" }]);
  });

  it("is refused when store_meta belongs to someone else", async () => {
    await client.query(
      "CREATE SCHEMA other_meta; CREATE TABLE other_meta.store_meta (name text, value text)",
    );
    await expect(openPostgresStore({ url: `${database.url}?schema=other_meta` })).rejects.toMatchObject({
      code: "store-foreign",
    });
  });

  it("is refused when a newer version wrote it", async () => {
    const url = `${database.url}?schema=newer`;
    await (await openPostgresStore({ url })).close();
    await client.query("UPDATE newer.store_meta SET value = '99' WHERE name = 'schema_version'");
    await expect(openPostgresStore({ url })).rejects.toMatchObject({
      code: "store-newer",
      message: expect.stringContaining("schema 99"),
      advice: expect.stringContaining("Update palimpsest"),
    });
  });

  it("is refused when it is from before the first release", async () => {
    const url = `${database.url}?schema=earlier`;
    await (await openPostgresStore({ url })).close();
    await client.query("UPDATE earlier.store_meta SET value = '7' WHERE name = 'schema_version'");
    await expect(openPostgresStore({ url })).rejects.toMatchObject({
      code: "not-supported",
      message: expect.stringContaining("has schema 7"),
      advice: expect.stringContaining("commit b6db576"),
    });
  });
});
