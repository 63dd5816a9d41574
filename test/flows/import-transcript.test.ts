import { appendFileSync, copyFileSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { checkIntegrity } from "../../src/context/verify/check-integrity.ts";
import { type Engine, type ImportReport, open, textOfParts } from "../../src/index.ts";
import { basisOf } from "../../src/store/rules/transcript-basis.ts";
import { ENGINES, type Place, steadyClock, temporaryFolder, temporaryPlace } from "../temporary-store.ts";

describe.each(ENGINES)("importing transcripts on %s", (name) => {
  let place: Place;
  let engine: Engine;
  const folder = temporaryFolder();
  let files = 0;
  let file = "";
  let session = "";

  beforeAll(async () => {
    place = await temporaryPlace(name);
    engine = await open({ store: place.store, clock: steadyClock(), config: { logLevel: "silent" } });
  });
  afterAll(async () => {
    expect((await checkIntegrity(engine.store)).problems).toEqual([]);
    await engine.close();
    await place.dispose();
  });
  beforeEach(() => {
    session = `session-${++files}`;
    file = path.join(folder, `${session}.jsonl`);
  });

  const header = () => `{"type":"palimpsest","version":1,"session":"${session}"}`;
  const say = (text: string, id?: string) =>
    JSON.stringify({ ...(id ? { id } : {}), role: "user", content: text });
  const write = (...lines: string[]) => writeFileSync(file, lines.map((line) => `${line}\n`).join(""));
  const add = (...lines: string[]) => appendFileSync(file, lines.map((line) => `${line}\n`).join(""));
  const bring = (): Promise<ImportReport> => engine.context.conversations.import(file);

  /** The texts of the conversation: those in the context, and all that are on record. */
  async function texts(): Promise<{ context: string[]; all: string[] }> {
    const { messages } = await engine.context.read({ conversation: session });
    const inContext = messages.filter((message) => message.excluded === null);
    const textsOf = (list: typeof messages) => list.map((message) => textOfParts(message.parts));
    return { context: textsOf(inContext), all: textsOf(messages) };
  }

  async function expectFileBack(): Promise<void> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of engine.context.conversations.transcript({ conversation: session }))
      chunks.push(chunk);
    expect(Buffer.concat(chunks).equals(readFileSync(file))).toBe(true);
  }

  it("reads a file once and then only what is new in it", async () => {
    write(header(), say("one"), say("ok"), say("ok"));
    expect(await bring()).toMatchObject({
      status: "imported",
      file: "new",
      imported: 3,
      events: 1,
      sessionId: session,
    });
    expect(await bring()).toMatchObject({ status: "unchanged", imported: 0, alreadyThere: 3 });
    add(say("ok"), say("two"));
    expect(await bring()).toMatchObject({ file: "grown", lines: 2, imported: 2, alreadyThere: 3 });
    expect((await texts()).context).toEqual(["one", "ok", "ok", "ok", "two"]);
    await expectFileBack();
  });

  it("finds a turn of pi or OpenClaw that failed by its error, which no model is sent", async () => {
    const error = `529 overloaded_error in ${session}`;
    const failed = { role: "assistant", content: [], stopReason: "error", errorMessage: error };
    const entry = (id: string, parentId: string | null, message: object) =>
      JSON.stringify({ type: "message", id, parentId, timestamp: "2026-03-01T10:00:00Z", message });
    write(
      JSON.stringify({ type: "session", version: 3, id: session, cwd: "/" }),
      entry("1", null, { role: "user", content: "hello" }),
      entry("2", "1", failed),
    );
    await bring();
    await engine.context.commitTurn({ conversation: session, key: "t", messages: [failed] });
    const { hits } = await engine.context.grep({ pattern: error, mode: "exact" });
    expect(hits.map(({ seq }) => seq)).toEqual([3, 2]);
    const { messages } = await engine.context.assemble({ conversation: session, format: "anthropic" });
    expect(JSON.stringify(messages)).not.toContain("overloaded");
    await expectFileBack();
  });

  it("keeps a torn last line and reads it when it is complete", async () => {
    const last = say("the end");
    write(header(), say("one"));
    appendFileSync(file, last.slice(0, 12));
    const torn = await bring();
    expect(torn.unreadable).toEqual([{ line: 3, problem: expect.stringContaining("not complete yet") }]);
    await expectFileBack();
    appendFileSync(file, last.slice(12));
    expect(await bring()).toMatchObject({ imported: 1, alreadyThere: 1, unreadable: [] });
    await expectFileBack();
    appendFileSync(file, "\n");
    expect(await bring()).toMatchObject({ imported: 0, alreadyThere: 2 });
    add(say("more"));
    expect(await bring()).toMatchObject({ imported: 1 });
    expect((await texts()).context).toEqual(["one", "the end", "more"]);
    await expectFileBack();
  });

  it("quarantines broken and glued lines by number and imports the rest", async () => {
    write(
      header(),
      say("one"),
      '{"role":"user","content":',
      `${say("a")}${say("b")}`,
      "",
      "\u00e9\r",
      say("two"),
    );
    const report = await bring();
    expect(report.unreadable.map((line) => line.line)).toEqual([3, 4, 6]);
    expect(report.imported).toBe(2);
    expect((await engine.store.info()).unreadableLines).toBeGreaterThanOrEqual(3);
    await expectFileBack();
  });

  it("keeps both versions of an edited file and follows the newer (promise: transcript)", async () => {
    write(header(), say("one"), say("two"), say("ok"), say("three"));
    await bring();
    write(header(), say("one"), say("TWO"), say("ok"), say("four"));
    expect(await bring()).toMatchObject({ file: "edited", imported: 3, alreadyThere: 1 });
    expect(await texts()).toEqual({
      context: ["one", "TWO", "ok", "four"],
      all: ["one", "two", "ok", "three", "TWO", "ok", "four"],
    });
    await expectFileBack();
    expect(await bring()).toMatchObject({ status: "unchanged" });
    add(say("five"));
    await bring();
    expect((await texts()).context).toEqual(["one", "TWO", "ok", "four", "five"]);
    await expectFileBack();
  });

  it("keeps an entry that was edited under its id as a branch, in the file's order", async () => {
    write(header(), say("one", "a"), say("two", "b"), say("three", "c"));
    await bring();
    write(header(), say("one", "a"), say("zwei", "b"), say("three", "c"));
    await bring();
    expect(await texts()).toEqual({
      context: ["one", "zwei", "three"],
      all: ["one", "two", "three", "zwei", "three"],
    });
    await expectFileBack();
  });

  it("takes a cut tail out of the context and brings it back with the file", async () => {
    write(header(), say("one"), say("two"), say("three"));
    await bring();
    write(header(), say("one"));
    expect(await bring()).toMatchObject({ file: "cut", imported: 0, alreadyThere: 1 });
    expect((await texts()).context).toEqual(["one"]);
    write(header(), say("one"), say("two"), say("three"));
    expect(await bring()).toMatchObject({ imported: 0, alreadyThere: 3 });
    expect(await texts()).toEqual({ context: ["one", "two", "three"], all: ["one", "two", "three"] });
    await expectFileBack();
  });

  it("goes on when the file was rotated, with or without lines that it kept", async () => {
    const lines = (...list: string[]) => writeFileSync(file, list.map((line) => `${line}\n`).join(""));
    lines(say("one"), say("ok"), say("two"), say("ok"));
    const first = await bring();
    session = first.sessionId;
    lines(say("two"), say("ok"), say("three"));
    expect(await bring()).toMatchObject({ file: "replaced", imported: 1, alreadyThere: 2 });
    expect((await texts()).context).toEqual(["one", "ok", "two", "ok", "three"]);
    await expectFileBack();
    lines(say("ok"), say("four"));
    expect(await bring()).toMatchObject({ file: "replaced", imported: 2 });
    expect((await texts()).context).toEqual(["one", "ok", "two", "ok", "three", "ok", "four"]);
    await expectFileBack();
  });

  it("knows the same session under another path", async () => {
    write(header(), say("one"), say("two"));
    await bring();
    const moved = path.join(folder, `moved-${session}.jsonl`);
    copyFileSync(file, moved);
    renameSync(moved, `${moved}.jsonl`);
    file = `${moved}.jsonl`;
    expect(await bring()).toMatchObject({ imported: 0 });
    add(say("three"));
    expect(await bring()).toMatchObject({ imported: 1 });
    expect((await texts()).context).toEqual(["one", "two", "three"]);
    await expectFileBack();
  });

  it("follows the active branch of a tree and keeps the others (promise: reachable)", async () => {
    const entry = (id: string, parentId: string | null, text: string) =>
      JSON.stringify({
        type: "message",
        id,
        parentId,
        timestamp: "2026-03-01T10:00:00Z",
        message: { role: "user", content: text },
      });
    const start = JSON.stringify({
      type: "session",
      version: 3,
      id: session,
      timestamp: "2026-03-01T10:00:00Z",
      cwd: "/",
    });
    write(start, entry("a", null, "one"), entry("b", "a", "two"), entry("c", "b", "three"));
    await bring();
    add(entry("d", "a", "zwei"));
    expect(await bring()).toMatchObject({ offPath: { messages: 2, ranges: [{ from: 2, to: 3 }] } });
    expect(await texts()).toEqual({ context: ["one", "zwei"], all: ["one", "two", "three", "zwei"] });
    add(entry("e", "c", "four"));
    await bring();
    expect((await texts()).context).toEqual(["one", "two", "three", "four"]);
    await expectFileBack();
  });

  it("can be interrupted and repeated", async () => {
    write(header(), ...Array.from({ length: 3000 }, (_, i) => say(`line ${i % 7}`)));
    const controller = new AbortController();
    const interrupted = engine.context.conversations.import(file, {
      signal: controller.signal,
      onProgress: () => controller.abort(),
    });
    await expect(interrupted).rejects.toMatchObject({ code: "cancelled" });
    const kept = (await engine.context.conversations.get(session)).messageCount;
    expect(kept).toBeGreaterThan(0);
    expect(await bring()).toMatchObject({ imported: 3000 - kept, file: "resumed" });
    add(say("more"));
    expect(await bring()).toMatchObject({ imported: 1, file: "grown" });
    expect(await bring()).toMatchObject({ imported: 0, file: "unchanged", offPath: null });
    expect((await engine.context.conversations.get(session)).messageCount).toBe(3001);
    await expectFileBack();
  });

  it("erases a message with what the host's own events say of it, and does not bring it back", async () => {
    const event = JSON.stringify({ type: "note", text: "he said: the code is 4711-0815" });
    write(header(), say("hello"), say("the code is 4711-0815"), event);
    await bring();
    const report = await engine.context.erase({ conversation: session, from: 2 });
    expect(report).toMatchObject({ messages: 1, transcriptLines: 1, transcriptFiles: [file] });
    await engine.store.compactFiles();
    add(say("bye"));
    await bring();
    expect(await texts()).toEqual({ context: ["hello", "bye"], all: ["hello", "", "bye"] });
    const rows: unknown[] = [];
    for await (const row of engine.store.dump()) rows.push(row);
    expect(JSON.stringify(rows)).not.toContain("4711-0815");
  });

  it("reads lines again that older readers could not read", async () => {
    write(header(), say("one"), say("two"));
    const { conversation } = await bring();
    const scoped = engine.store.scoped({ tenant: "default", agent: "default" });
    const [transcript] = await scoped.transcripts(conversation ?? "");
    if (transcript === undefined) throw new Error("no transcript");
    const { conversation: id, updatedAt: at, ...state } = transcript;
    const page = await scoped.transcriptLines(id, { transcript: 1, from: 2 });
    const line = page.rows[0];
    if (line === undefined) throw new Error("no line");
    const asUnread = {
      ...line,
      kind: "unreadable",
      content: say("won back"),
      seq: null,
      messageKey: null,
    } as const;
    const write0 = {
      kind: "append",
      address: { id },
      create: null,
      turnKey: null,
      messages: [],
      onOtherContent: "branch",
    } as const;
    const none = {
      afterSeq: null,
      leaveOthersAfter: null,
      leaveContext: [{ seq: 2, reason: "branch" }],
      enterContext: [],
      at,
    } as const;
    await scoped.commit([
      {
        ...write0,
        ...none,
        transcript: {
          plannedFrom: basisOf([state], 1),
          state: { ...state, readerVersion: 0 },
          lines: [{ ...asUnread, hash: null }],
        },
        receipt: null,
      },
    ]);
    expect(await bring()).toMatchObject({ imported: 1 });
    expect((await texts()).context).toEqual(["one", "won back"]);
  });
});
