import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { MeaningQuery } from "../../src/context/retrieve/meaning/host-ranking.ts";
import { type Engine, type OpenOptions, open } from "../../src/index.ts";
import { ENGINES, type Place, temporaryPlace } from "../temporary-store.ts";

function fail(): never {
  throw new Error("the embedder is down");
}

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
    const { id } = await engine.context.conversations.get("pets");
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

  it.each([
    ["a list of objects", () => [{ id: "msg_0000000000000000_1", score: 1 }], { code: "invalid-input" }],
    ["nothing", () => null, { code: "invalid-input" }],
    ["an error at once", fail, { message: "the embedder is down" }],
    ["an error later", async () => fail(), { message: "the embedder is down" }],
  ])("ends in an error where the host's function answers with %s", async (_, answer, error) => {
    const rankByMeaning = answer as unknown as NonNullable<OpenOptions["rankByMeaning"]>;
    const other = await open({ store: place.store, background: "off", rankByMeaning });
    await expect(other.context.grep({ pattern: "dog", mode: "hybrid" })).rejects.toMatchObject(error);
    await other.close();
  });

  it("takes nothing but a function", async () => {
    const options = { store: place.store, rankByMeaning: 5 } as unknown as OpenOptions;
    await expect(open(options)).rejects.toMatchObject({ code: "invalid-input" });
  });

  it("is refused with advice where nothing ranks by meaning, and by time", async () => {
    await expect(said({ sort: "time" })).rejects.toMatchObject({ code: "invalid-input" });
    const plain = await open({ store: place.store, background: "off" });
    await expect(plain.context.grep({ pattern: "dog", mode: "hybrid" })).rejects.toMatchObject({
      code: "invalid-input",
      advice: expect.stringContaining("omit `mode`"),
    });
    await plain.close();
  });
});
