import { spawnSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { DEFAULT_SCOPE } from "../../types.ts";
import { conversationIdFor, sampleAppend, sampleMessage } from "../testing/sample.ts";
import { DATABASE_NAME, openSqliteStore } from "./index.ts";

const LEASE_MS = 1_000;

const ENDED = spawnSync(process.execPath, ["-e", ""]).pid;

describe("a lease of compaction on SQLite", () => {
  it.each([
    ["in the far future, by a clock that is wrong, is not waited for", "other", 24 * 3_600_000, "done"],
    ["within the time that leases have is respected", "other", LEASE_MS / 2, "busy"],
    ["later, of a process of this machine that has ended", `${hostname()} ${ENDED} x`, LEASE_MS / 2, "done"],
    ["later, of a process that runs", `${hostname()} ${process.ppid} x`, LEASE_MS / 2, "busy"],
    ["later, of a process elsewhere", `not-${hostname()} ${ENDED} x`, LEASE_MS / 2, "busy"],
  ])("that ends %s", async (_, holder, aheadMs, outcome) => {
    const { store, scoped, other } = await openBeside();
    other.exec(`INSERT INTO compaction_locks VALUES (1, '${holder}', ${Date.now() + aheadMs})`);
    other.close();
    const done = await scoped
      .exclusively(conversationIdFor("s"), async () => "done")
      .catch((error) => error.code);
    expect(done).toBe(outcome);
    await store.close();
  });

  it("that cannot be given back, as on a full disk, does not keep its holder from trying again", async () => {
    const { store, scoped, other } = await openBeside();
    other.exec(
      "CREATE TRIGGER kept BEFORE DELETE ON compaction_locks BEGIN SELECT RAISE(ABORT, 'the disk is full'); END",
    );
    other.close();
    const compacting = () => scoped.exclusively(conversationIdFor("s"), async () => "done");
    expect([await compacting(), await compacting()]).toEqual(["done", "done"]);
    await store.close();
  });
});

async function openBeside() {
  const dataDir = mkdtempSync(path.join(tmpdir(), "palimpsest-lease-"));
  const store = await openSqliteStore({ dataDir, leaseMs: LEASE_MS });
  const scoped = store.scoped(DEFAULT_SCOPE);
  await scoped.commit([sampleAppend("s", [sampleMessage("a")])]);
  return { store, scoped, other: new DatabaseSync(path.join(dataDir, DATABASE_NAME)) };
}
