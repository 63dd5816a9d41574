import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Engine, open } from "../../src/index.ts";
import { ENGINES, type Place, temporaryPlace } from "../temporary-store.ts";

const SECRET = "ZX-99817";

describe.each(ENGINES)("a model that carries words over on %s", (name) => {
  it("leaves none of them behind when they are erased (promise: erasable)", async () => {
    const place = await temporaryPlace(name);
    const engine = await open({
      store: place.store,
      background: "off",
      config: { freshTailCount: 2, leafChunkTokens: 800, leafMinFanout: 50, logLevel: "silent" },
      complete: async ({ prompt }) => ({
        text: `${prompt.includes(SECRET) ? `The code is ${SECRET}. ` : ""}Work went on.`,
        model: "host/gossip",
        finish: "stop",
        usage: { inputTokens: null, outputTokens: null, cost: null },
      }),
    });
    const commit = (key: string, content: string) =>
      engine.context.commitTurn({ conversation: "s", key, messages: [{ role: "user", content }] });
    await commit("first", `The code is ${SECRET}. ${"It opens the vault. ".repeat(130)}`);
    for (let turn = 0; turn < 5; turn++)
      await commit(`t${turn}`, "The vault was cleaned again. ".repeat(100));
    const { passes } = await engine.context.compact({ conversation: "s" });
    expect(passes.length).toBeGreaterThan(2);
    const { summaries } = await engine.context.conversations.summaries("s");
    expect(summaries.filter((summary) => summary.content?.includes(SECRET)).length).toBeGreaterThan(1);
    await engine.context.erase({ conversation: "s", from: 1 });
    expect(JSON.stringify(await engine.context.conversations.summaries("s"))).not.toContain(SECRET);
    expect(JSON.stringify((await engine.context.assemble({ conversation: "s" })).messages)).not.toContain(
      SECRET,
    );
    await engine.close();
    await place.dispose();
  });
});

describe.each(ENGINES)("what was assembled before an erasure on %s", (name) => {
  let place: Place;
  let engine: Engine;
  beforeEach(async () => {
    place = await temporaryPlace(name);
    engine = await open({ store: place.store, background: "off" });
  });
  afterEach(async () => {
    await engine.close();
    await place.dispose();
  });

  const say = (key: string) =>
    engine.context.commitTurn({
      conversation: "s",
      key,
      messages: [{ role: "user", content: `say ${key}` }],
    });

  it("leaves no hash over the erased words with the next turn (promise: erasable)", async () => {
    await say("one");
    await engine.context.assemble({ conversation: "s" });
    await engine.context.erase({ conversation: "s", from: 1 });
    await say("two");
    await expect(engine.context.conversations.at({ conversation: "s", turn: "two" })).rejects.toMatchObject({
      code: "not-found",
    });
    await engine.context.assemble({ conversation: "s" });
    await say("three");
    expect((await engine.context.conversations.at({ conversation: "s", turn: "three" })).differs).toBeNull();
  });
});
