import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { DEFAULT_SCOPE } from "../../types.ts";
import { conversationIdFor, sampleAppend, sampleMessage } from "../testing/sample.ts";
import { DATABASE_NAME, openSqliteStore } from "./index.ts";

const LEASE_MS = 1_000;

describe("a lease of compaction on SQLite", () => {
  it.each([
    ["in the far future, by a clock that is wrong, is not waited for", 24 * 3_600_000, "done"],
    ["within the time that leases have is respected", LEASE_MS / 2, "busy"],
  ])("that ends %s", async (_, aheadMs, outcome) => {
    const dataDir = mkdtempSync(path.join(tmpdir(), "palimpsest-lease-"));
    const store = await openSqliteStore({ dataDir, leaseMs: LEASE_MS });
    const scoped = store.scoped(DEFAULT_SCOPE);
    await scoped.commit([sampleAppend("s", [sampleMessage("a")])]);
    const other = new DatabaseSync(path.join(dataDir, DATABASE_NAME));
    other.exec(`INSERT INTO compaction_locks VALUES (1, 'other', ${Date.now() + aheadMs})`);
    other.close();
    const done = await scoped
      .exclusively(conversationIdFor("s"), async () => "done")
      .catch((error) => error.code);
    expect(done).toBe(outcome);
    await store.close();
  });
});
