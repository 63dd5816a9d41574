/** Files, as far as PostgreSQL differs: contents in rows, locks instead of one writer, separate statements. */
import { randomBytes } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { freshDatabase } from "../../../test/start-postgres.ts";
import { sha256 } from "../../text/bytes.ts";
import { messageId } from "../../text/identifiers.ts";
import { DEFAULT_SCOPE } from "../../types.ts";
import { FRAME_BYTES, type NewFile, type Payloads } from "../file-store.ts";
import { wholeTokens } from "../rules/stub-border.ts";
import type { DumpRow, NewMessage, ScopedStore, Store, StubQuery } from "../store.ts";
import { END } from "../tables/pages.ts";
import { AT, conversationIdFor, sampleAppend, sampleMessage } from "../testing/sample.ts";
import { openPostgresStore } from "./index.ts";
import { SELECT_WINDOW } from "./select-window.ts";

let database: Awaited<ReturnType<typeof freshDatabase>>;
let client: pg.Client;
let store: Store;
let scoped: ScopedStore;

beforeAll(async () => {
  database = await freshDatabase(inject("postgresUrl"));
  client = new pg.Client(database.url);
  await client.connect();
  store = await openPostgresStore({ url: database.url });
  scoped = store.scoped(DEFAULT_SCOPE);
  await client.query("SET search_path = palimpsest");
});
afterAll(async () => {
  await store.close();
  await client.end();
  await database.drop();
});

let files = 0;
const nextId = () => `file_${(++files).toString(16).padStart(16, "0")}`;

/** A message with one hexadecimal payload, so that it is written unchanged. */
function withPayload(key: string, payload: string, more: Partial<NewFile> = {}): NewMessage {
  const content = JSON.stringify({ role: "tool", content: payload });
  const start = content.indexOf(payload);
  const file: NewFile = {
    id: nextId(),
    kind: "tool-output",
    name: null,
    mime: null,
    tool: "read",
    description: "Tool: read",
    origin: "ingest",
    writing: "json",
    places: [{ start, end: start + payload.length, before: 0, after: 0 }],
    content: null,
    ...more,
  };
  return sampleMessage(key, "", { role: "tool", content, tokenCount: 100, stubTokenCount: 7, files: [file] });
}

/** A message with an attached content that is not in its original. */
const withAttachment = (key: string, hash: string) =>
  withPayload(key, "0", { kind: "file", places: [], content: hash });

const hex = (length: number) => randomBytes(length / 2).toString("hex");
const append = (session: string, messages: readonly NewMessage[], to = scoped) =>
  to.commit([sampleAppend(session, messages)]);
const count = async (sql: string) =>
  Number((await client.query(`SELECT count(*) FROM ${sql}`)).rows[0].count);
/** Statements that wait for another session's lock. */
const waiting = () =>
  count("pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'");
const erase = (session: string, seqs: readonly number[], from = scoped) => {
  const id = conversationIdFor(session);
  const audit = { at: AT, action: "erase", conversation: id, detail: "{}" };
  return from.commit([{ kind: "erase", id, seqs, retold: [], lines: [], title: null, at: AT, audit }]);
};

async function* inPieces(content: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < content.length; at += size) yield content.subarray(at, at + size);
}

async function* feed(rows: readonly DumpRow[]): AsyncGenerator<DumpRow> {
  yield* rows;
}

