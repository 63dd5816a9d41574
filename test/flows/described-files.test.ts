/** A model describes files of prose at a compaction; what was shown before is shown again as it was. */
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { checkIntegrity } from "../../src/context/verify/check-integrity.ts";
import { type Engine, type OpenOptions, open } from "../../src/index.ts";
import type { Complete, CompletionRequest } from "../../src/model/complete.ts";
import { readArchive, writeArchive } from "../../src/store/archive.ts";
import { ANSWER, outOfReach, refusedKey } from "../scripted-complete.ts";
import { ENGINES, type Place, steadyClock, temporaryFolder, temporaryPlace } from "../temporary-store.ts";

const WORDS = "A handbook of the harbour: when the tide rises, who opens the locks, and what pilots earn.";
const HANDBOOK = `# Harbour\n\n${"The tide rises twice a day. \u6f6e ".repeat(600)}\n\n## Locks\n\nPilots wait for the signal.`;
const TABLE = `name,height\n${Array.from({ length: 400 }, (_, i) => `buoy ${i},${i % 7}`).join("\n")}`;

describe.each(ENGINES)("files that a model describes on %s", (kind) => {
  const left: { close(): Promise<void>; place: Place }[] = [];
  afterAll(async () => {
    for (const engine of left) {
      await engine.close();
      await engine.place.dispose();
    }
  });

  /** An engine whose model answers what `answer` says about files, and nothing to any other question. */
  async function openWith(answer: string | Error, options: OpenOptions = {}) {
    const place = await temporaryPlace(kind);
    const asked: CompletionRequest[] = [];
    const complete: Complete = async (request) => {
      asked.push(request);
      if (request.purpose !== "large-file") throw outOfReach();
      if (answer instanceof Error) throw answer;
      return { ...ANSWER, text: answer, model: "test/librarian" };
    };
    const config = { logLevel: "silent", largeFileTokenThreshold: 500 } as const;
    const engine = await open({
      ...{ store: place.store, background: "off", complete, clock: steadyClock(), config },
      ...options,
    });
    left.push(Object.assign(engine, { place }));
    const { context } = engine;
    const say = (key: string, content: string) =>
      context.commitTurn({ conversation: "s", key, messages: [{ role: "user", content }] });
    const shown = async () => JSON.stringify((await context.assemble({ conversation: "s" })).messages);
    return { engine, context, asked, say, shown };
  }

  const attach = (name: string, text: string) => `Look: <file name="${name}">${text}</file> Clear?`;

  async function expectSound(engine: Engine) {
    expect((await checkIntegrity(engine.store)).problems).toEqual([]);
  }

  it("show its words after a compaction, and turns before it are replayed as they were", async () => {
    const { engine, context, asked, say, shown } = await openWith(`Here is the summary:\n${WORDS}`);
    await say("first", attach("handbook.md", HANDBOOK));
    await say("second", attach("buoys.csv", TABLE));
    const before = await context.assemble({ conversation: "s" });
    await say("third", "And now?");
    await context.compact({ conversation: "s", dryRun: true });
    expect(asked).toEqual([]);
    await context.compact({ conversation: "s" });
    expect(asked.map(({ purpose }) => purpose)).toEqual(["large-file"]);
    expect(asked[0]?.prompt).toContain("Start of the file:\n# Harbour");
    expect(asked[0]?.prompt).toContain("Pilots wait for the signal.");

    const text = await shown();
    expect(text).toContain(WORDS);
    expect(text).toMatch(/Exploration Summary:\\nMarkdown, [^"]*?\.\\nA handbook of the harbour/);
    expect(text).toContain("CSV, 4.3 kB, 401 lines");
    const { files } = await context.files.list();
    expect(files.map(({ name, described }) => [name, described?.model ?? null])).toEqual([
      ["buoys.csv", null],
      ["handbook.md", "test/librarian"],
    ]);

    await say("fourth", "Thanks.");
    const past = await context.conversations.at({ conversation: "s", turn: "third" });
    expect(past.differs).toBeNull();
    expect(past.messages).toEqual(before.messages);
    expect(JSON.stringify(past.messages)).not.toContain(WORDS);
    const latest = await context.conversations.at({ conversation: "s", turn: "fourth" });
    expect(latest.differs).toBeNull();
    expect(JSON.stringify(latest.messages)).toContain(WORDS);

    await context.compact({ conversation: "s" });
    expect(asked).toHaveLength(1);
    await expectSound(engine);
  });

  it("are replayed as they were also when they were described between assembly and turn", async () => {
    const { context, say, shown } = await openWith(WORDS);
    await say("first", attach("handbook.md", HANDBOOK));
    const before = await shown();
    await context.compact({ conversation: "s" });
    await say("second", "And now?");
    const past = await context.conversations.at({ conversation: "s", turn: "second" });
    expect(past.differs).toBeNull();
    expect(JSON.stringify(past.messages)).toBe(before);
  });

  it("count what they cost, exactly", async () => {
    const { context, say } = await openWith(WORDS);
    await say("first", attach("handbook.md", HANDBOOK));
    await context.compact({ conversation: "s" });
    const [file] = (await context.files.list()).files;
    const { conversation } = file ?? { conversation: "" };
    const { tokenCount, contextTokens } = await context.conversations.get(conversation);
    // A message with the same words that is committed as it stands costs the same.
    const { messages } = await context.assemble({ conversation });
    await context.commitTurn({ conversation: "copy", key: "t", messages: messages as [] });
    expect([tokenCount, contextTokens]).toEqual(
      Array(2).fill((await context.conversations.get("copy")).tokenCount),
    );
  });

  it("count with results of tools beside them, whole and as stubs", async () => {
    const { engine, context } = await openWith(WORDS);
    const content = [
      { type: "tool_result", tool_use_id: "t1", content: "one line of a log\n".repeat(600) },
      { type: "text", text: attach("handbook.md", HANDBOOK) },
    ];
    const call = { role: "assistant", content: [{ type: "tool_use", id: "t1", name: "Read", input: {} }] };
    const messages = [call, { role: "user", content }];
    await context.commitTurn({ conversation: "s", key: "first", messages });
    const { id, ...before } = await context.conversations.get("s");
    await context.compact({ conversation: "s" });
    const after = await context.conversations.get("s");
    const grown = after.contextTokens - before.contextTokens;
    expect(grown).not.toBe(0);
    expect(after.tokenCount - before.tokenCount).toBe(grown);
    expect(Math.abs(after.contextStubTokens - before.contextStubTokens - grown)).toBeLessThanOrEqual(1);
    expect((await context.read({ conversation: id })).messages.map(({ value }) => value)).toEqual(messages);
    await expectSound(engine);
  });

  it("that were attached beside their message are described too", async () => {
    const { engine, context, say, shown } = await openWith(WORDS);
    async function* content() {
      yield new TextEncoder().encode(HANDBOOK);
    }
    const attached = await context.files.attach({ conversation: "s", open: content, name: "handbook.md" });
    await shown();
    await say("second", "What is in it?");
    await context.compact({ conversation: "s" });
    expect(await shown()).toContain(WORDS);
    const [message] = (await context.read({ conversation: "s", to: 1 })).messages;
    expect(message?.value).toMatchObject({ content: attached.reference });
    expect((await context.conversations.at({ conversation: "s", turn: "second" })).differs).toBeNull();
    const again = await context.files.attach({ conversation: "s", open: content, name: "handbook.md" });
    expect(again).toMatchObject({ status: "duplicate", id: attached.id });
    await expectSound(engine);
  });

  it.each([
    ["is out of reach", outOfReach()],
    ["refuses the key", refusedKey()],
    ["says nothing", " \n "],
    ["repeats a key", `${WORDS} The key sk-proj-4f9a1c2b7d8e opens the locks.`],
  ])("stay as they are when it %s", async (_, answer) => {
    const { engine, context, asked, say, shown } = await openWith(answer);
    await say("first", attach("handbook.md", HANDBOOK));
    const before = await shown();
    const { tokensBefore, tokensAfter } = await context.compact({ conversation: "s" });
    expect(tokensAfter).toBe(tokensBefore);
    expect(await shown()).toBe(before);
    expect((await context.files.list()).files).toMatchObject([{ described: null }]);
    await context.compact({ conversation: "s" });
    // What was refused is not asked again; a model that failed is.
    expect(asked).toHaveLength(answer instanceof Error ? 2 : 1);
    await expectSound(engine);
  });

  it("are few in one compaction, and none once time is up", async () => {
    const { context, asked, say } = await openWith(WORDS);
    for (let i = 0; i < 10; i++) await say(`t${i}`, attach(`handbook-${i}.md`, `${HANDBOOK} ${i}`));
    await context.compact({ conversation: "s", deadlineMs: 1 });
    await context.compact({ conversation: "s", signal: AbortSignal.abort() });
    expect(asked).toHaveLength(0);
    await context.compact({ conversation: "s" });
    expect(asked).toHaveLength(8);
    await context.compact({ conversation: "s" });
    expect(asked).toHaveLength(10);
  });

  it("keep their descriptions when they are exported and imported", async () => {
    const { engine, context, say, shown } = await openWith(WORDS);
    await say("first", attach("handbook.md", HANDBOOK));
    await shown();
    await say("second", "And now?");
    await context.compact({ conversation: "s" });
    const archive = path.join(temporaryFolder(), "all.jsonl.zst");
    await writeArchive(engine.store, archive, {});
    const copy = await openWith(WORDS);
    await copy.engine.store.load(readArchive(archive), { replace: false });
    expect(await copy.shown()).toBe(await shown());
    expect((await copy.context.conversations.at({ conversation: "s", turn: "second" })).differs).toBeNull();
    await expectSound(copy.engine);
  });
});
