/** The process that is killed while it compacts: takes the lock of a conversation, says so, and never ends. */
import { writeSync } from "node:fs";
import { openPostgresStore } from "../../src/store/postgres/index.ts";
import { openSqliteStore } from "../../src/store/sqlite/index.ts";
import { DEFAULT_SCOPE } from "../../src/types.ts";

const [address = "", conversation = "", leaseMs = "0"] = process.argv.slice(2);
const store = address.startsWith("postgres://")
  ? await openPostgresStore({ url: address })
  : await openSqliteStore({ dataDir: address, leaseMs: Number(leaseMs) });
await store.scoped(DEFAULT_SCOPE).exclusively(conversation, async () => {
  writeSync(1, "locked\n");
  await new Promise((resolve) => setTimeout(resolve, 60_000));
});
