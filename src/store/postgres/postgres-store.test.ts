/** Features of the PostgreSQL store only: settings of its connections, contents beyond a string, its own maintenance. */
import { randomBytes } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { freshDatabase } from "../../../test/start-postgres.ts";
import { DEFAULT_SCOPE } from "../../types.ts";
import type { ScopedStore, Store } from "../store.ts";
import {
  AT,
  conversationIdFor,
  onlyResult,
  sampleAppend,
  sampleLine,
  sampleMessage,
  sampleTranscriptWrite,
} from "../testing/sample.ts";
import { openPostgresStore } from "./index.ts";

describe("the PostgreSQL store", () => {
  let database: Awaited<ReturnType<typeof freshDatabase>>;
  let client: pg.Client;
  let store: Store;
  let scoped: ScopedStore;

  beforeAll(async () => {
    database = await freshDatabase(inject("postgresUrl"));
    client = new pg.Client(database.url);
    await client.connect();
    // Settings that an operator chose for speed must not affect the store.
    await client.query(`DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET synchronous_commit = off', current_database());
      EXECUTE format('ALTER DATABASE %I SET timezone = ''Asia/Kolkata''', current_database());
      EXECUTE format('ALTER DATABASE %I SET datestyle = ''SQL, DMY''', current_database()); END $$`);
    store = await openPostgresStore({ url: database.url });
    scoped = store.scoped(DEFAULT_SCOPE);
    await client.query("SET search_path = palimpsest");
  });
  afterAll(async () => {
    await store.close();
    await client.end();
    await database.drop();
  });

  const append = async (...input: Parameters<typeof sampleAppend>) =>
    onlyResult(await scoped.commit([sampleAppend(...input)]), "append");
  const count = async (sql: string) =>
    Number((await client.query(`SELECT count(*) FROM ${sql}`)).rows[0].count);

  it("reports the settings that durability depends on, and sets its own", async () => {
    expect((await store.info()).durability).toMatchObject({ fsync: "on", synchronous_commit: "on" });
  });

  it("names its location without the password", async () => {
    const { location } = await store.info();
    expect(location).toContain(new URL(database.url).host);
    expect(location).not.toContain(new URL(database.url).password);
  });

  it("keeps times to the millisecond from year 1 to 9999, whatever the database's time zone", async () => {
    const times = [
      "0001-01-01T00:00:00.000Z",
      "0099-12-31T23:59:59.999Z",
      "1969-12-31T23:59:59.001Z",
      "2026-11-15T22:30:44.120Z",
      "9999-12-31T23:59:59.999Z",
    ];
    const messages = times.map((createdAt, i) => sampleMessage(`t${i}`, "x", { createdAt }));
    await append("times", messages, { at: "0001-01-01T00:00:00.001Z" });
    const { rows } = await scoped.messages(conversationIdFor("times"), {});
    expect(rows.map((row) => row.createdAt)).toEqual(times);
    const conversation = await scoped.conversation({ id: conversationIdFor("times") });
    expect(conversation?.updatedAt).toBe("0001-01-01T00:00:00.001Z");
  });

  it("keeps contents of 30 MB exactly, compressible or not, text or bytes", async () => {
    const large = [
      "word ".repeat(6_000_000),
      randomBytes(15_000_000).toString("hex"),
      new Uint8Array(randomBytes(30_000_000)),
    ];
    await append(
      "large",
      large.map((content, i) => sampleMessage(`l${i}`, "", { content })),
    );
    let seq = 0;
    for (const content of large) {
      const page = await scoped.messages(conversationIdFor("large"), { from: ++seq });
      expect(page.rows.length).toBe(1);
      expect(Buffer.from(page.rows[0]?.content ?? "").equals(Buffer.from(content))).toBe(true);
      expect(page.next).toBe(seq < large.length ? seq + 1 : null);
    }
  });

  it("cuts pages by the bytes of the originals, not of what is stored", async () => {
    const messages = Array.from({ length: 10 }, (_, i) => sampleMessage(`p${i}`, "a".repeat(100_000)));
    await append("pages", messages);
    const page = await scoped.messages(conversationIdFor("pages"), { maxBytes: 250_000 });
    expect(page.rows.map((row) => row.seq)).toEqual([1, 2, 3]);
    expect(page.next).toBe(4);
  });

  it("keeps lines larger than one slice, and leaves contents out when asked", async () => {
    const content = randomBytes(9_000_000);
    await append("lines", [], {
      transcript: sampleTranscriptWrite({}, [sampleLine(0, { content }), sampleLine(1)]),
    });
    const id = conversationIdFor("lines");
    const { rows } = await scoped.transcriptLines(id, { transcript: 1 });
    expect(Buffer.from(rows[0]?.content ?? "").equals(content)).toBe(true);
    const shape = await scoped.transcriptLines(id, { transcript: 1, withoutContent: true });
    expect(shape.rows.map((row) => row.content)).toEqual([null, null]);
  });

  it("takes names with a NUL, which PostgreSQL has no text for, and refuses keys with one", async () => {
    const parts = [{ type: "tool", toolCallId: "a\0b", toolName: "\0", toolStatus: null }] as const;
    const create = { id: conversationIdFor("nul"), title: "a\0title", createdAt: AT };
    const result = await append("nul", [sampleMessage("n", "x\0y", { parts, content: "x\0y" })], { create });
    expect(result.conversation.title).toBe("a\ufffdtitle");
    const { rows } = await scoped.messages(conversationIdFor("nul"), {});
    expect(rows[0]?.parts[0]?.toolCallId).toBe("a\ufffdb");
    expect(rows[0]?.content).toEqual(Buffer.from("x\0y"));
    await expect(append("nul", [sampleMessage("k\0")])).rejects.toMatchObject({ code: "invalid-input" });
  });

  it("keeps a thousand messages of one append together with one update of the conversation", async () => {
    const messages = Array.from({ length: 2_500 }, (_, i) => sampleMessage(`b${i}`));
    const { conversation } = await append("batch", messages);
    expect(conversation).toMatchObject({ messageCount: 2_500, tokenCount: 7_500 });
    const again = await append("batch", messages);
    expect(again.status).toBe("duplicate");
    const audit = { at: AT, action: "delete-conversation", conversation: conversation.id, detail: "{}" };
    const [deleted] = await scoped.commit([{ kind: "delete-conversation", id: conversation.id, audit }]);
    expect(deleted).toEqual({ kind: "delete-conversation", messages: 2_500, memories: 0 });
  });

  it("recognises a turn whose message was erased together with its key", async () => {
    const messages = [sampleMessage("sha256:one"), sampleMessage("sha256:two"), sampleMessage("three")];
    await append("erased-turn", messages, { turnKey: "t" });
    const id = conversationIdFor("erased-turn");
    const audit = { at: AT, action: "erase", conversation: id, detail: "{}" };
    await scoped.commit([
      { kind: "erase", id, seqs: [2], retold: [], lines: [], title: null, at: AT, audit },
    ]);
    const replay = await append("erased-turn", messages, { turnKey: "t" });
    expect(replay.status).toBe("duplicate");
    expect(replay.messages.map(({ key, seq }) => [key, seq])).toEqual([
      ["sha256:one", 1],
      ["erased:2", 2],
      ["three", 3],
    ]);
  });

  it("holds two tenants with the same ids apart, row by row", async () => {
    const other = store.scoped({ tenant: "other", agent: DEFAULT_SCOPE.agent });
    const session = "shared-name";
    const id = conversationIdFor(session);
    for (const [place, text] of [
      [scoped, "ours"],
      [other, "theirs"],
    ] as const)
      await place.commit([
        sampleAppend(session, [sampleMessage("a", text)], {
          turnKey: "t",
          transcript: sampleTranscriptWrite({}, [sampleLine(0)]),
        }),
      ]);
    expect((await other.messages(id, {})).rows[0]?.content).toContain("theirs");
    const audit = { at: AT, action: "erase", conversation: id, detail: "{}" };
    const lines = [{ transcript: 1, line: 0 }];
    await other.commit([{ kind: "erase", id, seqs: [1], retold: [], lines, title: null, at: AT, audit }]);
    await other.commit([{ kind: "delete-conversation", id, audit }]);
    expect((await scoped.messages(id, {})).rows[0]?.content).toContain("ours");
    expect((await scoped.transcriptLines(id, { transcript: 1 })).rows[0]?.kind).toBe("event");
    for (const table of [
      "messages",
      "message_parts",
      "turns",
      "context_items",
      "transcript_lines",
      "conversations",
    ])
      expect(await count(`${table} WHERE tenant = 'other'`)).toBe(0);
  });

  it("keeps schemas of one database apart", async () => {
    const second = await openPostgresStore({ url: `${database.url}?schema=second` });
    expect((await second.info()).conversations).toBe(0);
    await second.close();
  });

  it("gives its connection back when a dump is left early", async () => {
    await append("dumped", [sampleMessage("a")]);
    const snapshots = () =>
      count("pg_stat_activity WHERE datname = current_database() AND state = 'idle in transaction'");
    for await (const row of store.dump()) {
      expect(row.row).toBe("conversation");
      expect(await snapshots()).toBe(1);
      break;
    }
    await expect.poll(snapshots).toBe(0);
  });

  it("leaves nothing of erased content in the tables' files once they are compacted", async () => {
    const secret = `secret-${randomBytes(8).toString("hex")}`;
    await append("secret", [sampleMessage("s", secret)]);
    const id = conversationIdFor("secret");
    const isInFile = async () => {
      await client.query("CHECKPOINT");
      const { rows } = await client.query(
        "SELECT position($1::bytea IN pg_read_binary_file(pg_relation_filepath('messages'))) > 0 AS found",
        [Buffer.from(secret)],
      );
      return rows[0].found;
    };
    expect(await isInFile()).toBe(true);
    const audit = { at: AT, action: "erase", conversation: id, detail: "{}" };
    await scoped.commit([
      { kind: "erase", id, seqs: [1], retold: [], lines: [], title: null, at: AT, audit },
    ]);
    await store.compactFiles();
    expect(await isInFile()).toBe(false);
  });

  it("checks its indexes where amcheck is installed, and reports what is broken", async () => {
    expect(await store.checkEngine()).toEqual([]);
    await client.query("CREATE EXTENSION amcheck SCHEMA public");
    expect(await store.checkEngine()).toEqual([]);
    await client.query("UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'turns_pkey'::regclass");
    expect(await store.checkEngine()).toEqual([expect.stringContaining("turns_pkey")]);
    await client.query("UPDATE pg_index SET indisvalid = true WHERE indexrelid = 'turns_pkey'::regclass");
  });
});