describe("contents in PostgreSQL", () => {
  it("come in as a stream of any size, and lie there once however they came", async () => {
    const content = randomBytes(40 * FRAME_BYTES + 5);
    const put = await scoped.putContent(inPieces(content, 3_000_001));
    expect(put).toMatchObject({ hash: sha256(content), bytes: content.length });
    expect(await scoped.putContent(inPieces(content, 100_000))).toEqual(put);
    expect([await count("file_contents"), await count("file_chunks")]).toEqual([1, 41]);
    const message = withAttachment("a", put.hash);
    await append("stream", [message]);
    const id = message.files[0]?.id ?? "";
    const start = 17 * FRAME_BYTES - 9;
    const part = await scoped.fileBytes(id, start, start + 1_000_000);
    expect(Buffer.from(part ?? []).equals(content.subarray(start, start + 1_000_000))).toBe(true);
  });

  it("leave nothing behind when their stream breaks off", async () => {
    const before = await count("file_chunks");
    const failure = Object.assign(new Error("broken off"), { code: "ENOENT" });
    async function* broken() {
      yield* inPieces(randomBytes(20 * FRAME_BYTES), FRAME_BYTES);
      throw failure;
    }
    await expect(scoped.putContent(broken())).rejects.toBe(failure);
    expect(await count("file_chunks")).toBe(before);
  });

  it("belong to their tenant", async () => {
    const other = store.scoped({ ...DEFAULT_SCOPE, tenant: "other" });
    const payload = hex(10_000);
    await append("tenants", [withPayload("a", payload)]);
    await append("tenants", [withPayload("a", payload)], other);
    const hash = sha256(payload);
    expect(await count(`file_contents WHERE content_hash = '\\x${hash}'`)).toBe(2);
    await erase("tenants", [1], other);
    expect(await count(`file_contents WHERE content_hash = '\\x${hash}'`)).toBe(1);
    const onlyHere = await scoped.putContent(inPieces(randomBytes(100), 100));
    await expect(append("tenants", [withAttachment("b", onlyHere.hash)], other)).rejects.toMatchObject({
      code: "not-found",
      advice: expect.stringContaining("Store the content again"),
    });
  });

  it("are gone from the tables' files once they were erased and those compacted", async () => {
    const secret = hex(20_000);
    await append("secret", [withPayload("a", secret, { name: `named-${secret.slice(0, 20)}` })]);
    const id = conversationIdFor("secret");
    await erase("secret", [1]);
    expect((await scoped.files({ conversation: id })).rows).toEqual([]);
    expect(await count(`file_contents WHERE content_hash = '\\x${sha256(secret)}'`)).toBe(0);
    await store.compactFiles();
    await client.query("CHECKPOINT");
    const { rows } = await client.query(
      "SELECT position($1::bytea IN pg_read_binary_file(pg_relation_filepath('large_files'))) > 0 AS found",
      [Buffer.from(`named-${secret.slice(0, 20)}`)],
    );
    expect(rows[0].found).toBe(false);
  });

  it("go with the last conversation that holds them", async () => {
    const payload = hex(3_000);
    await append("kept-1", [withPayload("a", payload)]);
    await append("kept-2", [withPayload("a", payload), withPayload("b", hex(2_000))]);
    const remove = (session: string) => {
      const id = conversationIdFor(session);
      const audit = { at: AT, action: "delete-conversation", conversation: id, detail: "{}" };
      return scoped.commit([{ kind: "delete-conversation", id, audit }]);
    };
    const held = () => count(`file_contents WHERE content_hash = '\\x${sha256(payload)}'`);
    await remove("kept-2");
    expect(await held()).toBe(1);
    await remove("kept-1");
    expect(await held()).toBe(0);
  });

  it("move to another store also when they are empty", async () => {
    const { hash } = await scoped.putContent(inPieces(new Uint8Array(), 1));
    await append("empty", [withAttachment("a", hash)]);
    const rows: DumpRow[] = [];
    for await (const row of store.dump()) rows.push(row);
    const copy = await openPostgresStore({ url: `${database.url}?schema=copied` });
    await copy.load(feed(rows), { replace: true });
    const found = await copy.scoped(DEFAULT_SCOPE).files({ conversation: conversationIdFor("empty") });
    expect(found.rows).toMatchObject([{ content: hash, bytes: 0 }]);
    await copy.close();
  });

  it("are refused in a dump that has lost them", async () => {
    const { hash } = await scoped.putContent(inPieces(randomBytes(50), 50));
    await append("lost", [withAttachment("a", hash)]);
    const rows: DumpRow[] = [];
    for await (const row of store.dump()) rows.push(row);
    const copy = await openPostgresStore({ url: `${database.url}?schema=lossy` });
    const without = rows.filter((row) => row.row !== "file-content" || row.hash !== hash);
    await expect(copy.load(feed(without), { replace: true })).rejects.toMatchObject({
      code: "store-corrupt",
    });
    const changed = rows.map((row) =>
      row.row === "file-content" && row.hash === hash ? { ...row, content: randomBytes(50) } : row,
    );
    await expect(copy.load(feed(changed), { replace: true })).rejects.toThrow("does not match its hash");
    await copy.close();
  });
});

