/** What went wrong for users of systems like this one, each as a test that it does not happen here. */

import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { internalsOf } from "../../src/engine.ts";
import type { Engine } from "../../src/index.ts";
import type { ExchangedMemory } from "../../src/memory/exchange/exchanged-memory.ts";
import { importedMemory, type ReadItem } from "../../src/memory/exchange/imported-memory.ts";
import { readMemories } from "../../src/memory/exchange/read-memories.ts";
import { writeJsonl } from "../../src/memory/exchange/write-jsonl.ts";
import { writeMarkdown } from "../../src/memory/exchange/write-markdown.ts";
import type { Memory } from "../../src/memory-types.ts";
import { explainRanked, RANKINGS } from "../explain-ranked.ts";
import { startEmbeddings, vectors } from "../scripted-embeddings.ts";
import type { JsonServer } from "../scripted-json-server.ts";
import { reply } from "../scripted-model.ts";
import { ENGINES } from "../temporary-store.ts";
import { DAY_MS, found, openScene, type Scene, topics } from "./memory-scene.ts";

const SHARED = { main: ["global", "agent:main", "project:a", "project:b"] };
const idsOf = (memories: readonly { readonly memory: Memory }[]) => memories.map(({ memory }) => memory.id);

async function* itemsOf(...memories: readonly Memory[]): AsyncGenerator<ReadItem> {
  for (const [place, memory] of memories.entries()) yield { line: place + 1, memory: importedMemory(memory) };
}

describe.each(ENGINES)("on %s", (name) => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await openScene(name, {
      embedder: topics(/tea/i, /editor/i, /berlin/i, /peanuts/i),
      config: { memoryAccess: SHARED },
    });
  });
  afterAll(() => scene.close());
  const memory = () => scene.engine.memory;

  it("consolidation never mixes scopes or kinds, a dry run does nothing, and what it does can be undone", async () => {
    const store = async (text: string, scope: string, category: "events" | "cases" = "events") =>
      (await memory().store({ text, scope, category, force: true })).memory.id;
    const [first, second] = [
      await store("Tea at four", "project:a"),
      await store("Tea at four!", "project:a"),
    ];
    const elsewhere = await store("Tea at four", "project:b");
    const otherKind = await store("Tea at four", "project:a", "cases");
    const otherFigure = await store("Tea at 5", "project:a");
    scene.time.now += 10 * DAY_MS;
    const tried = await memory().maintenance.consolidate({ dryRun: true });
    expect(tried.archived).toHaveLength(1);
    expect((await memory().list({ states: ["archived"] })).rows).toEqual([]);
    const { archived } = await memory().maintenance.consolidate();
    expect(archived).toEqual(tried.archived);
    expect([archived[0]?.id, archived[0]?.canonical].toSorted()).toEqual([first, second].toSorted());
    for (const id of [elsewhere, otherKind, otherFigure])
      expect(await memory().get(id)).toMatchObject({ archivedAt: null });
    await memory().update({ id: archived[0]?.id ?? "", restore: true });
    expect((await memory().list({ states: ["archived"] })).rows).toEqual([]);
  });

  it("what was replaced is never revived, by any door", async () => {
    const fact = { category: "preferences", factKey: "editor" } as const;
    const { memory: vim } = await memory().store({ text: "The editor is Vim", ...fact });
    const { memory: zed } = await memory().store({ text: "The editor is Zed", ...fact });
    await expect(memory().update({ id: vim.id, importance: 1 })).rejects.toMatchObject({ code: "conflict" });
    await expect(memory().update({ id: vim.id, restore: true })).rejects.toMatchObject({ code: "conflict" });
    expect(await memory().forget({ id: vim.id })).toMatchObject({ action: "nothing" });
    expect(await memory().exchange.import(itemsOf(vim))).toMatchObject({ alreadyThere: 1, created: 0 });
    scene.time.now += 10 * DAY_MS;
    await memory().maintenance.consolidate({ threshold: 0.1 });
    for (const ranking of RANKINGS) {
      const { memories } = await explainRanked(scene.engine, ranking, { query: "editor Vim" });
      expect(idsOf(memories)).not.toContain(vim.id);
    }
    const { memory: again } = await memory().store({ text: "The editor is Vim", ...fact });
    expect(again.id).not.toBe(vim.id);
    expect(await memory().get(vim.id)).toMatchObject({ supersededBy: zed.id, archivedAt: null });
    expect(await memory().get(zed.id)).toMatchObject({ supersededBy: again.id });
  });

  it("being shown and being asked for leave the importance as it is", async () => {
    const { memory: fact } = await memory().store({ text: "Highly allergic to peanuts", importance: 0.9 });
    for (let time = 0; time < 5; time++) {
      await memory().recall({ query: "peanuts allergy" });
      const block = await internalsOf(scene.engine).turnMemory.recallFor({
        prompt: "Is there a peanuts allergy?",
      });
      expect(block?.ids).toContain(fact.id);
    }
    await scene.engine.background?.run();
    const used = await memory().get(fact.id);
    expect(used).toMatchObject({ importance: 0.9, accessCount: 5, injectedCount: 5 });
  });

  it.each([
    "Told me today that he moved to Berlin permanently",
    "Since today Berlin is his home",
    "Hat heute erzählt, dass er nach Berlin gezogen ist",
  ])("a word such as today does not make a fact expire: %s", async (text) => {
    const { memory: fact } = await memory().store({ text });
    expect(fact.validUntil).toBeNull();
    scene.time.now += 700 * DAY_MS;
    const { memories, trace } = await memory().recall({ query: text }, { explain: true });
    expect(memories[0]?.memory.id).toBe(fact.id);
    expect(trace.find(({ stage }) => stage === "expiry")?.changes).toEqual([]);
  });

  it.each([
    "Hi, my name is Ana Maria",
    "Hiking every weekend",
    "History exam is in March",
    "His manager is called Dana",
    "Hey Jude is his favourite song",
  ])("what begins like a greeting is a fact: %s", async (text) => {
    const { memory: fact } = await memory().store({ text });
    const { memories, trace } = await memory().recall({ query: text, limit: 1 }, { explain: true });
    expect(memories.map(({ memory: one }) => one.id)).toEqual([fact.id]);
    expect(trace.find(({ stage }) => stage === "noise")?.changes.map(({ id }) => id)).not.toContain(fact.id);
  });

  it("what stands only in the full text is found by its words, in any script", async () => {
    const { memory: fact } = await memory().store({
      text: "How the outage ended",
      overview: "- the xylophone service",
      content: `${"A long story. ".repeat(200)}In the end quagmire was restarted. 最后重启了数据库。`,
      category: "cases",
    });
    for (const query of ["quagmire", "xylophone", "重启了数据库"])
      for (const ranking of ["words", "calibrated"] as const)
        expect(idsOf((await explainRanked(scene.engine, ranking, { query })).memories)).toContain(fact.id);
  });

  it("the same said of oneself again is one fact, said twice", async () => {
    await scene.say("My name is Ana Maria Petrov.");
    await scene.say("My name is Ana Maria Petrov!");
    const { rows } = await memory().list({ origins: ["rules"] });
    expect(rows).toHaveLength(1);
    expect(rows[0]?.support).toMatchObject([{ confirmations: 1 }]);
  });
});

