import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { internalsOf } from "../../src/engine.ts";
import { type Engine, open } from "../../src/index.ts";
import { ENGINES, type Place, temporaryPlace } from "../temporary-store.ts";

/** With the embedder that comes along, as everybody has it who has set nothing. */
describe.each(ENGINES)("a question that nothing is remembered about, on %s", (name) => {
  let place: Place;
  let engine: Engine;
  beforeAll(async () => {
    place = await temporaryPlace(name);
    engine = await open({
      store: place.store,
      background: "off",
      config: { logLevel: "silent", agent: "main" },
    });
    for (const [text, tag] of [
      ["The user has two cats called Miso and Tofu", "env:home"],
      ["The user drinks a flat white with oat milk every morning", "env:home"],
      ["The coffee machine is descaled on the first of the month", "env:home"],
      ["Miso is afraid of the vacuum cleaner", "env:home"],
      ["The beans come from a roaster in Lisbon", "env:shop"],
    ] as const)
      await engine.memory.store({ text, tags: [tag], speaker: "user" });
  });
  afterAll(async () => {
    await engine.close();
    await place.dispose();
  });

  const found = async (query: string) =>
    (await engine.memory.recall({ query })).memories.map(({ memory }) => memory.abstract);

  it.each(["what is the capital of Mongolia", "how do I compile the Linux kernel", "который час"])(
    "is answered with nothing: %s",
    async (question) => {
      expect(await found(question)).toEqual([]);
      expect(await internalsOf(engine).turnMemory.recallFor({ prompt: question })).toBeNull();
    },
  );

  it("is not answered because of who said it: a decision of the user on another topic", async () => {
    const text = "Decision: primary key (night, boot, seq), the one with utc is off the table.";
    const { memory } = await engine.memory.store({ text, speaker: "user" });
    for (const question of ["which port", "which editor"]) expect(await found(question)).toEqual([]);
    expect(await found("which primary key did we choose")).toEqual([text]);
    await engine.memory.forget({ id: memory.id });
  });

  it("does not keep others from their answers", async () => {
    expect(await found("what are the names of the pets?")).toContain(
      "The user has two cats called Miso and Tofu",
    );
    expect((await found("what does the user like to drink?"))[0]).toContain("flat white");
    expect((await found("Lisbon"))[0]).toContain("roaster in Lisbon");
  });

  it("still gives what carries a tag to whoever names the tag", async () => {
    const tagged = await engine.memory.recall({ query: "Mongolia cats", tags: ["env:home"], limit: 10 });
    expect(tagged.memories).toHaveLength(4);
  });
});

describe.each(ENGINES)("a question that nothing was said about, on %s", (name) => {
  it("finds nothing by its meaning, and others find what they mean", async () => {
    const place = await temporaryPlace(name);
    const config = { searchByMeaning: true, autoCapture: false, logLevel: "silent" } as const;
    const engine = await open({ store: place.store, background: "manual", config });
    const texts = ["The user has two cats called Miso and Tofu.", "The beans come from a roaster in Lisbon."];
    await engine.context.commitTurn({
      ...{ conversation: "home", key: "1" },
      messages: texts.map((content) => ({ role: "user", content })),
    });
    await engine.background?.run();
    const found = async (pattern: string) =>
      (await engine.context.grep({ pattern, mode: "hybrid" })).hits.map(({ snippet }) => snippet.text);
    expect(await found("qqzzx")).toEqual([]);
    expect(await found("kittens and other pets")).toEqual([texts[0]]);
    expect(await found("Lisbon")).toContain(texts[1]);
    await engine.close();
    await place.dispose();
  });
});
