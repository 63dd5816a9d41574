/** Whichever rows of a sealed table are deleted behind the back of the store, the newest or all: a check says so. */
import { rmSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Engine, open } from "../../src/index.ts";
import { runOperation } from "../../src/operations/run-operation.ts";
import { verify } from "../../src/operations/store/verify.ts";
import { SEALED_TABLES } from "../../src/store/reads/broken-rows.ts";
import type { Dialect } from "../../src/store/statement.ts";
import { fillStore } from "../bad-input/damaged-store.ts";
import { type Beside, beside } from "../beside-store.ts";
import { ENGINES, type Place, temporaryFolder, temporaryPlace } from "../temporary-store.ts";

const SESSION = "11111111-2222-4333-8444-555555555555";

/** Those whose rows have a seal in columns of their own. */
const OTHERS: Readonly<Record<string, (d: Dialect) => readonly string[]>> = {
  messages: (d) => (d.engine === "sqlite" ? ["message_id"] : ["tenant", "conversation_id", "seq"]),
  large_files: () => ["file_number"],
  memories: (d) => (d.engine === "sqlite" ? ["memory_id"] : ["tenant", "scope", "number"]),
};

const KEYS: Readonly<Record<string, (d: Dialect) => readonly string[]>> = {
  ...Object.fromEntries(SEALED_TABLES.map(({ table, key }) => [table, (d: Dialect) => Object.keys(key(d))])),
  ...OTHERS,
};

describe.each(ENGINES)("rows of any table that are deleted on %s", (kind) => {
  const folder = temporaryFolder();
  let place: Place;
  let engine: Engine;
  let other: Beside;

  beforeAll(async () => {
    place = await temporaryPlace(kind);
    await fillStore(place.store, path.join(folder, "transcripts"), 8);
    engine = await open({ store: place.store, background: "off", config: { logLevel: "silent" } });
    const say = (conversation: string, key: string) =>
      engine.context.commitTurn({ conversation, key, messages: [{ role: "user", content: `say ${key}` }] });
    for (const key of ["one", "two", "three"]) await say("kept", key);
    await engine.context.erase({ conversation: "kept", from: 2, to: 2 });
    await engine.context.erase({ conversation: SESSION, from: 2, to: 2 });
    await say("deleted", "one");
    await engine.context.conversations.delete("deleted");
    other = await beside(kind, place.store);
  });

  afterAll(async () => {
    await other.close();
    await engine.close();
    await place.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  async function problemsWithout(table: string, condition: string, only: object = {}): Promise<string[]> {
    await other.query("DROP TABLE IF EXISTS kept");
    await other.query(`CREATE TABLE kept AS SELECT * FROM ${table} WHERE ${condition}`);
    expect(await other.query("SELECT * FROM kept")).not.toEqual([]);
    await other.query(`DELETE FROM ${table} WHERE ${condition}`);
    const { problems } = await runOperation(verify, engine, only);
    const identity = kind === "postgres" ? "OVERRIDING SYSTEM VALUE" : "";
    await other.query(`INSERT INTO ${table} ${identity} SELECT * FROM kept`);
    await other.query("DROP TABLE kept");
    return problems.map(({ message }) => message);
  }

  // promise: evident
  it.each(Object.entries(KEYS))("are missed: the newest of %s, and all of them", async (table, keyOf) => {
    const key = keyOf(other.dialect);
    const columns = key.join(", ");
    const newest = `(${columns}) IN (SELECT ${columns} FROM ${table}
      ORDER BY ${key.map((column) => `${column} DESC`).join(", ")} LIMIT 1)`;
    expect({ newest: await problemsWithout(table, newest) }).not.toEqual({ newest: [] });
    expect({ all: await problemsWithout(table, "1 = 1") }).not.toEqual({ all: [] });
    expect((await runOperation(verify, engine, {})).problems).toEqual([]);
  });

  it.each([
    ["the certificate of a deleted conversation", "audit_log", "action = 'delete-conversation'"],
    ["the newest certificate", "audit_log", "audit_id = (SELECT max(audit_id) FROM audit_log)"],
    ["all certificates", "audit_log", "1 = 1"],
    ["what recognises erased entries", "erased_keys", "1 = 1"],
    ["how many records there are", "tenant_counts", "1 = 1"],
  ])("are missed where only erasures are checked: %s", async (_, table, condition) => {
    expect(await problemsWithout(table, condition, { erasure: true })).not.toEqual([]);
  });
});
