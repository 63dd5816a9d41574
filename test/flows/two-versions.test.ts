/** Two versions of this package on one store: the older one stops writing and lets its host go on; nothing is lost. */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { generateText, wrapLanguageModel } from "ai";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { lossless } from "../../src/ai-sdk/index.ts";
import { HostBridge } from "../../src/host/index.ts";
import { isPalimpsestError, open } from "../../src/index.ts";
import { MIGRATIONS, SCHEMA_VERSION } from "../../src/store/migrations.ts";
import * as postgres from "../../src/store/postgres/migrate.ts";
import { DATABASE_NAME } from "../../src/store/sqlite/index.ts";
import * as sqlite from "../../src/store/sqlite/migrate.ts";
import { lcm } from "../cli/lcm.ts";
import { ENGINES, type Place, temporaryFolder, temporaryPlace } from "../temporary-store.ts";
import { echoModel } from "./echo-model.ts";

const config = { logLevel: "silent" } as const;
const user = (content: string) => ({ message: { role: "user", content } });

describe.each(ENGINES)("two versions on one store on %s", (name) => {
  let place: Place;
  let bridge: HostBridge;
  let warnings: string[];
  const session = { sessionId: "host" };
  beforeEach(async () => {
    place = await temporaryPlace(name);
    warnings = [];
    const warn = (details: object) => warnings.push(JSON.stringify(details));
    const log = { debug: () => {}, info: () => {}, warn, error: warn };
    bridge = new HostBridge({ store: place.store, config, log });
  });
  afterEach(async () => {
    await bridge.release();
    await place.dispose();
  });

  async function change(sql: string): Promise<void> {
    if (name === "sqlite") {
      const database = new DatabaseSync(path.join(place.store, DATABASE_NAME));
      database.exec(sql);
      database.close();
      return;
    }
    const client = new pg.Client(place.store);
    await client.connect();
    await client.query(`SET search_path = palimpsest; ${sql}`);
    await client.end();
  }
  const setVersion = (version: number) =>
    change(
      name === "sqlite"
        ? `PRAGMA user_version = ${version}`
        : `UPDATE store_meta SET value = '${version}' WHERE name = 'schema_version'`,
    );

  const show = (...words: string[]) =>
    bridge.present(session, {
      view: words.map(user),
      budget: 5_000,
      summary: ({ text }) => ({ role: "user", content: text }),
    });
  async function record(): Promise<unknown[]> {
    const engine = await open({ store: place.store, background: "off", config });
    const { messages } = await engine.context.read({ conversation: "host" });
    await engine.close();
    return messages.map(({ value }) => Object(value).content);
  }
  function expectRefusal(): void {
    expect(warnings.length).toBeGreaterThan(0);
    for (const warning of warnings) {
      expect(warning).toContain(`was written by a newer palimpsest (schema ${SCHEMA_VERSION + 1}`);
      expect(warning).toContain(`this one knows ${SCHEMA_VERSION})`);
    }
  }

  it("a host goes on by itself when a newer version changes the schema while it runs", async () => {
    expect((await show("one")).from).toBe("record");
    await setVersion(SCHEMA_VERSION + 1);
    const { from, messages } = await show("one", "two");
    expect([from, messages]).toEqual(["host", [user("one").message, user("two").message]]);
    const transcript = path.join(temporaryFolder(), "session.jsonl");
    writeFileSync(transcript, `${JSON.stringify({ role: "user", content: "hello" })}\n`);
    expect(await bridge.catchUp(transcript)).toBeNull();
    await bridge.reconcile(session, [user("one"), user("two")]);
    await bridge.compact(session, { budget: 500 });
    await bridge.settle();
    expectRefusal();
    // The host tries a commit again by itself, so it must know.
    const commit = bridge.commit(session, { key: "1", messages: [user("two").message] });
    await expect(commit).rejects.toSatisfy((error) => isPalimpsestError(error, "store-newer"));
    await setVersion(SCHEMA_VERSION);
    expect(await record()).toEqual(["one"]);
    // The newer plugin brings what came in between.
    expect((await show("one", "two", "three")).from).toBe("record");
    expect(await record()).toEqual(["one", "two", "three"]);
  });

  it("a host goes on by itself when the store is newer from the start", async () => {
    await (await open({ store: place.store, config })).close();
    await setVersion(SCHEMA_VERSION + 1);
    expect((await show("one")).from).toBe("host");
    expectRefusal();
    const middleware = lossless({ store: place.store, conversation: "host", config });
    const { text } = await generateText({
      model: wrapLanguageModel({ model: echoModel(), middleware }),
      messages: [{ role: "user", content: "still there?" }],
    });
    expect(text).toBe("Answer to still there?");
    await middleware.close();
    await setVersion(SCHEMA_VERSION);
  });

  it("a newer version takes over the store of an older one", async () => {
    const older = MIGRATIONS.slice(0, 2);
    const version = older.at(-1)?.version ?? 0;
    if (name === "sqlite")
      await change(
        `${sqlite.schemaSql(older)}; PRAGMA application_id = ${sqlite.APPLICATION_ID}; PRAGMA user_version = ${version}`,
      );
    else {
      await change("DROP SCHEMA palimpsest CASCADE; CREATE SCHEMA palimpsest");
      const meta = `('application', 'palimpsest'), ('schema_version', '${version}')`;
      await change(`${postgres.schemaSql(older)}; INSERT INTO store_meta (name, value) VALUES ${meta}`);
    }
    expect((await show("one")).from).toBe("record");
    expect(warnings).toEqual([]);
    expect(await record()).toEqual(["one"]);
  });

  it("after uninstalling, the data is there and lcm reads it", async () => {
    await show("The vault code is heron-4471.");
    await bridge.release();
    const target = name === "sqlite" ? ["--data", place.store] : ["--database-url", place.store];
    const found = await lcm(["grep", "heron", ...target]);
    expect([found.code, found.stdout]).toEqual([0, expect.stringContaining("heron-4471")]);
    const listed = await lcm(["conversations", ...target]);
    expect([listed.code, listed.stdout]).toEqual([0, expect.stringContaining("The vault code")]);
    expect((await lcm(["verify", ...target])).code).toBe(0);
  });
});
