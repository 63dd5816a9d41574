import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Engine, type MeaningQuery, open } from "../../src/index.ts";
import { ENGINES, type Place, temporaryPlace } from "../temporary-store.ts";

describe.each(ENGINES)("searching by words and by meaning on %s", (name) => {
  let place: Place;
  let engine: Engine;
  let asked: MeaningQuery[];
  /** What the host's function answers. */
  let nearest: string[];

  beforeEach(async () => {
    place = await temporaryPlace(name);
    asked = [];
    nearest = [];
    engine = await open({
      store: place.store,
      background: "off",
      rankByMeaning: async (query) => {
        asked.push(query);
        return nearest;
      },
    });
    await engine.context.commitTurn({
      conversation: "pets",
      key: "1",
      messages: [
        { role: "user", content: "the dog sleeps" },
        { role: "assistant", content: "a puppy rests" },
        { role: "user", content: "dog food" },
        { role: "user", content: "taxes are due" },
      ],
    });
    await engine.context.commitTurn({
      conversation: "other",
      key: "1",
      messages: [{ role: "user", content: "hounds everywhere" }],
    });
  });
  afterEach(async () => {
    await engine.close();
    await place.dispose();
  });

  const idsOf = async (conversation: string) =>
    (await engine.context.read({ conversation })).messages.map(({ id }) => id);
  const said = async (input: Omit<Parameters<Engine["context"]["grep"]>[0], "mode" | "pattern"> = {}) => {
    const { hits } = await engine.context.grep({ pattern: "dog", mode: "hybrid", ...input });
    return hits.map(({ snippet }) => snippet.text);
  };

  it("joins both rankings, and what stands in both comes first", async () => {
    const [sleeps = "", puppy = ""] = await idsOf("pets");
    nearest = [puppy, sleeps];
    const words = (await engine.context.grep({ pattern: "dog" })).hits.map(({ snippet }) => snippet.text);
    expect(words).toEqual(["dog food", "the dog sleeps"]);
    expect(await said()).toEqual(["the dog sleeps", "dog food", "a puppy rests"]);
    expect(asked).toEqual([{ text: "dog", conversations: null, limit: 200 }]);
  });

  it("passes over what a filter leaves out, what is unknown and what was erased", async () => {
    const [sleeps = "", puppy = "", food = "", taxes = ""] = await idsOf("pets");
    const [hounds = ""] = await idsOf("other");
    nearest = [hounds, "msg_0000000000000000_1", "nonsense", taxes, puppy, food, sleeps];
    await engine.context.erase({ conversation: "pets", from: 4 });
    const { id } = await engine.context.conversation("pets");
    expect(await said({ conversations: [id], roles: ["assistant"] })).toEqual(["a puppy rests"]);
    expect(asked.at(-1)?.conversations).toEqual([id]);
    expect(await said()).not.toContain("taxes are due");
    expect(await said()).toContain("hounds everywhere");
    expect(await said({ kinds: ["summary"] })).toEqual([]);
  });

  it("goes on where a page ended", async () => {
    nearest = await idsOf("pets");
    const all = await said();
    const pages: string[] = [];
    for (let cursor: string | undefined; ; ) {
      const page = await engine.context.grep({
        pattern: "dog",
        mode: "hybrid",
        limit: 1,
        ...(cursor === undefined ? {} : { cursor }),
      });
      pages.push(...page.hits.map(({ snippet }) => snippet.text));
      if (page.next === null) break;
      cursor = page.next;
    }
    expect(pages).toEqual(all);
    expect(all).toHaveLength(4);
  });

  it("is refused with advice where nothing ranks by meaning, and by time", async () => {
    await expect(said({ sort: "time" })).rejects.toMatchObject({ code: "invalid-input" });
    const plain = await open({ store: place.store, background: "off" });
    await expect(plain.context.grep({ pattern: "dog", mode: "hybrid" })).rejects.toMatchObject({
      code: "invalid-input",
      advice: expect.stringContaining("full_text"),
    });
    await plain.close();
  });
});
