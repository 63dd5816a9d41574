import { createHash } from "node:crypto";
import { copyFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { type Engine, isPalimpsestError, open } from "../../src/index.ts";
import { archiveLines } from "../../src/store/archive.ts";
import { DATABASE_NAME, openSqliteStore } from "../../src/store/sqlite/index.ts";
import { ENGINES, type Place, temporaryFolder, temporaryPlace } from "../temporary-store.ts";

/** A checksum over everything in the store. */
async function fingerprint(engine: Engine): Promise<string> {
  const hash = createHash("sha256");
  const report = { file: "", rows: 0, bytes: 0, conversations: 0, messages: 0, sha256: "" };
  for await (const line of archiveLines(engine.store, report)) hash.update(line);
  return hash.digest("hex");
}

const say = (content: unknown, role = "user") => ({ role, content });

/** Each is refused as a whole turn: the good message in front of it must not be stored either. */
const BAD_MESSAGES: readonly [string, unknown, RegExp][] = [
  ["a wrong role", say("x", "wizard"), /role/],
  ["no role", { content: "x" }, /role/],
  ["text instead of a message", "hello", /plain object/],
  ["a list instead of a message", [say("x")], /plain object/],
  ["null", null, /plain object/],
  ["content that is a number", say(7), /content/],
  ["a block without a type", say([{ text: "x" }]), /type/],
  ["a block that is text", say(["x"]), /content/],
  [
    "a tool call without an id",
    { role: "assistant", content: [{ type: "tool_use", name: "x", input: {} }] },
    /id/,
  ],
  [
    "a tool call without a name",
    { role: "assistant", content: [{ type: "tool_use", id: "x", input: {} }] },
    /name/,
  ],
  ["a tool result without an id", say([{ type: "tool_result", content: "x" }]), /tool_use_id/],
  ["a part of the wrong type", { role: "user", parts: [{ type: "text", text: 7 }] }, /text/],
  ["NaN", say([{ type: "text", text: "x", score: Number.NaN }]), /score/],
  ["Infinity", say([{ type: "text", text: "x", score: Number.POSITIVE_INFINITY }]), /score/],
  ["a date", say([{ type: "text", text: "x", when: new Date() }]), /when/],
  ["a function", say([{ type: "text", text: "x", run: () => 1 }]), /run/],
  ["a big integer", say([{ type: "text", text: "x", size: 1n }]), /size/],
  ["a map", say([{ type: "text", text: "x", more: new Map() }]), /more/],
];

describe.each(ENGINES)("bad input on %s", (name) => {
  let place: Place;
  let engine: Engine;
  let before: string;
  beforeAll(async () => {
    place = await temporaryPlace(name);
    engine = await open({ store: place.store, config: { logLevel: "silent" } });
    await engine.context.commitTurn({
      conversation: "s",
      key: "t",
      messages: [{ id: "m", ...say("there") }],
    });
    before = await fingerprint(engine);
  });
  afterAll(async () => {
    await engine.close();
    await place.dispose();
  });

  it.each(BAD_MESSAGES)(
    "refuses %s and keeps what was there (promise: refused)",
    async (_, message, reason) => {
      const messages = [say("good"), message as object];
      const commit = engine.context.commitTurn({ conversation: "s", key: "new", messages });
      await expect(commit).rejects.toSatisfy((error) => isPalimpsestError(error, "invalid-input"));
      await expect(commit).rejects.toThrow(/messages\[1\]/);
      await expect(commit).rejects.toThrow(reason);
      expect(await fingerprint(engine)).toBe(before);
    },
  );

  it("refuses a circular message", async () => {
    const message: Record<string, unknown> = say("x");
    message.self = message;
    const commit = engine.context.commitTurn({ conversation: "s", key: "new", messages: [message] });
    await expect(commit).rejects.toMatchObject({ code: "invalid-input" });
  });

  it.each([
    ["an empty key", { key: "" }],
    ["a key with NUL", { key: "a\0b" }],
    ["a key that is too long", { key: "k".repeat(513) }],
    ["a key with a lone surrogate", { key: "\ud800" }],
    ["no messages", { messages: [] }],
    ["an empty conversation", { conversation: "" }],
    ["a conversation that is a number", { conversation: 7 }],
    ["a session key with NUL", { conversation: { sessionId: "s", sessionKey: "\0" } }],
    ["a time that is none", { messages: [{ message: say("x"), createdAt: "yesterday" }] }],
  ])("refuses %s", async (_, change) => {
    const input = { conversation: "s", key: "new", messages: [say("x")], ...change } as Parameters<
      Engine["context"]["commitTurn"]
    >[0];
    await expect(engine.context.commitTurn(input)).rejects.toMatchObject({ code: "invalid-input" });
    expect(await fingerprint(engine)).toBe(before);
  });

  it("refuses a known message key with other content, and the whole turn with it", async () => {
    const messages = [say("new words"), { id: "m", ...say("other") }];
    const commit = engine.context.commitTurn({ conversation: "s", key: "new", messages });
    await expect(commit).rejects.toMatchObject({ code: "conflict" });
    expect(await fingerprint(engine)).toBe(before);
  });

  it("refuses what does not exist", async () => {
    const { context } = engine;
    await expect(context.read({ conversation: "nobody" })).rejects.toMatchObject({ code: "not-found" });
    await expect(context.readMessage("msg_0000000000000000_1")).rejects.toMatchObject({ code: "not-found" });
    await expect(context.readMessage("nonsense")).rejects.toMatchObject({ code: "invalid-input" });
    await expect(context.importTranscript("/nowhere/at/all.jsonl")).rejects.toMatchObject({
      code: "not-found",
    });
    expect(await fingerprint(engine)).toBe(before);
  });
});

describe("stores that cannot be used", () => {
  const folder = temporaryFolder();

  it("a folder that cannot be made", async () => {
    writeFileSync(path.join(folder, "file"), "");
    const opening = open({ store: path.join(folder, "file", "data") });
    await expect(opening).rejects.toMatchObject({
      code: "store-readonly",
      advice: expect.stringContaining("--data"),
    });
  });

  it("a full disk: refused, what was there is intact, and it works again with more room (promise: atomic)", async () => {
    const dataDir = path.join(folder, "full");
    const small = await open({
      store: await openSqliteStore({ dataDir, maxPages: 60 }),
      config: { logLevel: "silent" },
    });
    await small.context.commitTurn({ conversation: "s", key: "t1", messages: [say("kept")] });
    const before = await fingerprint(small);
    const noise = (i: number) =>
      Array.from({ length: 40 }, (_, j) => createHash("sha512").update(`${i}-${j}`).digest("hex"));
    const large = Array.from({ length: 200 }, (_, i) => say(noise(i).join(" ")));
    const commit = small.context.commitTurn({ conversation: "s", key: "t2", messages: large });
    await expect(commit).rejects.toMatchObject({ code: "store-full" });
    expect(await fingerprint(small)).toBe(before);
    await small.close();
    const roomy = await open({ store: dataDir, config: { logLevel: "silent" } });
    expect(await roomy.context.commitTurn({ conversation: "s", key: "t2", messages: large })).toMatchObject({
      status: "committed",
    });
    await roomy.close();
  });

  it.each([
    [
      "another application's database",
      (file: string) => new DatabaseSync(file).exec("CREATE TABLE theirs (x)"),
      "store-foreign",
    ],
    [
      "a file that is no database",
      (file: string) => writeFileSync(file, "just some text, long enough to be read as a header ".repeat(30)),
      "store-foreign",
    ],
    ["a newer version", (file: string) => raiseVersion(file), "store-newer"],
  ])("%s is refused and left as it was", async (name, make, code) => {
    const dataDir = path.join(folder, name.replaceAll(/[^a-z]/g, ""));
    await (await openSqliteStore({ dataDir })).close();
    const file = path.join(dataDir, DATABASE_NAME);
    if (code === "store-foreign") {
      const fresh = path.join(folder, `${code}-${name.length}.db`);
      make(fresh);
      copyFileSync(fresh, file);
    } else make(file);
    const bytes = readFileSync(file);
    await expect(open({ store: dataDir })).rejects.toMatchObject({ code, advice: expect.any(String) });
    expect(readFileSync(file).equals(bytes)).toBe(true);
  });

  function raiseVersion(file: string): void {
    const database = new DatabaseSync(file);
    database.exec("PRAGMA user_version = 99; PRAGMA wal_checkpoint(TRUNCATE)");
    database.close();
  }

  it("a PostgreSQL that is not there, refuses, or is newer, without a word of the password", async () => {
    const good = new URL(inject("postgresUrl"));
    const wrong = (change: (url: URL) => void) => {
      const url = new URL(good);
      change(url);
      return url.href;
    };
    const cases = [
      wrong((url) => (url.port = "1")),
      wrong((url) => (url.password = "sesame-4711")),
      wrong((url) => (url.pathname = "/no_such_database")),
      wrong((url) => (url.hostname = "no-such-host.invalid")),
    ];
    for (const store of cases) {
      const failure = await open({ store }).catch((error: unknown) => error);
      expect(failure).toMatchObject({ code: "store-unavailable", advice: expect.any(String) });
      expect(String(failure)).not.toContain("sesame");
      expect(String(failure)).not.toContain(good.password || "sesame");
    }
    const place = await temporaryPlace("postgres");
    await (await open({ store: place.store })).close();
    const client = new pg.Client(place.store);
    await client.connect();
    await client.query("UPDATE palimpsest.store_meta SET value = '99' WHERE name = 'schema_version'");
    await expect(open({ store: place.store })).rejects.toMatchObject({ code: "store-newer" });
    await client.query(
      "DROP SCHEMA palimpsest CASCADE; CREATE SCHEMA palimpsest; CREATE TABLE palimpsest.theirs (x int)",
    );
    await expect(open({ store: place.store })).rejects.toMatchObject({ code: "store-foreign" });
    await client.end();
    await place.dispose();
    expect(existsSync(folder)).toBe(true);
  });
});
