/** What time and use do to memories, and the way back to the words they came from. */

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { internalsOf } from "../../src/engine.ts";
import { explainRanked, RANKINGS } from "../explain-ranked.ts";
import { ENGINES } from "../temporary-store.ts";
import { DAY_MS, openScene, type Scene, topics } from "./memory-scene.ts";

describe.each(ENGINES)("a memory on %s", (name) => {
  let scene: Scene;
  beforeEach(async () => {
    scene = await openScene(name, {
      embedder: topics(/tea/i),
      config: { freshTailCount: 1, leafChunkTokens: 60 },
    });
  });
  afterEach(() => scene.close());

  const tierOf = async (id: string) => (await scene.engine.memory.get(id)).tier;
  async function use(times: number): Promise<void> {
    for (let time = 0; time < times; time++) await scene.engine.memory.recall({ query: "tea" });
    await internalsOf(scene.engine).turnMemory.flush();
  }

  it("moves between tiers as it is used and as it fades, each move on record with its numbers", async () => {
    const { memory } = scene.engine;
    const { id } = (await memory.store({ text: "Drinks tea", importance: 0.9 })).memory;
    await use(10);
    expect(await tierOf(id)).toBe("core");
    scene.time.now += 2_000 * DAY_MS;
    const { moves } = await memory.maintenance.consolidate({ dryRun: true });
    expect(moves).toMatchObject([{ id, decision: { from: "core", to: "working" } }]);
    expect(await tierOf(id)).toBe("core");
    await memory.maintenance.consolidate();
    expect(await tierOf(id)).toBe("working");
    const forgotten = await memory.store({ text: "Saw a bird", importance: 0.2 });
    scene.time.now += 70 * DAY_MS;
    await memory.maintenance.consolidate();
    expect(await tierOf(forgotten.memory.id)).toBe("peripheral");
    const events = await memory.history.events(id);
    expect(events.map(({ action }) => action)).toEqual(["created", "promoted", "demoted"]);
    expect(JSON.parse(events[1]?.detail ?? "")).toMatchObject({
      from: "working",
      to: "core",
      numbers: { uses: 10 },
    });
  });

  it("is ranked below a fresh one that says as much when it has faded, and is still there", async () => {
    const { memory } = scene.engine;
    const old = await memory.store({ text: "Green tea, cup 1", importance: 0.3, category: "events" });
    scene.time.now += 400 * DAY_MS;
    const fresh = await memory.store({ text: "Green tea, cup 2", importance: 0.3, category: "events" });
    for (const ranking of RANKINGS) {
      const { memories } = await explainRanked(scene.engine, ranking, { query: "green tea cup" });
      expect(memories.map((one) => one.memory.id)).toEqual([fresh.memory.id, old.memory.id]);
    }
  });

  it("is ranked above one that says as much when it was said again", async () => {
    for (const drink of ["black", "white"]) await scene.say(`Please remember that ${drink} coffee is fine.`);
    const found = async () => {
      const { memories } = await explainRanked(scene.engine, "words", { query: "coffee is fine" });
      return memories.map(({ memory }) => memory.abstract);
    };
    const [first, last = ""] = await found();
    const drink = last.startsWith("Black") ? "black" : "white";
    await scene.say(`Please remember that ${drink} coffee is fine.`);
    expect(await found()).toEqual([last, first]);
  });

  it("is merged with others on request, rests on the sources of all, and gives them back when it is erased", async () => {
    const { memory, context } = scene.engine;
    const [NINE, FOUR] = ["Green tea at nine.", "Oolong tea at four."] as const;
    await scene.say(NINE, FOUR);
    const { messages } = await context.read({ conversation: "s" });
    const keep = async (text: string, place: number) =>
      (await memory.store({ text, sources: [messages[place]?.id ?? ""], force: true })).memory.id;
    const [nine, four] = [await keep(NINE, 0), await keep(FOUR, 1)];
    const { memory: both, merged } = await memory.update({ id: nine, merge: [four], tags: ["tea"] });
    expect(merged).toEqual([four]);
    expect(both).toMatchObject({
      ...{ content: "Green tea at nine.\nOolong tea at four.", tags: ["tea"] },
      supersedes: expect.arrayContaining([nine, four]),
      sources: [{ firstSeq: 1 }, { firstSeq: 2 }],
    });
    expect((await memory.list()).rows.map(({ id }) => id)).toEqual([both.id]);
    expect((await memory.get(four)).supersededBy).toBe(both.id);

    const other = await memory.store({ text: "Coffee at noon.", scope: "global" });
    await expect(memory.update({ id: both.id, merge: [other.memory.id] })).rejects.toThrow(
      "in the scope global",
    );
    await expect(memory.update({ id: both.id, merge: [both.id] })).rejects.toThrow("with itself");
    await expect(memory.update({ id: both.id, merge: [four] })).rejects.toThrow("is not active");

    const report = await context.erase({ conversation: "s", from: 1, to: 1 });
    expect(report).toMatchObject({ restored: [four] });
    expect((await memory.get(four)).supersededBy).toBeNull();
  });

  it("leads back to the exact words, also after the conversation was compacted", async () => {
    const words = "Please remember that the tea is in the left drawer.\n\n  With its own\tspacing — and 茶.";
    await scene.say(words);
    for (let turn = 0; turn < 6; turn++)
      await scene.say(`Something else, number ${turn}. ${"It goes on. ".repeat(30)}`);
    const report = await scene.engine.context.compact({ conversation: "s", budget: 400 });
    expect(report.passes.length).toBeGreaterThan(0);
    const [fact] = (await scene.engine.memory.list()).rows.filter(({ abstract }) =>
      abstract.includes("drawer"),
    );
    const { sources } = await scene.engine.memory.history.source(fact?.id ?? "");
    expect(sources).toMatchObject([{ kind: "origin", firstSeq: 1, lastSeq: 1 }]);
    expect(sources[0]?.messages).toMatchObject([{ role: "user", text: words }]);
  });
});
