/** What came in without vectors is not found by its meaning, and whoever asks is told. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ENGINES } from "../temporary-store.ts";
import { openScene, type Scene, topics } from "./memory-scene.ts";

describe.each(ENGINES)("recalling on %s what has no vectors", (name) => {
  let scene: Scene;
  beforeEach(async () => {
    scene = await openScene(name, { embedder: topics(/tea|beverage/i) });
    await scene.engine.memory.storeMany([{ text: "Drinks green tea" }, { text: "Has a dog" }]);
  });
  afterEach(() => scene.close());

  const recall = (query: string, mode?: "words") =>
    scene.engine.memory.recall({ query, ...(mode === undefined ? {} : { mode }) });

  it("says so of what was found by words, and of the store where nothing was found", async () => {
    expect((await recall("green tea")).notes.join()).toMatch(/^1 memory has no vectors of .*memory reembed/);
    expect(await recall("beverages")).toMatchObject({
      memories: [],
      notes: [expect.stringMatching(/^2 memories have no vectors of .*memory reembed/)],
    });
  });

  it("says nothing where meaning was not asked for, or the vectors were made", async () => {
    expect((await recall("beverages", "words")).notes).toEqual([]);
    await scene.engine.memory.reembed();
    const { memories, notes } = await recall("beverages");
    expect(memories[0]?.memory.abstract).toBe("Drinks green tea");
    expect(notes).toEqual([]);
  });
});
