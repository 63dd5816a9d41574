import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, inject, it } from "vitest";
import { openPostgresStore } from "../../src/store/postgres/index.ts";
import { DATABASE_NAME, openSqliteStore } from "../../src/store/sqlite/index.ts";
import type { ScopedStore, Store } from "../../src/store/store.ts";
import { conversationIdFor, sampleAppend, sampleMessage } from "../../src/store/testing/sample.ts";
import { DEFAULT_SCOPE } from "../../src/types.ts";
import { type StorePlace, storeKinds } from "./store-kinds.ts";

const PROGRAM = fileURLToPath(new URL("./lock-process.ts", import.meta.url));
const LEASE_MS = 1_500;

describe.each(storeKinds(inject("postgresUrl")))("the lock of compaction on $name", (kind) => {
  const id = conversationIdFor("locked");
  let place: StorePlace;
  let store: Store;
  let scoped: ScopedStore;
  beforeEach(async () => {
    place = await kind.create();
    store =
      kind.name === "SQLite"
        ? await openSqliteStore({ dataDir: place.address, leaseMs: LEASE_MS })
        : await openPostgresStore({ url: place.address });
    scoped = store.scoped(DEFAULT_SCOPE);
    await scoped.commit([sampleAppend("locked", [sampleMessage("a")])]);
  });
  afterEach(async () => {
    await store.close();
    await place.remove();
  });
  const tryLock = () => scoped.exclusively(id, async () => "taken").catch((error) => error.code);
  const until = async (deadlineMs: number) => {
    for (const deadline = Date.now() + deadlineMs; Date.now() < deadline; await delay(20))
      if ((await tryLock()) === "taken") return "taken";
    return "busy";
  };

  it("is free again after its holder was killed", async () => {
    const child = spawn(process.execPath, [PROGRAM, place.address, id, String(LEASE_MS)], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const exited = once(child, "exit");
    try {
      await once(child.stdout, "data");
      expect(await tryLock()).toBe("busy");
      // Longer than the lease: a holder that lives renews it.
      await delay(LEASE_MS * 1.3);
      expect(await tryLock()).toBe("busy");
    } finally {
      child.kill("SIGKILL");
      await exited;
    }
    expect(await until(kind.name === "SQLite" ? LEASE_MS * 2 : LEASE_MS / 2)).toBe("taken");
  });

  it.runIf(kind.name === "PostgreSQL")("survives the loss of the connection that held it", async () => {
    const observer = new pg.Client(place.address);
    await observer.connect();
    try {
      const result = await scoped.exclusively(id, async () => {
        // The view shows the locks of the whole server, and other tests use other databases of it.
        const { rowCount } = await observer.query(
          `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND granted
             AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
        );
        expect(rowCount).toBe(1);
        await delay(100);
        return "finished";
      });
      expect(result).toBe("finished");
      expect(await tryLock()).toBe("taken");
    } finally {
      await observer.end();
    }
  });

  it.runIf(kind.name === "SQLite")("belongs to whoever took it over, once it had run out", async () => {
    const other = await openSqliteStore({ dataDir: place.address, leaseMs: 60_000 });
    try {
      await scoped.exclusively(id, async () => {
        const database = new DatabaseSync(path.join(place.address, DATABASE_NAME), { timeout: 5_000 });
        database.exec("UPDATE compaction_locks SET expires_at = 0");
        database.close();
        await other.scoped(DEFAULT_SCOPE).exclusively(id, async () => {
          await delay(LEASE_MS);
          expect(await tryLock()).toBe("busy");
        });
      });
      expect(await tryLock()).toBe("taken");
    } finally {
      await other.close();
    }
  });
});
