/** The stores that durability is tested on, as one list: every test of these folders runs on all of them. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { freshDatabase } from "../start-postgres.ts";

// The threads and processes that tests start share their compiled code, where Node itself would put it: opening a
// store then takes half the time.
process.env.NODE_COMPILE_CACHE ??= path.join(tmpdir(), "node-compile-cache");

export interface StoreKind {
  readonly name: "SQLite" | "PostgreSQL";
  /** A place for a new store. Nothing is in it until it is opened. */
  create(): Promise<StorePlace>;
}

export interface StorePlace {
  /** What `open({ store })` takes, here and in another process. */
  readonly address: string;
  /** Waits until nothing that a killed process has asked for is still being done. */
  settle(): Promise<void>;
  remove(): Promise<void>;
}

export function storeKinds(postgresUrl: string): readonly StoreKind[] {
  return [
    { name: "SQLite", create: createFolder },
    { name: "PostgreSQL", create: () => createDatabase(postgresUrl) },
  ];
}

/** A folder for a test's files, and for a SQLite store. */
export function makeFolder(): Promise<string> {
  return mkdtemp(path.join(tmpdir(), "palimpsest-test-"));
}

async function createFolder(): Promise<StorePlace> {
  const folder = await makeFolder();
  return {
    address: path.join(folder, "data"),
    settle: async () => {},
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

async function createDatabase(serverUrl: string): Promise<StorePlace> {
  const { url, drop } = await freshDatabase(serverUrl);
  const observer = new pg.Client(serverUrl);
  await observer.connect();
  return {
    address: url,
    settle: () => untilUnused(observer, new URL(url).pathname.slice(1)),
    remove: async () => {
      await observer.end();
      await drop();
    },
  };
}

const SETTLE_TIMEOUT_MS = 20_000;

/** The server notices that a client is gone only when it has finished what the client asked for last. */
async function untilUnused(observer: pg.Client, database: string): Promise<void> {
  for (const deadline = Date.now() + SETTLE_TIMEOUT_MS; ; await delay(5)) {
    const { rowCount } = await observer.query("SELECT FROM pg_stat_activity WHERE datname = $1", [database]);
    if (rowCount === 0) return;
    if (Date.now() > deadline) throw new Error(`connections to ${database} are still open`);
  }
}
