/** What ranks a memory beside its own words: when it was said, who spoke around it, and in which conversation. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { RecallInput } from "../../src/memory/inputs.ts";
import { ENGINES } from "../temporary-store.ts";
import { openScene, type Scene, topics } from "./memory-scene.ts";

interface Said {
  readonly text: string;
  readonly name?: string;
  readonly at?: string;
}

describe.each(ENGINES)("ranking on %s", (engine) => {
  let scene: Scene;
  beforeEach(async () => {
    scene = await openScene(engine);
  });
  afterEach(() => scene.close());

  /** Every message of a conversation as a memory. */
  async function remember(conversation: string, said: readonly Said[]): Promise<void> {
    const { context, memory } = scene.engine;
    const messages = said.map(({ text, name, at }) => ({
      message: { role: "user", content: text, ...(name === undefined ? {} : { name }) },
      ...(at === undefined ? {} : { createdAt: at }),
    }));
    const turn = await context.commitTurn({ conversation, key: conversation, messages });
    if (turn.status === "skipped") throw new Error("nothing was stored");
    for (const [place, { id }] of turn.messages.entries()) {
      const { text = "", name = "user" } = said[place] ?? {};
      await memory.store({ text, category: "events", sources: [id], speaker: name });
    }
  }

  async function recalled(query: string, more: Partial<RecallInput> = {}): Promise<readonly string[]> {
    const { memories } = await scene.engine.memory.recall({ query, ...more });
    return memories.map(({ memory }) => memory.abstract);
  }

  it.each([
    ["What did we order in May?", "We order chairs"],
    ["What did we order on 14 March 2025?", "We order lamps"],
    ["What did we order on 2025-03-14?", "We order lamps"],
    ["What did we order last weekend?", "We order desks"],
    ["What did we order three weeks ago?", "We order plants"],
    ["2025年3月14日 order", "We order lamps"],
  ])("prefers what was said at the time that is asked for: %s", async (question, expected) => {
    scene.time.now = Date.parse("2026-02-25T09:00:00Z");
    await remember("orders", [
      { text: "We order lamps", at: "2025-03-14T10:00:00Z" },
      { text: "We order chairs", at: "2025-05-20T10:00:00Z" },
      { text: "We order plants", at: "2026-02-04T10:00:00Z" },
      { text: "We order desks", at: "2026-02-22T10:00:00Z" },
      { text: "We order rugs", at: "2025-10-05T10:00:00Z" },
    ]);
    expect((await recalled(question))[0]).toBe(expected);
  });

  it("does not take the verb may for a month", async () => {
    await remember("orders", [
      { text: "We order lamps", at: "2025-05-20T10:00:00Z" },
      { text: "We order green lamps", at: "2025-03-14T10:00:00Z" },
    ]);
    expect((await recalled("Who may order green lamps?"))[0]).toBe("We order green lamps");
  });

  it.each([
    ["words", {}],
    ["words and meaning", { embedder: topics(/lake/) }],
  ])("finds the rarest words of a long question, wherever they stand, by %s", async (_, options) => {
    const { memory } = await scene.reopen(options);
    const common = Array.from({ length: 100 }, (_, i) => `filler${i}`).join(" ");
    await memory.store({ text: `First ${common}` });
    await memory.store({ text: `Second ${common}` });
    await memory.store({ text: "The invoice has the number 48213" });
    expect(await recalled(`${common} 48213`)).toContain("The invoice has the number 48213");
  });

  it("puts what shares no word last in a script that the embedder does not know", async () => {
    const { memory } = await scene.reopen({ embedder: topics(/lake/) });
    await memory.store({ text: "湖边的房子很安静 lake" });
    await memory.store({ text: "我的自行车是红色的" });
    expect(await recalled("自行车是什么颜色")).toEqual(["我的自行车是红色的", "湖边的房子很安静 lake"]);
  });

  it("understands a message by others of the same burst, if somebody else speaks nearby", async () => {
    const burst = [
      { text: "How was the vacation?", name: "Ana" },
      { text: "The vacation was great", name: "Ben" },
      { text: "Everybody swam", name: "Ben" },
    ];
    await remember("talk", burst);
    await remember("notes", [
      { text: "The vacation was short", name: "Cem" },
      { text: "Somebody slept", name: "Cem" },
    ]);
    const found = await recalled("vacation", { limit: 10 });
    expect(found).toContain("Everybody swam");
    expect(found).not.toContain("Somebody slept");
  });

  it("prefers the answer to a question like the one asked", async () => {
    await remember("asked", [
      { text: "So the boat has a colour?", name: "Ana" },
      { text: "It was painted green", name: "Ben" },
    ]);
    await remember("told", [
      { text: "So the boat has a colour.", name: "Ana" },
      { text: "It was painted blue", name: "Ben" },
    ]);
    const found = await recalled("Which colour has the boat?", { limit: 10 });
    expect(found).toContain("It was painted blue");
    expect(found.indexOf("It was painted green")).toBeLessThan(found.indexOf("It was painted blue"));
  });

  it("takes a list from many conversations", async () => {
    await remember("peru", [
      { text: "The trip to Peru visited a country of mountains" },
      { text: "The trip to Peru visited a country of rivers" },
    ]);
    await remember("kenya", [
      { text: "A visit in the country Kenya was planned and a trip followed much later" },
    ]);
    const first = async (question: string) => (await recalled(question, { limit: 2 })).join("\n");
    expect(await first("Which countries has the trip visited?")).toContain("Kenya");
    expect(await first("Which country did the trip visit?")).not.toContain("Kenya");
  });

  it("explains every part of a score", async () => {
    await remember("talk", [{ text: "The boat is green", name: "Ben" }]);
    const { memories } = await scene.engine.memory.recall({ query: "boat" }, { explain: true });
    expect(Object.keys(memories[0]?.parts ?? {})).toEqual(
      expect.arrayContaining([
        "words",
        "context",
        "meaning",
        "session",
        "time",
        "answer",
        "length",
        "breadth",
      ]),
    );
  });
});