describe("contents that are damaged", () => {
  const messages = (session: string, payloads: Payloads) =>
    scoped.messages(conversationIdFor(session), { payloads });

  it.each([
    ["missing", "DELETE FROM file_chunks WHERE number = 1 AND content_hash = $1"],
    ["changed", "UPDATE file_chunks SET bytes = '\\x00' WHERE number = 1 AND content_hash = $1"],
  ])("are named, and left out where that is wanted: %s", async (how, damage) => {
    const payload = hex(2 * FRAME_BYTES);
    const message = withPayload("a", payload);
    await append(`damaged-${how}`, [sampleMessage("before"), message]);
    await client.query(damage, [Buffer.from(sha256(payload), "hex")]);
    const id = message.files[0]?.id ?? "";
    await expect(messages(`damaged-${how}`, "whole")).rejects.toMatchObject({
      code: "store-corrupt",
      message: expect.stringContaining(`${id} in ${messageId(conversationIdFor(`damaged-${how}`), 2)}`),
    });
    const { rows } = await messages(`damaged-${how}`, "sound");
    expect(rows[1]?.content).toBe('{"role":"tool","content":""}');
    expect((await messages(`damaged-${how}`, "stubs")).rows[1]?.content).toContain(id);
    expect(await scoped.fileBytes(id, 0, 10)).toEqual(Buffer.from(payload.slice(0, 10)));
    await expect(scoped.fileBytes(id, 0, payload.length)).rejects.toMatchObject({ code: "store-corrupt" });
    await erase(`damaged-${how}`, [2]);
  });
});

describe("contents that several want at once", () => {
  it("are not collected while somebody is about to refer to them", async () => {
    await store.collectGarbage({ dryRun: false });
    const content = randomBytes(1_000);
    const { hash } = await scoped.putContent(inPieces(content, 1_000));
    const message = withAttachment("a", hash);
    // Stops the append after it has locked the content and before it writes.
    const blocker = new pg.Client(database.url);
    await blocker.connect();
    await blocker.query("SET search_path = palimpsest; BEGIN; LOCK TABLE large_files IN SHARE MODE");
    const appended = append("late", [message]);
    await expect.poll(waiting).toBe(1);
    const collected = await store.collectGarbage({ dryRun: false });
    expect(collected).toEqual({ contents: 0, bytes: 0 });
    await blocker.query("ROLLBACK");
    await blocker.end();
    await appended;
    const bytes = await scoped.fileBytes(message.files[0]?.id ?? "", 0, 1_000);
    expect(Buffer.from(bytes ?? []).equals(content)).toBe(true);
  });

  it("survive an erasure that waits for somebody who refers to them meanwhile", async () => {
    const payload = hex(5_000);
    await append("first", [withPayload("a", payload)]);
    const holder = new pg.Client(database.url);
    await holder.connect();
    await holder.query("SET search_path = palimpsest; BEGIN");
    await holder.query("SELECT FROM file_contents WHERE content_hash = $1 FOR KEY SHARE", [
      Buffer.from(sha256(payload), "hex"),
    ]);
    const erased = erase("first", [1]);
    await expect.poll(waiting).toBe(1);
    const second = withPayload("b", payload);
    await append("second", [second]);
    await holder.query("ROLLBACK");
    await holder.end();
    await erased;
    const bytes = await scoped.fileBytes(second.files[0]?.id ?? "", 0, 5_000);
    expect(Buffer.from(bytes ?? []).toString()).toBe(payload);
  });

  it("are kept once when many bring them at the same time, and none fails", async () => {
    const payloads = [hex(4_000), hex(4_000), hex(4_000)];
    const sessions = Array.from({ length: 12 }, (_, i) => `many-${i}`);
    await Promise.all(
      sessions.map((session, i) =>
        append(
          session,
          payloads.map((_, k) => withPayload(`k${k}`, payloads[(i + k) % 3] ?? "")),
        ),
      ),
    );
    for (const payload of payloads)
      expect(await count(`file_contents WHERE content_hash = '\\x${sha256(payload)}'`)).toBe(1);
    await Promise.all(sessions.map((session) => erase(session, [1, 2, 3])));
    for (const payload of payloads)
      expect(await count(`file_contents WHERE content_hash = '\\x${sha256(payload)}'`)).toBe(0);
  });

  it("are read while they come and go", async () => {
    const payload = hex(3_000);
    const session = "restless";
    const id = conversationIdFor(session);
    const message = withPayload("a", payload);
    await append(session, [message]);
    let done = false;
    const moving = (async () => {
      for (let i = 0; i < 25; i++) {
        await scoped.commit([{ kind: "internalise", id, messages: [{ seq: 1, tokenCount: 100 }] }]);
        const apart = { seq: 1, files: message.files, tokenCount: 100, stubTokenCount: 7 };
        await scoped.commit([{ kind: "externalise", id, messages: [apart], at: AT }]);
      }
      done = true;
    })();
    while (!done)
      for (const row of (await scoped.messages(id, {})).rows) expect(row.content).toBe(message.content);
    await moving;
  });
});

