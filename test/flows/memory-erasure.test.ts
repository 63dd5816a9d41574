/** What is erased is gone from everywhere, with everything that was made from it; what is not erased stays. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { deleteConversation } from "../../src/operations/conversations/conversations-delete.ts";
import { erase } from "../../src/operations/erase.ts";
import { forgetMemory } from "../../src/operations/memory/memory-forget.ts";
import { encodeRow } from "../../src/store/archive-rows.ts";
import { explainRanked } from "../explain-ranked.ts";
import { reply } from "../scripted-model.ts";
import { ENGINES } from "../temporary-store.ts";
import { embedderOf, found, openScene, type Scene } from "./memory-scene.ts";

const SECRET = "xylophone";
const USE = {};
/** As numbers they are found in no other vector. */
const SECRET_POINT = Float32Array.from([0.125, -0.25, 0.5, 0.8196]);
const POINTS = embedderOf((text) => {
  if (text.includes("loudly")) return [0, 0, 0, 1];
  return text.includes(SECRET) ? [...SECRET_POINT] : [-1, 0, 0, 0];
});

describe.each(ENGINES)("erasing on %s", (name) => {
  let scene: Scene;
  beforeEach(async () => {
    scene = await openScene(name, {
      embedder: POINTS,
      answers: {
        read: ({ prompt }) => {
          if (prompt.includes("loudly"))
            return found({ category: "patterns", abstract: "Says it loudly", quote: "loudly" });
          return prompt.includes(SECRET)
            ? found(
                { category: "patterns", abstract: `The word is ${SECRET}`, content: "At 4", quote: SECRET },
                {
                  category: "patterns",
                  abstract: `Nobody said ${SECRET} so`,
                  quote: `${SECRET} was never said`,
                },
                { category: "patterns", abstract: `${SECRET} is the word`, quote: SECRET },
              )
            : found();
        },
        judge: reply(JSON.stringify({ decision: "merge", match_index: 1, reason: `${SECRET} again` })),
        merge: reply(JSON.stringify({ abstract: `The word ${SECRET} is old` })),
      },
    });
  });
  afterEach(() => scene.close());

  /** Everything that the store can give out, and on SQLite its files. */
  async function traces(): Promise<{ rows: number; files: readonly string[] }> {
    let rows = 0;
    for await (const row of scene.engine.store.dump()) if (encodeRow(row).includes(SECRET)) rows++;
    const files = name === "sqlite" ? filesHolding(scene.engine.config.dataDir) : [];
    return { rows, files };
  }

  const audited = async () => {
    const { store } = scene.engine;
    const { rows } = await store.scoped({ tenant: "default", agent: "main" }).auditLog({ limit: 100 });
    return rows.map(({ action, detail }) => ({ action, detail: JSON.parse(detail) }));
  };

  async function sayAndCapture(): Promise<string> {
    await scene.say(`Keep in mind that ${SECRET} is the word`);
    await scene.say("The weather is fine");
    const [captured] = (await scene.engine.memory.list()).rows;
    if (captured === undefined) throw new Error("nothing was captured");
    return captured.id;
  }

  it("a message takes its memories along, and the words are in no row and no file", async () => {
    const id = await sayAndCapture();
    await scene.engine.memory.update({ id, tags: [SECRET] });
    await scene.engine.memory.recall({ query: SECRET });
    await scene.engine.background?.run();
    const [first] = (await scene.engine.context.read({ conversation: "s" })).messages;
    const report = await erase.run(scene.engine, { id: first?.id ?? "" }, USE);
    expect(report).toMatchObject({ messages: 1, memories: 1, filesCleaned: true });
    expect(await traces()).toEqual({ rows: 0, files: [] });
    expect(await scene.engine.memory.get(id)).toMatchObject({ abstract: "", tags: [], sources: [] });
    expect((await scene.engine.memory.history.decisions()).rows.some(({ firstSeq }) => firstSeq === 1)).toBe(
      false,
    );
    expect((await scene.engine.memory.maintenance.stats()).vectors).toEqual([]);
    for (const archived of [true, false])
      expect((await scene.engine.memory.recall({ query: `the word ${SECRET}`, archived })).memories).toEqual(
        [],
      );
    expect(await audited()).toMatchObject([{ action: "erase", detail: { messages: 1, memories: [id] } }]);
    expect(JSON.stringify(await audited())).not.toContain(SECRET);
    await scene.engine.memory.capture({ conversation: "s", flush: true });
    expect(await scene.known()).toEqual([]);
  });

  it("a conversation takes its memories along as well", async () => {
    const id = await sayAndCapture();
    await deleteConversation.run(scene.engine, { conversation: "s" }, USE);
    expect((await scene.engine.memory.get(id)).erasedAt).not.toBeNull();
    expect(await audited()).toMatchObject([{ action: "delete-conversation", detail: { memories: [id] } }]);
    expect((await traces()).rows).toBe(0);
  });

  it("a memory goes with what was merged from it and what the record says of it, and the message stays", async () => {
    const id = await sayAndCapture();
    await scene.engine.memory.store({ text: "The weather is fine", category: "patterns" });
    await scene.say(`Say ${SECRET} loudly`);
    const [merged] = (await scene.engine.memory.list({ origins: ["merge"] })).rows;
    const [, said] = merged?.supersedes ?? [];
    expect(merged?.supersedes).toEqual([id, said]);
    const outcome = await forgetMemory.run(scene.engine, { id, erase: true }, USE);
    expect(outcome).toMatchObject({ action: "erased", restored: [said], erasure: { filesCleaned: true } });
    expect([...outcome.ids].toSorted()).toEqual([id, merged?.id].toSorted());
    expect((await scene.known()).toSorted()).toEqual(["Says it loudly", "The weather is fine"]);
    const { memory, context } = scene.engine;
    expect((await explainRanked(scene.engine, "words", { query: SECRET, archived: true })).memories).toEqual(
      [],
    );
    const decisions = JSON.stringify(
      (await memory.history.decisions({ verdicts: ["repeated", "create", "merge"] })).rows,
    );
    expect(decisions).not.toContain(SECRET);
    const gone = [id, merged?.id].toSorted();
    expect(await audited()).toMatchObject([
      { action: "erase-memory", detail: { memory: id, memories: gone, restored: [said] } },
    ]);
    expect((await context.read({ conversation: "s" })).messages[0]?.original).toContain(SECRET);
    expect(await memory.forget({ id, erase: true })).toMatchObject({ action: "nothing" });
  });

  it("a memory that was told outright leaves nothing in the store's files, versions of the same words included", async () => {
    const { memory } = scene.engine;
    const first = await memory.store({ text: `The word is ${SECRET}`, tags: [SECRET], factKey: SECRET });
    const second = await memory.update({ id: first.memory.id, content: "It was changed once" });
    const third = await memory.update({ id: second.memory.id, importance: 1 });
    await memory.store({ text: "The weather is fine" });
    await memory.recall({ query: SECRET });
    await scene.engine.background?.run();
    expect((await traces()).rows).toBeGreaterThan(0);
    const outcome = await forgetMemory.run(scene.engine, { id: third.memory.id, erase: true }, USE);
    expect([...outcome.ids].toSorted()).toEqual([first.memory.id, second.memory.id].toSorted());
    expect(await traces()).toEqual({ rows: 0, files: [] });
    const { engine } = scene;
    expect((await engine.memory.history.versions(first.memory.id)).map(({ abstract }) => abstract)).toEqual([
      "",
      "",
    ]);
    await scene.reopen();
    expect((await explainRanked(scene.engine, "words", { query: SECRET })).memories).toEqual([]);
    expect(await scene.known()).toEqual(["The weather is fine"]);
  });
});

