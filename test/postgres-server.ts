/**
 * One PostgreSQL for the whole test run: the one in LCM_TEST_DATABASE_URL, or the one that npm brought along. Tests
 * that need an empty store get a copy of one that was made once.
 */
import { existsSync, statfsSync } from "node:fs";
import type { TestProject } from "vitest/node";
import { openPostgresStore } from "../src/store/postgres/index.ts";
import { freshDatabase, startPostgres, type Template } from "./start-postgres.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** A server on which tests may create databases; see `freshDatabase`. */
    postgresUrl: string;
    /** A database on it that holds an empty store. */
    emptyStore: Template;
  }
}

/** Where syncing to disk takes no time, although the server does it. */
const MEMORY = "/dev/shm";
const ENOUGH_BYTES = 4 * 2 ** 30;

export default async function providePostgres(project: TestProject): Promise<() => Promise<void>> {
  const isInMemory = hasRoom(MEMORY);
  const given = process.env.LCM_TEST_DATABASE_URL;
  const server =
    given !== undefined && given !== ""
      ? { url: given, stop: async () => {} }
      : await startPostgres(isInMemory ? { dataParent: MEMORY } : {});
  const store = await freshDatabase(server.url);
  await (await openPostgresStore({ url: store.url })).close();
  project.provide("postgresUrl", server.url);
  project.provide("emptyStore", {
    name: new URL(store.url).pathname.slice(1),
    // Files are copied faster than pages, but wait until everything before is on disk.
    strategy: isInMemory && given === undefined ? "file_copy" : "wal_log",
  });
  return async () => {
    await store.drop();
    await server.stop();
  };
}

function hasRoom(folder: string): boolean {
  if (!existsSync(folder)) return false;
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize > ENOUGH_BYTES;
}
