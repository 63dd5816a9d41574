/** Real stores for tests: a fresh SQLite folder, or a database with an empty store on the run's PostgreSQL. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { inject } from "vitest";
import type { EngineName } from "../src/store/store.ts";
import { freshDatabase } from "./start-postgres.ts";

export interface Place {
  readonly engine: EngineName;
  /** What `open({ store })` takes. */
  readonly store: string;
  dispose(): Promise<void>;
}

export const ENGINES: readonly EngineName[] = ["sqlite", "postgres"];

export async function temporaryPlace(engine: EngineName): Promise<Place> {
  if (engine === "sqlite") {
    const store = temporaryFolder();
    return { engine, store, dispose: async () => rmSync(store, { recursive: true, force: true }) };
  }
  const database = await freshDatabase(inject("postgresUrl"), inject("emptyStore"));
  return { engine, store: database.url, dispose: () => database.drop() };
}

export function temporaryFolder(): string {
  return mkdtempSync(path.join(tmpdir(), "palimpsest-"));
}

/** A clock that goes on by a second with each look, from a fixed time. */
export function steadyClock(start = Date.parse("2026-03-01T10:00:00.000Z")): () => number {
  let now = start;
  return () => (now += 1000);
}