describe.each(ENGINES)("erasing one of two messages that were merged, on %s", (name) => {
  let scene: Scene;
  afterEach(() => scene.close());

  const NURSE = "User is Alice, a nurse";
  const ILL = "User has diabetes";

  async function sayBoth(): Promise<void> {
    scene = await openScene(name, {
      answers: {
        read: ({ prompt }) =>
          prompt.includes("diabetes")
            ? found({ category: "profile", abstract: ILL, quote: "I have diabetes" })
            : found({ category: "profile", abstract: NURSE, quote: "I am a nurse" }),
        merge: reply(JSON.stringify({ abstract: "Alice, a nurse, has diabetes" })),
      },
    });
    await scene.say("My name is Alice and I am a nurse");
    await scene.say("I have diabetes");
    expect(await scene.known()).toEqual(["Alice, a nurse, has diabetes"]);
  }

  it.each([
    { erased: 2, stays: NURSE },
    { erased: 1, stays: ILL },
  ])("brings back what the other one said: $stays", async ({ erased, stays }) => {
    await sayBoth();
    const { context, memory } = scene.engine;
    const report = await context.erase({ conversation: "s", from: erased, to: erased });
    expect(await scene.known()).toEqual([stays]);
    const [back] = (await memory.list()).rows;
    expect(report).toMatchObject({ memories: 2, restored: [back?.id] });
    expect((await memory.recall({ query: stays })).memories.map((one) => one.memory.id)).toEqual([back?.id]);
    const { memory: changed } = await memory.update({ id: back?.id ?? "", importance: 1 });
    expect(changed.importance).toBe(1);
    expect((await scene.engine.memory.history.source(changed.id)).sources).toMatchObject([
      { firstSeq: 3 - erased },
    ]);
  });
});

describe.each(ENGINES)("erasing one of two messages that were captured together, on %s", (name) => {
  let scene: Scene;
  afterEach(() => scene.close());

  it("leaves what was decided about the other one", async () => {
    scene = await openScene(name);
    await scene.say("I prefer alpha editors.", "Remember that the gate code is 77.");
    const { memory, context } = scene.engine;
    const decided = async () =>
      (await memory.history.decisions()).rows.map(({ firstSeq, lastSeq }) => [firstSeq, lastSeq]);
    expect(await decided()).toEqual([
      [2, 2],
      [1, 1],
    ]);
    await context.erase({ conversation: "s", from: 1, to: 1 });
    expect(await decided()).toEqual([[2, 2]]);
    const [left] = (await memory.history.decisions()).rows;
    expect((await memory.get(left?.memory ?? "")).abstract).toBe("The gate code is 77.");
  });
});

/** Names of files that hold the word, or the numbers of its vector. */
function filesHolding(folder: string): readonly string[] {
  const needles = [Buffer.from(SECRET), Buffer.from(SECRET_POINT.buffer).subarray(0, 12)];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => {
      const bytes = readFileSync(file);
      return needles.some((needle) => bytes.includes(needle));
    });
}
