/** Rows of files that were changed behind the engine's back: they are named, refused when read, and hide nothing else. */
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { filePieces } from "../../src/context/files/file-pieces.ts";
import { checkIntegrity } from "../../src/context/verify/check-integrity.ts";
import { type Engine, open } from "../../src/index.ts";
import { DATABASE_NAME } from "../../src/store/sqlite/index.ts";
import type { DumpRow } from "../../src/store/store.ts";
import { feed } from "../../src/store/testing/conformance/read-store.ts";
import { sha256 } from "../../src/text/bytes.ts";
import { DEFAULT_SCOPE } from "../../src/types.ts";
import { ENGINES, type Place, temporaryPlace } from "../temporary-store.ts";

const INVOICE = "invoice 1: 100 francs\n".repeat(50);
const OTHER = "invoice 2: 900 francs\n".repeat(50);
/** Of several frames, beside the database where that is SQLite. */
const LARGE = "a line that is long enough to be told from others\n".repeat(20_000);

describe.each(ENGINES)("damaged files on %s", (kind) => {
  let place: Place;
  let engine: Engine;

  beforeEach(async () => {
    place = await temporaryPlace(kind);
    await start();
  });

  afterEach(async () => {
    await engine.close();
    await place.dispose();
  });

  async function start(): Promise<void> {
    engine = await open({ store: place.store, background: "off", config: { logLevel: "silent" } });
  }

  async function attach(name: string, text: string, key?: string): Promise<string> {
    const { id } = await engine.context.files.attach({
      conversation: "c",
      name,
      open: async function* () {
        yield Buffer.from(text);
      },
      ...(key === undefined ? {} : { key }),
    });
    return id;
  }

  /** `$BYTES(…)` stands for bytes as either database writes them. */
  async function damage(statement: string): Promise<void> {
    await engine.close();
    const literal = (hex: string) => (kind === "sqlite" ? `x'${hex}'` : `'\\x${hex}'::bytea`);
    const sql = statement.replaceAll(/\$BYTES\(([0-9a-f]*)\)/g, (_, hex: string) => literal(hex));
    if (kind === "sqlite") {
      const database = new DatabaseSync(path.join(place.store, DATABASE_NAME));
      database.exec(sql);
      database.close();
    } else {
      const client = new pg.Client(place.store);
      await client.connect();
      await client.query(`SET search_path = palimpsest; ${sql}`);
      await client.end();
    }
    await start();
  }

  const contentOf = (text: string) => `$BYTES(${sha256(text)})`;

  async function problems(): Promise<[string, number | null, string][]> {
    const report = await checkIntegrity(engine.store);
    return report.problems.map(({ check, seq, message }) => [check, seq, message]);
  }

  it.each([
    ["of another length", "ffffffffff"],
    ["of one frame that is far too long", "ffffffffffffffff"],
    ["that is empty", ""],
    ["of a frame too many", "01000000010000000100000001000000"],
  ])("have a table of frames %s", async (_, table) => {
    const small = await attach("small.txt", INVOICE);
    const large = await attach("large.txt", LARGE);
    const sound = await attach("sound.txt", OTHER);
    const hashes = `${contentOf(INVOICE)}, ${contentOf(LARGE)}`;
    await damage(`UPDATE file_contents SET frames = $BYTES(${table}) WHERE content_hash IN (${hashes})`);
    expect((await problems()).map(([check, seq]) => [check, seq])).toEqual([
      ["files", 2],
      ["files", 1],
    ]);
    for (const id of [small, large])
      await expect(engine.context.files.read({ id })).rejects.toMatchObject({ code: "store-corrupt" });
    expect((await engine.context.files.read({ id: sound })).text).toBe(OTHER);
  });

  it.each([
    ["shorter by a byte", "byte_size - 1"],
    ["longer by a byte", "byte_size + 1"],
    ["shorter by whole frames", "262144"],
    ["nothing", "0"],
  ])("have a size that is %s", async (_, size) => {
    const id = await attach("large.txt", LARGE);
    await damage(`UPDATE file_contents SET byte_size = ${size}`);
    expect((await problems()).map(([check, seq]) => [check, seq])).toEqual([["files", 1]]);
    const scoped = engine.store.scoped(DEFAULT_SCOPE);
    const readAll = async () => {
      for await (const _ of filePieces(scoped, { id, bytes: LARGE.length }));
    };
    await expect(readAll()).rejects.toMatchObject({ code: "store-corrupt" });
  });

  it("are named in a backup, which holds everything else and is restored with it", async () => {
    const id = await attach("large.txt", LARGE);
    const sound = await attach("sound.txt", OTHER);
    await engine.context.commitTurn({
      conversation: "c",
      key: "result",
      messages: [{ role: "tool", tool_call_id: "r", content: INVOICE.repeat(10) }],
    });
    const wrong = kind === "sqlite" ? "file_contents SET content" : "file_chunks SET bytes";
    const hashes = `${contentOf(LARGE)}, ${contentOf(INVOICE.repeat(10))}`;
    await damage(`UPDATE ${wrong} = $BYTES(00) WHERE content_hash IN (${hashes})`);
    const rows: DumpRow[] = [];
    for await (const row of engine.store.dump({ withDamaged: true })) rows.push(row);
    const damages = rows.flatMap((row) => (row.row === "damage" ? [row] : []));
    expect(damages.map(({ seq }) => seq)).toEqual([1, 3]);
    expect(damages[0]?.problem).toContain(id);
    const other = await temporaryPlace(kind);
    const copy = await open({ store: other.store, background: "off", config: { logLevel: "silent" } });
    const report = await copy.store.load(feed(rows), { replace: true });
    expect(report).toMatchObject({ conversations: 1, messages: 3, damages: [{ seq: 1 }, { seq: 3 }] });
    expect((await copy.context.files.read({ id: sound })).text).toBe(OTHER);
    await copy.close();
    await other.dispose();
  });

  it("have other lines than are on record", async () => {
    await attach("large.txt", LARGE);
    await damage("UPDATE file_contents SET line_count = line_count + 1");
    expect(await problems()).toMatchObject([["files", 1, expect.stringContaining("20000 lines")]]);
  });

  // promise: evident
  it.each([["by its content"], ["by its caller"]])(
    "refer to the content of another, under a key given %s",
    async (how) => {
      const key = how === "by its content" ? undefined : "mine";
      const id = await attach("invoice.txt", INVOICE, key);
      await attach("other.txt", OTHER);
      await damage(
        `UPDATE large_files SET content_hash = ${contentOf(OTHER)} WHERE content_hash = ${contentOf(INVOICE)}`,
      );
      expect(await problems()).toEqual([
        ["files", 1, `${id}: its content differs from the one its message refers to`],
      ]);
    },
  );

  it("refer to a content of another size, under a key too long to tell the hash", async () => {
    await attach("invoice.txt", INVOICE, "k".repeat(500));
    await attach("other.txt", LARGE);
    await damage(
      `UPDATE large_files SET content_hash = ${contentOf(LARGE)} WHERE content_hash = ${contentOf(INVOICE)}`,
    );
    expect(await problems()).toMatchObject([["files", 1, expect.stringContaining("its message says 1100")]]);
  });

  it.each([
    ["are not written as places are", "'[[SECRET'"],
    ["have no numbers", `'[["1",null,{},"x"]]'`],
    ["are behind the end", "'[[90000,99000,0,0]]'"],
    ["are ahead of the beginning", "'[[3,400,0,0]]'"],
    ["take in what is around them", "'[[40,11040,39,3]]'"],
  ])("have places that %s", async (_, places) => {
    const say = (key: string, content: string) =>
      engine.context.commitTurn({
        conversation: "c",
        key,
        messages: [{ role: "tool", tool_call_id: key, content }],
      });
    await say("one", INVOICE.repeat(10));
    await say("two", "short");
    await damage(`UPDATE large_files SET places = ${places}`);
    const found = await problems();
    expect(found.map(([check, seq]) => [check, seq])).toContainEqual(["chain", 1]);
    expect(found.filter(([, seq]) => seq === 2)).toEqual([]);
    const failure = await engine.context.read({ conversation: "c" }).catch((error: unknown) => error);
    for (let error = failure; error instanceof Error; error = error.cause)
      expect(error.message).not.toMatch(/SECRET|francs|tool_call|Unexpected/);
    expect((await engine.context.read({ conversation: "c", from: 2 })).messages).toHaveLength(1);
  });

  it("were cut out of a message, and another content was put in their place", async () => {
    const say = (key: string, content: string) =>
      engine.context.commitTurn({
        conversation: "c",
        key,
        messages: [{ role: "tool", tool_call_id: key, content }],
      });
    const [one, two] = [INVOICE.repeat(10), OTHER.repeat(10)];
    await say("one", one);
    await say("two", two);
    await damage(
      `UPDATE large_files SET content_hash = ${contentOf(two)} WHERE content_hash = ${contentOf(one)}`,
    );
    expect((await problems()).map(([check, seq]) => [check, seq])).toContainEqual(["chain", 1]);
  });

  it("were cut out of a message as data, and are gone", async () => {
    const value = Array.from({ length: 900 }, (_, id) => ({ id, name: `invoice ${id}` }));
    const result = { type: "tool-result", toolCallId: "c", toolName: "t", output: { type: "json", value } };
    const messages = [{ role: "tool", content: [result] }];
    await engine.context.commitTurn({ conversation: "c", key: "one", messages });
    const frames = kind === "sqlite" ? "file_contents SET content" : "file_chunks SET bytes";
    await damage(`UPDATE ${frames} = $BYTES(00)`);
    expect((await problems()).map(([check, seq]) => [check, seq])).toEqual(
      expect.arrayContaining([
        ["chain", 1],
        ["files", 1],
      ]),
    );
    await expect(engine.context.read({ conversation: "c" })).rejects.toMatchObject({ code: "store-corrupt" });
    const question = { role: "user", content: "which invoices are there?" };
    const said = await engine.context.commitTurn({ conversation: "c", key: "two", messages: [question] });
    const id = said.status === "skipped" ? "" : said.conversation;
    // What is left of the message is JSON, so that nothing else is hidden by it.
    const { rows } = await engine.store.scoped(DEFAULT_SCOPE).messages(id, { to: 1, payloads: "search" });
    expect(JSON.parse(String(rows[0]?.content))).toEqual({
      role: "tool",
      content: [{ ...result, output: { type: "json", value: null } }],
    });
    expect((await engine.context.grep({ pattern: "invoices" })).hits).toHaveLength(1);
  });
});
