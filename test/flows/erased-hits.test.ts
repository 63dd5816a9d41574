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
    const messages = Array.from({ length: MESSAGES }, (_, i) => ({
      role: "user" as const,
      content: `${"apple ".repeat((i % 3) + 1)}pie number ${i}`,
    }));
    await engine.context.commitTurn({ conversation: "pies", key: "1", messages });
    await engine.background?.run();
  });
  afterEach(async () => {
    await engine.close();
    await place.dispose();
  });

  const page = (mode: "full_text" | "hybrid", cursor?: string) =>
    engine.context.grep({ pattern: "apple", mode, limit: 2, ...(cursor === undefined ? {} : { cursor }) });

  it.each(["full_text", "hybrid"] as const)("every other one still comes: %s", async (mode) => {
    const first = await page(mode);
    const erased = first.hits[1]?.seq ?? 0;
    await engine.context.erase({ conversation: "pies", from: erased, to: erased });
    const seen = new Set(first.hits.map(({ seq }) => seq));
    for (let next = first.next; next !== null; ) {
      const more = await page(mode, next);
      for (const { seq } of more.hits) seen.add(seq);
      next = more.next;
    }
    expect([...seen].toSorted()).toEqual(Array.from({ length: MESSAGES }, (_, i) => i + 1));
  });

  it("a page on which nothing is left says so, and not that nothing matches", async () => {
    const { next } = await page("full_text");
    await engine.context.erase({ conversation: "pies", from: 1, to: MESSAGES });
    const tool = MODEL_TOOLS.find((one) => one.name === "lcm_grep");
    const answer = await tool?.call(engine, { pattern: "apple", limit: 2, cursor: next });
    expect(JSON.stringify(answer)).toContain("Nothing more matches");
  });
});
