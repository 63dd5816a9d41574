/** After an erasure the words are in none of the store's own files, also while another process has the store open. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, inject, it } from "vitest";
import { type Engine, open } from "../../src/engine.ts";
import { deleteConversation } from "../../src/operations/conversations/conversations-delete.ts";
import { erase } from "../../src/operations/erase.ts";
import { verify } from "../../src/operations/store/verify.ts";
import { samplePublish, sampleSummary } from "../../src/store/testing/sample.ts";
import { ENGINES, type Place, temporaryFolder, temporaryPlace } from "../temporary-store.ts";
import { answer, lastPrompt, prompt, writeCall, writeResult } from "./claude-code-lines.ts";

const WORD = "zwetschgenknoedel8806";
const SECRET = `the recipe of ${WORD} belongs to nobody else`;
const HOLDER = fileURLToPath(new URL("hold-open.ts", import.meta.url));

describe.each(ENGINES)("the bytes on disk, on %s", (name) => {
  let place: Place;
  let engine: Engine;
  let folder: string;
  let holder: ChildProcess | undefined;

  beforeEach(async () => {
    folder = temporaryFolder();
    place = await temporaryPlace(name);
    engine = await open({ store: place.store, background: "off" });
  });

  afterEach(async () => {
    holder?.stdin?.end();
    if (holder !== undefined && holder.exitCode === null) await once(holder, "exit");
    holder = undefined;
    await engine.close();
    await place.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  const scoped = () => engine.store.scoped({ tenant: "default", agent: "default" });
  const said = (text: string) => ({ role: "user", content: text });

  async function holdOpen(conversation: string): Promise<void> {
    holder = spawn(process.execPath, [HOLDER, place.store, conversation], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    if (holder.stdout === null) throw new Error("no output to wait for");
    await once(holder.stdout, "data");
  }

  /** Files of the store that hold the word; null where the server's folder cannot be looked into. */
  async function filesWith(word: string): Promise<string[] | null> {
    const place_ = name === "sqlite" ? place.store : await databaseFolder();
    if (place_ === null) return null;
    return readdirSync(place_, { recursive: true })
      .map((file) => path.join(place_, String(file)))
      .filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile() && holds(file, word))
      .map((file) => path.basename(file));
  }

  async function expectGone(): Promise<void> {
    const found = (await filesWith(WORD)) ?? [];
    expect(await Promise.all(found.map(relationOf))).toEqual([]);
  }

  /** On PostgreSQL, which relation a file belongs to: its name says little. */
  async function relationOf(file: string): Promise<string> {
    if (name === "sqlite") return file;
    const client = new pg.Client(place.store);
    await client.connect();
    const { rows } = await client.query("SELECT pg_filenode_relation(0, $1::bigint::oid)::text AS relation", [
      Number.parseInt(file, 10),
    ]);
    await client.end();
    return `${file}: ${rows[0]?.relation}`;
  }

  function holds(file: string, word: string): boolean {
    const bytes = readFileSync(file);
    return bytes.includes(word) || bytes.includes(word.toUpperCase());
  }

  async function databaseFolder(): Promise<string | null> {
    const client = new pg.Client(place.store);
    await client.connect();
    // Written out, so that the files are what the server knows.
    await client.query("CHECKPOINT");
    const { rows } = await client.query(
      "SELECT current_setting('data_directory') || '/base/' || oid AS folder FROM pg_database WHERE datname = current_database()",
    );
    await client.end();
    const found = String(rows[0]?.folder);
    return existsSync(found) ? found : null;
  }

  async function plant(): Promise<{ main: string; second: string }> {
    const file = path.join(folder, "main.jsonl");
    const at = (entry: string, parent: string | null, session = "main") => ({ name: entry, parent, session });
    const main = [
      prompt(at("one", null), SECRET),
      writeCall(at("two", "one"), `# Notes\n${SECRET}\n`),
      writeResult(at("three", "two"), "two", `# Notes\n${SECRET}\n`),
      answer(at("four", "three"), "done"),
      lastPrompt("main", SECRET),
      `{"torn": "${SECRET}`,
    ];
    writeFileSync(file, main.map((line) => `${line}\n`).join(""));
    const { conversation } = await engine.context.conversations.import(file);
    const fork = path.join(folder, "fork.jsonl");
    writeFileSync(
      fork,
      `${prompt(at("one", null, "fork"), SECRET)}\n${answer(at("five", "one", "fork"), "ok")}\n`,
    );
    await engine.context.conversations.import(fork);
    const messages = [said(`PS: ${SECRET}.`), said("else"), said("more"), said("end")];
    await engine.context.commitTurn({ conversation: "second", key: "t", messages });
    async function* pieces(): AsyncIterable<Uint8Array> {
      yield Buffer.from(`title\n${SECRET}\n`.repeat(3));
    }
    await engine.context.files.attach({ conversation: "second", name: `${WORD}.txt`, open: pieces });
    const { id: second } = await engine.context.conversations.get("second");
    await engine.context.conversations.rename(second, SECRET);
    await scoped().commit([samplePublish(second, { ...sampleSummary([2, 3]), content: `So ${SECRET}` })]);
    await engine.memory.store({ text: `Note that ${SECRET}`, tags: [WORD] });
    await engine.context.assemble({ conversation: "second" });
    await engine.context.commitTurn({ conversation: "second", key: "u", messages: [said("after")] });
    await engine.context.index.build();
    await engine.memory.recall({ query: WORD });
    if (name === "postgres") await analyse();
    return { main: conversation ?? "", second };
  }

  /** As autovacuum does: values of columns come into the planner's statistics. */
  async function analyse(): Promise<void> {
    const client = new pg.Client(place.store);
    await client.connect();
    await client.query("ANALYZE");
    await client.end();
  }

  /** Short transactions in another database of the server, of which at least one is open at any time. */
  async function whileOthersWrite<Result>(work: () => Promise<Result>): Promise<Result> {
    if (name === "sqlite") return await work();
    let isDone = false;
    const write = async () => {
      const client = new pg.Client(inject("postgresUrl"));
      await client.connect();
      while (!isDone) await client.query("SELECT pg_current_xact_id(), pg_sleep(random() * 0.3)");
      await client.end();
    };
    const writers = Array.from({ length: 4 }, write);
    try {
      return await work();
    } finally {
      isDone = true;
      await Promise.all(writers);
    }
  }

  it("hold nothing of what was erased with its copies (promise: erasable)", async () => {
    const { main } = await plant();
    expect(await filesWith(WORD)).not.toEqual([]);
    await holdOpen(main);
    const report = await whileOthersWrite(() => erase.run(engine, { id: main, from: 1, also: true }, {}));
    expect(report).toMatchObject({ filesCleaned: true, problem: null, alsoIn: [] });
    await expectGone();
    expect(await verify.run(engine, { erasure: true }, {})).toMatchObject({ ok: true, problems: [] });
    expect(await verify.run(engine, {}, {})).toMatchObject({ ok: true });
  });

  it("hold nothing of a conversation that was deleted", async () => {
    await engine.context.commitTurn({ conversation: "other", key: "t", messages: [said("hello")] });
    await engine.context.commitTurn({ conversation: "gone", key: "t", messages: [said(SECRET)] });
    await engine.context.index.build();
    await holdOpen("other");
    expect(await deleteConversation.run(engine, { conversation: "gone" }, {})).toMatchObject({
      filesCleaned: true,
    });
    await expectGone();
  });

  it("hold nothing of the only conversation once it was deleted", async () => {
    const messages = [said(SECRET), said("more")];
    await engine.context.commitTurn({ conversation: WORD, key: WORD, messages });
    await engine.context.index.build();
    if (name === "postgres") await analyse();
    expect(await deleteConversation.run(engine, { conversation: WORD }, {})).toMatchObject({
      filesCleaned: true,
    });
    await expectGone();
  });

  it("hold nothing of a memory that was forgotten for good, or say that they still do", async () => {
    const { memory } = await engine.memory.store({ text: SECRET });
    await engine.memory.forget({ id: memory.id, erase: true });
    if (name === "postgres") {
      expect(await scoped().uncleanedSince()).not.toBeNull();
      expect(await verify.run(engine, { erasure: true, repair: true }, {})).toMatchObject({
        ok: true,
        repaired: 1,
      });
    }
    expect(await scoped().uncleanedSince()).toBeNull();
    await expectGone();
  });

  it.runIf(name === "sqlite")(
    "are cleaned by whoever comes next when another process was reading",
    async () => {
      await engine.context.commitTurn({
        conversation: "a",
        key: "t",
        messages: [said(SECRET), said("stays")],
      });
      const reading = new DatabaseSync(path.join(place.store, "palimpsest.db"), { readOnly: true });
      reading.exec("BEGIN");
      reading.prepare("SELECT count(*) FROM messages").get();
      const report = await engine.context.erase({ conversation: "a", from: 1 });
      expect(report.filesCleaned).toBe(false);
      expect(await filesWith(WORD)).not.toEqual([]);
      expect(await verify.run(engine, { erasure: true }, {})).toMatchObject({
        ok: false,
        problems: [{ repairable: true }],
      });
      reading.close();
      await engine.context.commitTurn({ conversation: "a", key: "u", messages: [said("later")] });
      expect(await filesWith(WORD)).toEqual([]);
      expect(await scoped().uncleanedSince()).toBeNull();
    },
  );
});