describe.each(ENGINES)("an export from %s", (name) => {
  const scenes: Scene[] = [];
  afterAll(async () => {
    for (const scene of scenes) await scene.close();
  });
  const MANY = 1_200;
  const emptied = async () => {
    const scene = await openScene(name);
    scenes.push(scene);
    return scene.engine;
  };
  const exported = async ({ memory }: Engine) => {
    const all = new Map<string, object>();
    for await (const { events: _, updatedAt: __, ...one } of memory.exchange.export()) all.set(one.id, one);
    return all;
  };

  it("has no cap: thousands come through both forms unchanged", async () => {
    const source = await emptied();
    const inputs = Array.from({ length: MANY }, (_, n) => ({
      text: `Fact ${n}: the ${n % 7 === 0 ? "value\u2028of" : "colour of"} thing ${n} is *${n * 3}*`,
      content: n % 3 === 0 ? `- line ${n}\n\n\`\`\`\n# no heading\n\`\`\`` : "",
      factKey: `thing ${n % 2_000}`,
      category: "entities" as const,
      tags: n % 5 === 0 ? ["a, b", "c"] : [],
    }));
    await source.memory.storeMany(inputs);
    const all = await exported(source);
    expect(all.size).toBe(MANY);
    const forms = { "palimpsest-jsonl": jsonl, "palimpsest-markdown": markdown } as const;
    for (const format of ["palimpsest-jsonl", "palimpsest-markdown"] as const) {
      const target = await emptied();
      const items = readMemories(format, linesOf(await forms[format](source)), { name: "memories" });
      const report = await target.memory.exchange.import(items);
      expect(report).toMatchObject({ created: MANY, passedOver: [] });
      expect(await exported(target)).toEqual(all);
    }
  });

  async function jsonl({ memory }: Engine): Promise<string> {
    const pieces: string[] = [];
    for await (const piece of writeJsonl(memory.exchange.export(), {
      exportedAt: "2026-03-01T10:00:00.000Z",
    }))
      pieces.push(piece);
    return pieces.join("");
  }

  async function markdown({ memory }: Engine): Promise<string> {
    const all: ExchangedMemory[] = [];
    for await (const one of memory.exchange.export()) all.push(one);
    return [...writeMarkdown(all, { exportedAt: "2026-03-01T10:00:00.000Z" })].join("");
  }

  async function* linesOf(text: string): AsyncGenerator<string> {
    yield* text.split("\n");
  }
});

