import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { inspect } from "node:util";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, inject, it } from "vitest";
import { checkIntegrity } from "../../src/context/verify/check-integrity.ts";
import { type Engine, isPalimpsestError, open, PalimpsestError } from "../../src/index.ts";
import { SCHEMA_VERSION } from "../../src/store/migrations.ts";
import { DATABASE_NAME } from "../../src/store/sqlite/index.ts";
import { freshDatabase } from "../start-postgres.ts";
import { temporaryFolder } from "../temporary-store.ts";

const SAID = { role: "user", content: "remember this" };

/** The error that opening ends with. Everything a person or a log could see of it is in `text`. */
async function refusal(store: string): Promise<{ code: string; text: string; advice: string }> {
  try {
    await (await open({ store })).close();
  } catch (error) {
    if (!(error instanceof PalimpsestError)) throw error;
    return { code: error.code, text: inspect(error, { depth: 9 }), advice: error.advice ?? "" };
  }
  throw new Error(`${store} was opened`);
}

describe("a SQLite store that cannot be used", () => {
  let dataDir: string;
  let file: string;
  beforeEach(() => {
    dataDir = temporaryFolder();
    file = path.join(dataDir, DATABASE_NAME);
  });
  afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

  /** Refused, with something to do about it, and every file of the folder as it was. */
  async function expectUntouched(code: string, reason: RegExp): Promise<void> {
    const before = filesOf(dataDir);
    const { code: found, text, advice } = await refusal(dataDir);
    expect([found, text]).toEqual([code, expect.stringMatching(reason)]);
    expect(advice).not.toBe("");
    expect(filesOf(dataDir)).toEqual(before);
  }

  it("is refused below a file", async () => {
    const blocked = path.join(dataDir, "file");
    writeFileSync(blocked, "in the way");
    const { code, advice } = await refusal(path.join(blocked, "data"));
    expect([code, advice]).toEqual(["store-readonly", expect.stringContaining("dataDir")]);
    expect(readFileSync(blocked, "utf8")).toBe("in the way");
  });

  it("is refused in a folder that may only be read", () => {
    chmodSync(dataDir, 0o555);
    // Root may write anywhere, so an ordinary user tries it.
    const program = fileURLToPath(new URL("./open-once.ts", import.meta.url));
    const user = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
    const child = spawnSync(process.execPath, [program, dataDir], { encoding: "utf8", env: {}, ...user });
    expect([child.stderr, child.stdout.trim()]).toEqual(["", "store-readonly"]);
    expect(readdirSync(dataDir)).toEqual([]);
  });

  it("is refused when its file is no database", async () => {
    writeFileSync(file, "These are notes that somebody keeps under an unlucky name.\n".repeat(200));
    await expectUntouched("store-corrupt", /not a database/);
  });

  it("is refused when a folder stands where the file should be", async () => {
    mkdirSync(file);
    await expectUntouched("store-readonly", /EISDIR/);
  });

  it.each(["delete", "wal"])(
    "is refused when it is another application's (journal mode %s)",
    async (mode) => {
      runSql(
        file,
        `PRAGMA journal_mode = ${mode}; CREATE TABLE recipes (name TEXT); INSERT INTO recipes VALUES ('soup')`,
      );
      await expectUntouched("store-foreign", /another application/);
    },
  );

  it("is refused when another application has marked it as its own", async () => {
    runSql(file, "PRAGMA application_id = 42");
    await expectUntouched("store-foreign", /another application/);
  });

  it("is refused when a newer version wrote it", async () => {
    await fill(dataDir);
    runSql(file, "PRAGMA user_version = 99");
    await expectUntouched("store-newer", /newer palimpsest \(schema 99/);
  });

  it("is refused when its first page is damaged", async () => {
    await fill(dataDir);
    overwrite(file, 0, 100);
    await expectUntouched("store-corrupt", /not a database/);
  });

  it("answers and reports what is damaged inside, and stays as it is", async () => {
    await fill(dataDir);
    overwrite(file, 4096 * 2, 4096 * 60);
    const bytes = readFileSync(file);
    const { code, problems } = await examine(dataDir);
    expect(code).toBe("store-corrupt");
    expect(problems).toBeGreaterThan(0);
    expect(readFileSync(file).equals(bytes)).toBe(true);
  });

  it("answers and reports what was cut off", async () => {
    await fill(dataDir);
    const bytes = readFileSync(file);
    writeFileSync(file, bytes.subarray(0, Math.floor(bytes.length / 8192) * 4096));
    const { code, problems } = await examine(dataDir);
    expect(code).toBe("store-corrupt");
    expect(problems).toBeGreaterThan(0);
  });
});

describe("a PostgreSQL that cannot be used", () => {
  const server = inject("postgresUrl");
  let database: Awaited<ReturnType<typeof freshDatabase>>;
  beforeEach(async () => {
    database = await freshDatabase(server);
  });
  afterEach(() => database.drop());

  const changed = (change: (url: URL) => void) => {
    const url = new URL(database.url);
    change(url);
    return url.href;
  };

  it.each<[string, (url: URL) => void, RegExp]>([
    ["does not run", (url) => Object.assign(url, { port: "1", password: "hunter2" }), /ECONNREFUSED/],
    ["does not exist", (url) => Object.assign(url, { hostname: "nowhere.invalid" }), /nowhere\.invalid/],
    ["refuses the password", (url) => Object.assign(url, { password: "hunter2" }), /authentication/],
    ["does not know the user", (url) => Object.assign(url, { username: "stranger" }), /stranger/],
    ["does not have the database", (url) => Object.assign(url, { pathname: "/missing" }), /missing/],
  ])("is named without its password when it %s", async (_, change, reason) => {
    const url = changed(change);
    const { code, text, advice } = await refusal(url);
    expect([code, text]).toEqual(["store-unavailable", expect.stringMatching(reason)]);
    expect(advice).not.toBe("");
    expect(`${text} ${advice}`).not.toContain(new URL(url).password);
  });

  it("is refused when the schema is another application's, and left as it was", async () => {
    await runStatements(
      database.url,
      "CREATE SCHEMA palimpsest",
      "CREATE TABLE palimpsest.recipes (name text)",
    );
    const before = await tablesOf(database.url);
    expect((await refusal(database.url)).code).toBe("store-foreign");
    expect(await tablesOf(database.url)).toEqual(before);
  });

  it("is refused when a newer version wrote it, and left as it was", async () => {
    await fill(database.url);
    await runStatements(
      database.url,
      "UPDATE palimpsest.store_meta SET value = '99' WHERE name = 'schema_version'",
    );
    const { code, text } = await refusal(database.url);
    expect([code, text]).toEqual(["store-newer", expect.stringContaining("schema 99")]);
    await runStatements(
      database.url,
      `UPDATE palimpsest.store_meta SET value = '${SCHEMA_VERSION}' WHERE name = 'schema_version'`,
    );
    const engine = await open({ store: database.url });
    expect((await engine.store.info()).messages).toBe(40);
    await engine.close();
  });
});

/** A store with forty messages of some length, closed again. */
async function fill(store: string): Promise<void> {
  const engine = await open({ store });
  for (let turn = 0; turn < 20; turn++) {
    const long = { role: "assistant", content: Buffer.alloc(3000, `turn ${turn} `).toString("base64") };
    await engine.context.commitTurn({
      conversation: `s${turn % 3}`,
      key: `t${turn}`,
      messages: [SAID, long],
    });
  }
  await engine.close();
}

/** How reading a damaged store ends, and how many problems the check finds in it. */
async function examine(store: string): Promise<{ code: string | undefined; problems: number }> {
  let engine: Engine | undefined;
  try {
    engine = await open({ store });
    const problems = (await engine.store.checkEngine()).length;
    await checkIntegrity(engine.store);
    return { code: undefined, problems };
  } catch (error) {
    if (!isPalimpsestError(error)) throw error;
    const problems = engine === undefined ? 1 : (await engine.store.checkEngine()).length;
    return { code: error.code, problems };
  } finally {
    await engine?.close();
  }
}

function overwrite(file: string, from: number, to: number): void {
  const bytes = readFileSync(file);
  bytes.fill(0xa5, from, Math.min(to, bytes.length));
  writeFileSync(file, bytes);
}

function filesOf(folder: string): Record<string, string> {
  const read = (name: string) => {
    const entry = path.join(folder, name);
    return [name, readdirIfFolder(entry) ?? readFileSync(entry).toString("base64")];
  };
  return Object.fromEntries(readdirSync(folder).sort().map(read));
}

function readdirIfFolder(entry: string): string | undefined {
  try {
    return readdirSync(entry).join();
  } catch {
    // A file, whose bytes are compared.
    return undefined;
  }
}

function runSql(file: string, sql: string): void {
  const database = new DatabaseSync(file);
  database.exec(sql);
  database.close();
}

async function runStatements(url: string, ...statements: readonly string[]): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

async function tablesOf(url: string): Promise<unknown[]> {
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client.query(
    "SELECT schemaname, tablename FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema') ORDER BY 1, 2",
  );
  await client.end();
  return rows;
}