describe("windows with stubs in PostgreSQL", () => {
  const TOKENS = [0, 40, 3, 100, 1];
  const STUB_TOKENS = [null, 2, null, 7, null];

  it.each([300, 299])("are the same as a walk over %i items, whatever budget and border", async (length) => {
    const name = `walk ${length}`;
    const id = conversationIdFor(name);
    const messages = Array.from({ length }, (_, i) =>
      sampleMessage(`w${i}`, "w", {
        role: "tool",
        tokenCount: TOKENS[i % 5] ?? 0,
        stubTokenCount: STUB_TOKENS[i % 5] ?? null,
      }),
    );
    await append(name, messages);
    const total = messages.reduce((sum, { tokenCount }) => sum + tokenCount, 0);
    for (const stubs of [
      { above: 0, freshItems: 1_000, freshTokens: 0, stepTokens: 1, fullAt: total },
      { above: 500, freshItems: 1_000, freshTokens: 144, stepTokens: 100, fullAt: total },
      { above: 500, freshItems: 20, freshTokens: 3_000, stepTokens: 2_000, fullAt: total - 1 },
      { above: total, freshItems: 1_000, freshTokens: 10, stepTokens: 10, fullAt: total },
      { above: 10, freshItems: 1_000, freshTokens: total + 1, stepTokens: 10, fullAt: 0 },
      { above: 10, freshItems: 30, freshTokens: total + 1, stepTokens: 150, fullAt: 0 },
      { above: 900, freshItems: 20, freshTokens: 10, stepTokens: 10, fullAt: total },
      { above: 850, freshItems: 20, freshTokens: 10, stepTokens: 10, fullAt: 0 },
    ])
      for (const maxTokens of [0, 1, 150, 1_000, 2_500, 100_000]) {
        const window = await scoped.contextWindow(id, { maxTokens, stubs });
        const seen = window.items.flatMap((item) =>
          item.type === "message" ? [[item.seq, item.isStub] as const] : [],
        );
        expect({ seen, left: window.left }).toEqual(walk(messages, total, maxTokens, stubs));
      }
  });

  it("cost the same however long the history is", async () => {
    const id = conversationIdFor("long");
    const messages = Array.from({ length: 5_000 }, (_, i) =>
      sampleMessage(`l${i}`, "l", { role: "tool", tokenCount: 10, stubTokenCount: 3 }),
    );
    await append("long", messages);
    const values = [DEFAULT_SCOPE.tenant, DEFAULT_SCOPE.agent, id, 300, 10, 0, 200, 100, 50, 64, 1_000, END];
    for (const prepare of ["SELECT", "ANALYZE"]) {
      await client.query(prepare);
      const { rows } = await client.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${SELECT_WINDOW}`, values);
      expect(rowsRead(rows[0]["QUERY PLAN"][0].Plan)).toBeLessThan(600);
    }
  });
});

function walk(messages: readonly NewMessage[], total: number, maxTokens: number, stubs: StubQuery) {
  const sum = (some: readonly NewMessage[]) => some.reduce((all, { tokenCount }) => all + tokenCount, 0);
  const asStubs = messages.reduce(
    (all, { stubTokenCount, tokenCount }) => all + (stubTokenCount ?? tokenCount),
    0,
  );
  const counted = {
    all: total,
    asStubs,
    newest: sum(messages.slice(-stubs.freshItems)),
    last: sum(messages.slice(-1)),
  };
  let border = 0;
  for (let seq = messages.length, tokens = 0; total > stubs.above && seq > 0 && border === 0; seq--) {
    tokens += messages[seq - 1]?.tokenCount ?? 0;
    if (tokens > wholeTokens(counted, stubs)) border = seq + 1;
  }
  const cost = ({ tokenCount, stubTokenCount }: NewMessage, asStub: boolean) =>
    asStub ? (stubTokenCount ?? tokenCount) : tokenCount;
  let first = messages.length + 1;
  for (let tokens = 0; first > 1; first--) {
    const message = messages[first - 2] as NewMessage;
    tokens += cost(message, first - 1 < border);
    if (tokens > maxTokens && first <= messages.length) break;
  }
  const before = messages.slice(0, first - 1);
  const shown = messages.slice(first - 1).map((message, i) => {
    const seq = first + i;
    return [seq, seq < border && message.stubTokenCount !== null] as const;
  });
  const tokens = before.reduce((sum, message) => sum + cost(message, border > 0), 0);
  return { seen: shown, left: { items: before.length, tokens } };
}

interface PlanNode {
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly "Rows Removed by Filter"?: number;
  readonly "Relation Name"?: string;
  readonly Plans?: readonly PlanNode[];
}

/** Rows of tables that a plan has read. */
function rowsRead(node: PlanNode): number {
  const each = node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0);
  const own = node["Relation Name"] === undefined ? 0 : each * node["Actual Loops"];
  return (node.Plans ?? []).reduce((sum, below) => sum + rowsRead(below), own);
}
