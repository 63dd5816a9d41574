import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Engine, open } from "../../src/index.ts";
import { MODEL_TOOLS } from "../../src/operations/index.ts";
import { meaningEmbedder } from "../meaning-embedder.ts";
import { ENGINES, type Place, steadyClock, temporaryPlace } from "../temporary-store.ts";

const MESSAGES = 8;

describe.each(ENGINES)("when a hit is erased between two pages, on %s", (name) => {
  let place: Place;
  let engine: Engine;

  beforeEach(async () => {
    place = await temporaryPlace(name);
    engine = await open({
      store: place.store,
      embedder: meaningEmbedder(),
      background: "manual",
      clock: steadyClock(),
      config: { searchByMeaning: true, autoCapture: false, autoRecall: false, logLevel: "silent" },
    });
    await say(
      "pies",
      Array.from({ length: MESSAGES }, (_, i) => `${"apple ".repeat((i % 3) + 1)}pie number ${i}`),
    );
    await engine.background?.run();
  });
  afterEach(async () => {
    await engine.close();
    await place.dispose();
  });

  const say = (conversation: string, texts: readonly string[]) =>
    engine.context.commitTurn({
      ...{ conversation, key: "1" },
      messages: texts.map((content) => ({ role: "user" as const, content })),
    });
  const page = (pattern: string, mode: "full_text" | "hybrid", cursor?: string) =>
    engine.context.grep({ pattern, mode, limit: 2, ...(cursor === undefined ? {} : { cursor }) });

  it.each([
    ["apple", "full_text"],
    ["pie", "full_text"],
    ["apple", "hybrid"],
    ["pie", "hybrid"],
  ] as const)("every other one still comes: %s, %s", async (pattern, mode) => {
    const first = await page(pattern, mode);
    const erased = first.hits[1]?.seq ?? 0;
    await engine.context.erase({ conversation: "pies", from: erased, to: erased });
    // Words become rarer, so that every score rises.
    await say(
      "weather",
      Array.from({ length: 20 }, (_, i) => `It rained on day ${i}.`),
    );
    const seen = new Set(first.hits.map(({ seq }) => seq));
    for (let { next } = first; next !== null; ) {
      const more = await page(pattern, mode, next);
      for (const { seq, snippet } of more.hits) if (snippet.text.includes("pie")) seen.add(seq);
      next = more.next;
    }
    expect([...seen].toSorted()).toEqual(Array.from({ length: MESSAGES }, (_, i) => i + 1));
  });

  it("a page on which nothing is left says so, and not that nothing matches", async () => {
    const { next } = await page("apple", "full_text");
    await engine.context.erase({ conversation: "pies", from: 1, to: MESSAGES });
    const tool = MODEL_TOOLS.find((one) => one.name === "lcm_grep");
    const answer = await tool?.call(engine, { pattern: "apple", limit: 2, cursor: next });
    expect(JSON.stringify(answer)).toContain("No more matches");
  });
});
