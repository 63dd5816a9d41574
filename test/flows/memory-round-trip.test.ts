import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Engine, internalsOf, open } from "../../src/engine.ts";
import { importedMemory, type ReadItem } from "../../src/memory/exchange/imported-memory.ts";
import { readJsonl } from "../../src/memory/exchange/read-jsonl.ts";
import { writeJsonl } from "../../src/memory/exchange/write-jsonl.ts";
import type { Memory } from "../../src/memory-types.ts";
import { ENGINES, type Place, steadyClock, temporaryPlace } from "../temporary-store.ts";

describe.each(ENGINES)("memories that go out of one store and into another, on %s", (name) => {
  const places: Place[] = [];
  let here: Engine;
  let there: Engine;
  beforeEach(async () => {
    [here, there] = [await openOne(), await openOne()];
  });
  afterEach(async () => {
    for (const engine of [here, there]) await engine.close();
    for (const place of places.splice(0)) await place.dispose();
  });

  async function openOne(): Promise<Engine> {
    const place = await temporaryPlace(name);
    places.push(place);
    return open({
      store: place.store,
      background: "off",
      clock: steadyClock(),
      config: { embeddingModel: "off", logLevel: "silent", agent: "main" },
    });
  }

  async function* moved(): AsyncGenerator<ReadItem> {
    const lines = writeJsonl(here.memory.exchange.export(), { exportedAt: "2026-11-16T10:00:00.000Z" });
    for await (const item of readJsonl(lines))
      yield "problem" in item ? item : { line: item.line, memory: importedMemory(item.memory) };
  }

  const every = async ({ memory }: Engine) =>
    (await memory.list({ states: ["active", "superseded", "archived"], limit: 100 })).rows;
  /** What a round trip keeps: all but when it last changed, and what was done to it. */
  const kept = ({ updatedAt: _, ...memory }: Memory) => memory;

  it("say the same there, were of use as often, and are supported as well", async () => {
    const { memory: tea } = await here.memory.store({ text: "The user drinks green tea", factKey: "drink" });
    await here.memory.recall({ query: "green tea" });
    await here.memory.recall({ query: "tea" });
    await internalsOf(here).turnMemory.recallFor({
      prompt: "Which green tea does the user drink?",
    });
    await internalsOf(here).turnMemory.flush();
    await here.memory.store({ text: "The user drinks black coffee", factKey: "drink" });
    await here.memory.store({ text: "The cat is called Miso" });

    const report = await there.memory.exchange.import(moved());
    expect(report).toMatchObject({ created: 3, passedOver: [] });
    expect((await every(there)).map(kept)).toEqual((await every(here)).map(kept));
    expect(await there.memory.get(tea.id)).toMatchObject({
      accessCount: 2,
      lastAccessedAt: expect.any(String),
      injectedCount: 1,
      lastInjectedAt: expect.any(String),
    });
    expect(await there.memory.exchange.import(moved())).toMatchObject({ created: 0, alreadyThere: 3 });
    expect(await there.memory.get(tea.id)).toMatchObject({ accessCount: 2, injectedCount: 1 });
  });
});