describe.each(ENGINES)("a change of the embedding model on %s", (name) => {
  let scene: Scene;
  let server: JsonServer;
  const asked = () => server.requests.map(({ body }) => (body as { model: string }).model);
  /** The old one has three dimensions and the new one four; both know what tea is. */
  const embeddings = (isOldUp: () => boolean) =>
    startEmbeddings((texts, { body }) => {
      const isOld = (body as { model: string }).model === "old";
      if (isOld && !isOldUp()) return { status: 404, body: {} };
      const point = (text: string) => (/tea|chai/.test(text) ? [1, 0, 0] : [0, 1, 0]);
      return vectors(
        texts.map((text, index) => ({ index, embedding: isOld ? point(text) : [0, ...point(text)] })),
      );
    });
  const settings = (model: string) => ({
    config: {
      embeddingModel: `openai-compatible/${model}`,
      embeddingBaseUrl: `${server.url}/v1`,
      embeddingApiKey: "sk-0123456789",
      modelRetries: 0,
    },
  });
  afterEach(async () => {
    await scene.close();
    await server.close();
  });

  it("asks the old model while its vectors serve, and makes new ones in the background", async () => {
    server = await embeddings(() => true);
    scene = await openScene(name, settings("old"));
    await scene.engine.memory.store({ text: "Prefers tea" });
    await scene.engine.memory.store({ text: "Has a dog" });
    const { memory } = await scene.reopen(settings("new"));
    const before = asked().length;
    const during = await memory.recall({ query: "chai" });
    expect(during.memories[0]?.memory.abstract).toBe("Prefers tea");
    expect(during.notes.join()).toContain("openai-compatible/old");
    expect(asked().slice(before).toSorted()).toEqual(["new", "old"]);
    await scene.engine.background?.run();
    const { vectors: counts } = await memory.maintenance.stats();
    expect(counts).toContainEqual(expect.objectContaining({ model: "openai-compatible/new", memories: 2 }));
    scene.time.now += 60_000;
    const last = asked().length;
    const after = await memory.recall({ query: "chai again" });
    expect(after).toMatchObject({ notes: [] });
    expect(after.memories[0]?.memory.abstract).toBe("Prefers tea");
    expect(asked().slice(last)).toEqual(["new"]);
  });

  it("never holds a question of the new model against vectors of the old one", async () => {
    let isOldUp = true;
    server = await embeddings(() => isOldUp);
    scene = await openScene(name, settings("old"));
    await scene.engine.memory.store({ text: "Prefers tea" });
    isOldUp = false;
    const { memory } = await scene.reopen(settings("new"));
    const { memories, notes } = await memory.recall({ query: "chai" });
    expect(memories).toEqual([]);
    expect(notes.join("\n")).toContain("Semantic search with openai-compatible/old");
    expect(await memory.maintenance.reembed()).toMatchObject({ made: 1 });
    expect(await memory.recall({ query: "chai" })).toMatchObject({ memories: [{}], notes: [] });
  });

  it("goes on serving with the old vectors for as long as any memory has none of the new model", async () => {
    server = await embeddings(() => true);
    scene = await openScene(name, settings("old"));
    await scene.engine.memory.store({ text: "Prefers tea" });
    const { memory } = await scene.reopen({ ...settings("new"), background: "off" });
    await memory.store({ text: "Has a dog" });
    await memory.store({ text: "Has a cat" });
    const { memories } = await memory.recall({ query: "chai" });
    expect(memories[0]?.memory.abstract).toBe("Prefers tea");
  });
});

describe("a judge", () => {
  it("is never shown what was replaced, so that its verdict cannot touch it", async () => {
    const scene = await openScene("sqlite", {
      embedder: topics(/drink/i),
      answers: {
        read: found({ category: "preferences", abstract: "Drink of choice is 1 cocoa", quote: "cocoa" }),
        judge: reply('{"decision": "merge", "match_index": 2}'),
      },
    });
    const { memory } = scene.engine;
    const old = await memory.store({ text: "Drink of choice is tea", category: "preferences" });
    await memory.update({ id: old.memory.id, text: "Drink of choice is coffee" });
    await scene.say("I have come to like cocoa");
    expect(scene.asked.find(({ kind }) => kind === "judge")?.prompt).not.toContain("choice is tea");
    expect(await memory.get(old.memory.id)).toMatchObject({ abstract: "Drink of choice is tea" });
    expect((await scene.known()).toSorted()).toEqual([
      "Drink of choice is 1 cocoa",
      "Drink of choice is coffee",
    ]);
    await scene.close();
  });
});
