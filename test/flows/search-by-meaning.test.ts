import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { internalsOf } from "../../src/engine.ts";
import { type Engine, type OpenOptions, open } from "../../src/index.ts";
import { meaningEmbedder } from "../meaning-embedder.ts";
import { ENGINES, type Place, steadyClock, temporaryPlace } from "../temporary-store.ts";

type GrepInput = Parameters<Engine["context"]["grep"]>[0];

const SETTINGS = {
  searchByMeaning: true,
  autoCapture: false,
  autoRecall: false,
  logLevel: "silent",
} as const;

describe.each(ENGINES)("what was said, found by its meaning, on %s", (name) => {
  let place: Place;
  let embedder: ReturnType<typeof meaningEmbedder>;
  const opened: Engine[] = [];

  beforeEach(async () => {
    place = await temporaryPlace(name);
    embedder = meaningEmbedder();
  });
  afterEach(async () => {
    for (const engine of opened.splice(0)) await engine.close();
    await place.dispose();
  });

  async function openWith(options: OpenOptions = {}): Promise<Engine> {
    const engine = await open({
      store: place.store,
      embedder,
      background: "manual",
      clock: steadyClock(),
      ...options,
      config: { ...SETTINGS, ...options.config },
    });
    opened.push(engine);
    return engine;
  }

  const say = (
    { context }: Engine,
    conversation: string,
    ...messages: Parameters<Engine["context"]["commitTurn"]>[0]["messages"][number][]
  ) => context.commitTurn({ conversation, key: JSON.stringify(messages).slice(0, 60), messages });

  const pets = async (engine: Engine) => {
    await say(
      engine,
      "pets",
      { role: "user", content: "The dog sleeps on the sofa all day." },
      { role: "assistant", content: "A puppy needs its rest." },
      { role: "user", content: "By the way, the taxes are due in May." },
      { role: "assistant", content: "Noted: the invoice goes out before." },
    );
    await say(engine, "other", { role: "user", content: "Hounds everywhere in that film." });
  };

  const find = async ({ context }: Engine, input: Partial<GrepInput> = {}) =>
    context.grep({ pattern: "kennel animals", mode: "hybrid", ...input });
  const said = async (engine: Engine, input: Partial<GrepInput> = {}) =>
    (await find(engine, input)).hits.map(({ snippet }) => snippet.text);

  it("is found though no word is the same, and the nearest come before what means something else", async () => {
    const engine = await openWith();
    await pets(engine);
    expect(await said(engine, { mode: "full_text" })).toEqual([]);
    await engine.background?.run();
    const found = await find(engine);
    expect(
      found.hits
        .slice(0, 3)
        .map(({ snippet }) => snippet.text)
        .toSorted(),
    ).toEqual([
      "A puppy needs its rest.",
      "Hounds everywhere in that film.",
      "The dog sleeps on the sofa all day.",
    ]);
    expect(found.meaning).toEqual({ model: "test/meaning", notEmbedded: 0, problem: null });
    const scores = found.hits.map(({ score }) => score ?? 0);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    expect(scores.every((score) => score >= 0 && score <= 1)).toBe(true);
    expect(found.hits.find(({ snippet }) => snippet.text.includes("taxes"))?.matches ?? 0).toBe(0);
  });

  it("is found by words before it has vectors, and the answer says how much has none", async () => {
    const engine = await openWith();
    await pets(engine);
    const before = await find(engine, { pattern: "dog" });
    expect(before.hits[0]?.snippet.text).toContain("The dog sleeps");
    expect(before.hits.map(({ snippet }) => snippet.text)).not.toContain("Hounds everywhere in that film.");
    expect(before.meaning?.notEmbedded).toBe(5);
    expect((await find(engine, { conversations: ["other"] })).meaning?.notEmbedded).toBe(1);
    await engine.background?.run();
    expect((await find(engine, { pattern: "dog" })).meaning?.notEmbedded).toBe(0);
    expect(await said(engine, { pattern: "dog" })).toContain("Hounds everywhere in that film.");
    await say(engine, "pets", { role: "user", content: "One more." });
    expect((await find(engine)).meaning?.notEmbedded).toBe(1);
  });

  it("is what people and assistants said: no tools, no results, no files kept apart", async () => {
    const engine = await openWith({ config: { ...SETTINGS, toolOutputStubBytes: 500 } });
    const secret = "the long result about kennels";
    await say(
      engine,
      "tools",
      { role: "system", content: "You are a helper of the kennel." },
      { role: "user", content: "Look it up." },
      {
        role: "assistant",
        content: [
          { type: "text", text: "I look." },
          { type: "tool_use", id: "call_1", name: "look", input: { where: "kennel" } },
        ],
      },
      {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: "call_1", content: `${secret} `.repeat(60) }],
      },
      { role: "assistant", content: "Found it." },
    );
    await engine.background?.run();
    expect(embedder.passages.toSorted()).toEqual(["Found it.", "I look.", "Look it up."]);
    expect(await engine.context.index.embeddings()).toEqual({
      model: "test/meaning",
      embedded: 3,
      vectors: 3,
      notEmbedded: 0,
    });
    expect((await engine.store.info()).messageVectors).toBe(3);
    expect((await find(engine, { pattern: "kennels" })).hits[0]?.role).toMatch(/tool|user/);
  });

  it("is found by the passage that says it, in the middle of a long message", async () => {
    const engine = await openWith();
    const filler = "We talked about the weather of that week at length and decided nothing at all. ";
    const long = `${filler.repeat(60)}\nThe dog sleeps.\n${filler.repeat(60)}`;
    await say(engine, "long", { role: "user", content: long }, { role: "assistant", content: "Well." });
    for (let i = 0; i < 80; i++) await say(engine, "noise", { role: "user", content: `${i} taxes are due` });
    await engine.background?.run();
    const [first] = (await find(engine)).hits;
    expect(first).toMatchObject({ seq: 1, role: "user" });
    expect((await engine.context.index.embeddings())?.vectors).toBeGreaterThan(85);
  });

  it("holds filters, pages and erasure exactly as for words", async () => {
    const engine = await openWith();
    await pets(engine);
    await engine.background?.run();
    const { id } = await engine.context.conversations.get("pets");
    const inPets = await find(engine, { conversations: [id] });
    expect(new Set(inPets.hits.map(({ conversation }) => conversation))).toEqual(new Set([id]));
    const byAssistant = await find(engine, { roles: ["assistant"] });
    expect(byAssistant.hits.map(({ role }) => role)).toEqual(["assistant"]);
    expect(await said(engine, { kinds: ["summary"] })).toEqual([]);
    expect(await said(engine, { tool: "look" })).toEqual([]);
    const first = (await engine.context.read({ conversation: id })).messages[0]?.createdAt ?? "";
    expect(await said(engine, { before: first })).toEqual([]);
    const all = (await find(engine)).hits.map((hit) => hit.id);
    const pages: string[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const page = await find(engine, { limit: 1, ...(cursor === "" ? {} : { cursor }) });
      pages.push(...page.hits.map((hit) => hit.id));
      cursor = page.next;
    }
    expect(pages).toEqual(all);
    await engine.context.erase({ conversation: id, from: 2, to: 2 });
    expect(await said(engine)).not.toContain("A puppy needs its rest.");
    expect((await engine.store.info()).messageVectors).toBe(4);
    await engine.context.conversations.delete("other");
    expect(await said(engine)).not.toContain("Hounds everywhere in that film.");
    expect((await engine.store.info()).messageVectors).toBe(3);
    await engine.context.conversations.archive("pets");
    expect(await said(engine)).toContain("The dog sleeps on the sofa all day.");
    await engine.background?.run();
    expect((await engine.store.info()).messageVectors).toBe(3);
  });

  it("tells only of the messages it searches that they have no vectors", async () => {
    const engine = await openWith();
    await pets(engine);
    const { id } = await engine.context.conversations.get("other");
    expect((await find(engine)).meaning?.notEmbedded).toBe(5);
    expect((await find(engine, { conversations: [id] })).meaning?.notEmbedded).toBe(1);
    expect((await find(engine, { kinds: ["summary"] })).meaning?.notEmbedded).toBe(0);
  });

  it("looks further where a filter leaves out most of what is near", async () => {
    const engine = await openWith();
    for (let i = 0; i < 100; i++)
      await say(engine, "many", { role: "user", content: `Dog number ${i} of the kennel` });
    await say(engine, "many", { role: "assistant", content: "Some sort of creature." });
    await engine.background?.run();
    expect(await said(engine, { pattern: "hound", roles: ["assistant"] })).toEqual([
      "Some sort of creature.",
    ]);
  });

  it("leaves out nothing that has the words, however many do", async () => {
    const engine = await openWith();
    for (let i = 0; i < 150; i++)
      await say(engine, "many", { role: "user", content: `The dog number ${i}, ${"word ".repeat(i % 7)}` });
    await engine.background?.run();
    const seen = new Set<number>();
    let shown = 0;
    for (let cursor: string | null = ""; cursor !== null; ) {
      const page = await find(engine, { pattern: "dog", limit: 40, ...(cursor === "" ? {} : { cursor }) });
      for (const { seq } of page.hits) seen.add(seq);
      shown += page.hits.length;
      cursor = page.next;
    }
    expect([shown, seen.size]).toEqual([150, 150]);
  });

  it("finds an answer by the words of the question before it", async () => {
    const engine = await openWith();
    await say(
      engine,
      "trip",
      { role: "user", content: "Which place did you pick for the summer holiday?" },
      { role: "assistant", content: "Hallstatt." },
      { role: "user", content: "Fine." },
    );
    await engine.background?.run();
    const found = await said(engine, { pattern: "which place you picked for the summer holiday" });
    expect(found).toContain("Hallstatt.");
    expect(found.indexOf("Hallstatt.")).toBeLessThan(found.indexOf("Fine."));
  });

  it("knows who speaks by name in a talk of several", async () => {
    const engine = await openWith();
    await say(engine, "one", { role: "user", name: "Bruno", content: "Anna, I like the old bridge." });
    await say(engine, "other", { role: "user", name: "Anna", content: "I like the old bridge." });
    await engine.background?.run();
    expect((await said(engine, { pattern: "what does Anna like about the bridge" }))[0]).toBe(
      "I like the old bridge.",
    );
    expect((await said(engine, { pattern: "what does Bruno like about the bridge" }))[0]).toBe(
      "Anna, I like the old bridge.",
    );
  });

  it("reaches only what a grant reaches", async () => {
    const engine = await openWith();
    await pets(engine);
    await engine.background?.run();
    const { id } = await engine.context.conversations.get("other");
    const grant = internalsOf(engine).grants?.issue({
      origin: "test",
      conversations: [id],
      tokenCap: 10_000,
      ttlMs: 60_000,
    });
    if (grant === undefined || grant === null) throw new Error("no grant was issued");
    const limited = internalsOf(engine).under(grant);
    expect(await said(limited)).toEqual(["Hounds everywhere in that film."]);
    expect((await find(limited)).meaning?.notEmbedded).toBe(0);
    await say(engine, "pets", { role: "user", content: "Elsewhere." });
    expect((await find(limited)).meaning?.notEmbedded).toBe(0);
  });

  it("goes on where it was stopped, in another process as well", async () => {
    const engine = await openWith();
    for (let i = 0; i < 120; i++) await say(engine, "many", { role: "user", content: `Dog ${i}` });
    const stop = new AbortController();
    const first = engine.context.index.embed({ signal: stop.signal, onProgress: () => stop.abort() });
    await expect(first).rejects.toMatchObject({ code: "cancelled" });
    const { notEmbedded = 0 } = (await engine.context.index.embeddings()) ?? {};
    expect(notEmbedded).toBeGreaterThan(0);
    expect(notEmbedded).toBeLessThan(120);
    const other = await openWith();
    const steps: number[] = [];
    expect(await other.context.index.embed({ onProgress: ({ messages }) => steps.push(messages) })).toBe(
      notEmbedded,
    );
    expect(steps.at(-1)).toBe(notEmbedded);
    expect(embedder.passages).toHaveLength(120);
    expect(await other.context.index.embed()).toBe(0);
  });

  it("never doubles or misses anything when two processes make vectors at once", async () => {
    const engine = await openWith();
    for (let i = 0; i < 100; i++) await say(engine, `c${i % 7}`, { role: "user", content: `Dog ${i}` });
    const other = await openWith();
    await Promise.allSettled([engine.context.index.embed(), other.context.index.embed()]);
    await engine.context.index.embed();
    expect(await engine.context.index.embeddings()).toMatchObject({
      embedded: 100,
      vectors: 100,
      notEmbedded: 0,
    });
  });

  it("is not in the way of a turn, and closing does not wait for it", async () => {
    const never = meaningEmbedder({ hangs: true });
    const engine = await openWith({ embedder: never, background: "auto" });
    await pets(engine);
    const found = await engine.context.grep({ pattern: "dog" });
    expect(found.hits).toHaveLength(1);
    const closing = Date.now();
    await opened.pop()?.close();
    expect(Date.now() - closing).toBeLessThan(5_000);
  });

  it("answers by words and says so where the model does not answer", async () => {
    const engine = await openWith();
    await pets(engine);
    await engine.background?.run();
    embedder.fail("the embedder is down");
    const found = await find(engine, { pattern: "dog" });
    expect(found.hits[0]?.snippet.text).toContain("The dog sleeps");
    expect(found.meaning?.problem).toContain("the embedder is down");
    await say(engine, "pets", { role: "user", content: "Later." });
    await engine.background?.run();
    embedder.fail(null);
    expect(await engine.context.index.embed()).toBe(1);
  });

  it("asks only the vectors of the present model", async () => {
    const engine = await openWith();
    await pets(engine);
    await engine.background?.run();
    const other = await openWith({ embedder: meaningEmbedder({ model: "test/other" }) });
    expect(await find(other)).toMatchObject({ meaning: { model: "test/other", notEmbedded: 5 }, hits: [] });
    await other.background?.run();
    expect((await find(other)).hits.length).toBeGreaterThan(2);
  });

  it("says what to switch on where it is off", async () => {
    for (const config of [{ searchByMeaning: false }, { embeddingModel: "off" }]) {
      const engine = await open({
        store: place.store,
        background: "off",
        config: { ...SETTINGS, ...config },
      });
      opened.push(engine);
      await say(engine, "pets", { role: "user", content: "The dog." });
      await expect(find(engine)).rejects.toMatchObject({
        code: "invalid-input",
        advice: expect.stringContaining("searchByMeaning"),
      });
      await expect(engine.context.index.embed()).rejects.toMatchObject({
        code: "not-supported",
        advice: expect.stringContaining("searchByMeaning"),
      });
      expect(await engine.context.index.embeddings()).toBeNull();
      expect(engine.searchesByMeaning).toBe(false);
    }
  });
});
