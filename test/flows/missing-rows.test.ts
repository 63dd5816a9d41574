/** A row that is deleted behind the back of the store is missed by others that name it. */
import { rmSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Engine, open } from "../../src/index.ts";
import { runOperation } from "../../src/operations/run-operation.ts";
import { verify } from "../../src/operations/store/verify.ts";
import { fillStore } from "../bad-input/damaged-store.ts";
import { type Beside, beside } from "../beside-store.ts";
import { ENGINES, type Place, temporaryFolder, temporaryPlace } from "../temporary-store.ts";

const SESSION = "11111111-2222-4333-8444-555555555555";

describe.each(ENGINES)("rows that are deleted on %s", (kind) => {
  const folder = temporaryFolder();
  let place: Place;
  let engine: Engine;
  let other: Beside;

  beforeAll(async () => {
    place = await temporaryPlace(kind);
    await fillStore(place.store, path.join(folder, "transcripts"), 8);
    engine = await open({ store: place.store, background: "off", config: { logLevel: "silent" } });
    const say = (content: string) =>
      engine.context.commitTurn({ conversation: "c", key: content, messages: [{ role: "user", content }] });
    for (const words of ["one", "two", "three"]) await say(words);
    await engine.context.erase({ conversation: "c", from: 2, to: 2 });
    await engine.context.erase({ conversation: SESSION, from: 2, to: 2 });
    other = await beside(kind, place.store);
  });

  afterAll(async () => {
    await other.close();
    await engine.close();
    await place.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  it("are none in a sound store", async () => {
    expect((await runOperation(verify, engine, {})).problems).toEqual([]);
  });

  // promise: evident
  it.each([
    ["turns", "first_seq = 2", "the turn that it began is missing"],
    ["compaction_events", "1 = 1", "the compaction event that made it is missing"],
    ["memory_events", "1 = 1", "events of it are missing"],
    ["memory_events", "action = 'erased'", "events of it are missing"],
    ["erased_keys", "1 = 1", "what recognises this erased entry when it comes again is missing"],
    ["audit_log", 'detail LIKE \'%"certificate":"%\'', "the certificate of its erasure is missing"],
    ["audit_log", "detail LIKE '%\"memories\":%'", "the record of its erasure is missing"],
  ])("are missed: %s where %s", async (table, condition, message) => {
    await other.query("DROP TABLE IF EXISTS kept");
    await other.query(`CREATE TABLE kept AS SELECT * FROM ${table} WHERE ${condition}`);
    await other.query(`DELETE FROM ${table} WHERE ${condition}`);
    const { problems } = await runOperation(verify, engine, {});
    const identity = kind === "postgres" ? "OVERRIDING SYSTEM VALUE" : "";
    await other.query(`INSERT INTO ${table} ${identity} SELECT * FROM kept`);
    await other.query("DROP TABLE kept");
    expect(problems.map((problem) => problem.message)).toContainEqual(expect.stringContaining(message));
    expect((await runOperation(verify, engine, {})).problems).toEqual([]);
  });
});
