import { randomBytes } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { freshDatabase } from "../../../test/start-postgres.ts";
import { sha256 } from "../../text/bytes.ts";
import { DEFAULT_SCOPE } from "../../types.ts";
import { EVERY_SCOPE } from "../memory-store.ts";
import { publishAll } from "../testing/publish-all.ts";
import { remember, sampleMemory } from "../testing/sample-memory.ts";
import { openPostgresStore } from "./index.ts";
import { migrationSql, SCHEMA_VERSION } from "./migrate.ts";

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

  async function buildFromMigrations(schema: string, last = SCHEMA_VERSION): Promise<void> {
    await client.query(`CREATE SCHEMA ${schema}; SET search_path = ${schema}`);
    for (let version = 1; version <= last; version++) await client.query(migrationSql(version));
    await client.query("RESET search_path");
  }

  it("is the same whether it is created at once or migrated step by step", async () => {
    const store = await openPostgresStore({ url: `${database.url}?schema=created` });
    await store.close();
    await buildFromMigrations("migrated");
    const created = await catalogOf("created");
    expect(created.length).toBeGreaterThan(80);
    expect(await catalogOf("migrated")).toEqual(created);
  });

  it("counts the context of an older store anew, in which nothing is a stub yet", async () => {
    await buildFromMigrations("older", 2);
    await client.query(`
      INSERT INTO older.store_meta VALUES ('application', 'palimpsest'), ('schema_version', '2');
      INSERT INTO older.conversations (tenant, agent, uid, session_id, created_at, updated_at, context_tokens)
        VALUES ('default', 'default', 'conv_0123456789abcdef', 's', now(), now(), 77)`);
    const store = await openPostgresStore({ url: `${database.url}?schema=older` });
    const found = await store.scoped(DEFAULT_SCOPE).conversation({ id: "conv_0123456789abcdef" });
    expect(found).toMatchObject({ contextTokens: 77, contextStubTokens: 77 });
    await store.close();
  });

  /** Converts the store to an earlier version: its rows, in the tables and columns of that version. */
  async function makeOlder(schema: string, version: number): Promise<void> {
    await client.query(`ALTER SCHEMA ${schema} RENAME TO ${schema}_newer`);
    await buildFromMigrations(schema, version);
    const { rows: tables } = await client.query<{ table_name: string; columns: string }>(
      `SELECT table_name, string_agg(column_name, ', ') AS columns FROM information_schema.columns
       WHERE table_schema = $1 GROUP BY table_name`,
      [schema],
    );
    const copies = tables.map(
      ({ table_name, columns }) => `INSERT INTO ${schema}.${table_name} (${columns}) OVERRIDING SYSTEM VALUE
        SELECT ${columns} FROM ${schema}_newer.${table_name};`,
    );
    // Without triggers, so that no reference is checked before its row exists.
    await client.query(`SET session_replication_role = replica; ${copies.join("\n")} RESET session_replication_role;
      UPDATE ${schema}.store_meta SET value = '${version}' WHERE name = 'schema_version'`);
  }

  it("refuses what a process of an earlier version would write unseen", async () => {
    const store = await openPostgresStore({ url: `${database.url}?schema=counted` });
    await store.close();
    const written = client.query(`INSERT INTO counted.memory_vector_bits
      (tenant, scope, number, model, passage, is_active, bits) VALUES ('t', 's', 1, 'm', 0, true, B'1')`);
    await expect(written).rejects.toThrow(/change/);
  });

  it("finds memories of an older store by what they tell", async () => {
    const url = `${database.url}?schema=told`;
    const access = { tenant: "default", scopes: EVERY_SCOPE } as const;
    const before = await openPostgresStore({ url });
    const { id } = await remember(
      before.memoriesOf(access),
      sampleMemory("global", { abstract: "Prefers tea." }),
    );
    await before.close();
    await makeOlder("told", 5);
    const store = await openPostgresStore({ url });
    const { rows } = await store.memoriesOf(access).memories({ saying: "prefers the tea" });
    expect(rows.map((memory) => memory.id)).toEqual([id]);
    await store.close();
  });

  it("gives summaries of an older store the hash of their text, and none to what cannot be read", async () => {
    const url = `${database.url}?schema=summarised`;
    const before = await openPostgresStore({ url });
    const texts = ["short", "long ".repeat(2_000), "unreadable ".repeat(2_000), "gone"];
    const ids = await publishAll(before, texts);
    await before.close();
    await client.query(`UPDATE summarised.summaries SET content = '\\x00112233' WHERE summary_number = 3;
      UPDATE summarised.summaries SET content = NULL, encoding = 'erased' WHERE summary_number = 4`);
    await makeOlder("summarised", 6);
    const store = await openPostgresStore({ url });
    const found = await Promise.all(ids.map((id) => store.scoped(DEFAULT_SCOPE).summary(id)));
    expect(found.map((summary) => summary?.contentHash)).toEqual([
      ...texts.slice(0, 2).map((text) => sha256(text)),
      null,
      null,
    ]);
    await store.close();
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
});
