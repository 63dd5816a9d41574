import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Engine, open } from "../../src/index.ts";
import { ENGINES, type Place, temporaryPlace } from "../temporary-store.ts";

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
    await expect(engine.context.at({ conversation: "s", turn: "two" })).rejects.toMatchObject({
      code: "not-found",
    });
    await engine.context.assemble({ conversation: "s" });
    await say("three");
    expect((await engine.context.at({ conversation: "s", turn: "three" })).differs).toBeNull();
  });
});
