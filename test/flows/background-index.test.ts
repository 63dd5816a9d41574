import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Engine, internalsOf, open } from "../../src/engine.ts";
import { countDocuments } from "../../src/search/index/segment-indexer.ts";
import { type Place, temporaryPlace } from "../temporary-store.ts";

/** A search indexes itself what is left from 64 documents on, and its caller waits for it. */
describe("new messages", () => {
  let place: Place;
  let engine: Engine;
  beforeEach(async () => {
    place = await temporaryPlace("sqlite");
    engine = await open({ store: place.store, background: "manual", config: { logLevel: "silent" } });
  });
  afterEach(async () => {
    await engine.close();
    await place.dispose();
  });

  it("are indexed in the background before a search has to do it, also those of an earlier process", async () => {
    const say = (key: string) =>
      engine.context.commitTurn({
        conversation: "s",
        key,
        messages: ["user", "assistant"].map((role) => ({ role, content: `Turn ${key}.` })),
      });
    const waiting = async () =>
      countDocuments((await internalsOf(engine).conversations.searchIndex({ limit: 1_000 })).unindexed);
    for (let turn = 0; turn < 31; turn++) await say(`${turn}`);
    await engine.background?.run();
    expect(await waiting()).toBeLessThan(48);
    await engine.close();
    engine = await open({ store: place.store, background: "off", config: { logLevel: "silent" } });
    for (let turn = 31; turn < 60; turn++) await say(`${turn}`);
    await engine.close();
    engine = await open({ store: place.store, background: "manual", config: { logLevel: "silent" } });
    await internalsOf(engine).warmUp();
    expect(await waiting()).toBe(0);
  });
});
