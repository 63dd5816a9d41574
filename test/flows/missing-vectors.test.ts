/** What came in without vectors is not found by its meaning, and whoever asks is told. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { explainRanked } from "../explain-ranked.ts";
import { startEmbeddings, vectors } from "../scripted-embeddings.ts";
import { ENGINES } from "../temporary-store.ts";
import { embedderOf, openScene, type Scene, topics } from "./memory-scene.ts";

describe.each(ENGINES)("recalling on %s what has no vectors", (name) => {
  let scene: Scene;
  beforeEach(async () => {
    scene = await openScene(name, { embedder: topics(/tea|beverage/i) });
    await scene.engine.memory.storeMany([{ text: "Drinks green tea" }, { text: "Has a dog" }]);
  });
  afterEach(() => scene.close());

  const recall = (query: string) => scene.engine.memory.recall({ query });

  it("says so of what was found by words, and of the store where nothing was found", async () => {
    expect((await recall("green tea")).notes.join()).toMatch(
      /^1 candidate memory has no embedding yet and was compared by words only\. .*memory reembed$/,
    );
    expect(await recall("beverages")).toMatchObject({
      memories: [],
      notes: [expect.stringMatching(/^2 memories have no embeddings yet and were .*memory reembed$/)],
    });
  });

  it("says nothing where meaning was not asked for, or the vectors were made", async () => {
    expect((await explainRanked(scene.engine, "words", { query: "beverages" })).notes).toEqual([]);
    await scene.engine.memory.maintenance.reembed();
    const { memories, notes } = await recall("beverages");
    expect(memories[0]?.memory.abstract).toBe("Drinks green tea");
    expect(notes).toEqual([]);
  });
});

describe.each(ENGINES)("a model on %s whose vectors have another length than before", (name) => {
  const pointOf = (text: string) => (/tea|beverage/i.test(text) ? [1, 0, 0] : [0, 1, 0]);
  let scene: Scene | undefined;
  let server: Awaited<ReturnType<typeof startEmbeddings>> | undefined;
  afterEach(async () => {
    await scene?.close();
    await server?.close();
    [scene, server] = [undefined, undefined];
  });

  const lengths = (model: string) => [
    expect.stringMatching(
      `^Stored embeddings from ${model} have 2 dimensions, but the model now returns 3, so only words were compared: set embeddingDimensions to 3, .* another name`,
    ),
  ];
  const FOUND = { memories: [{ memory: { abstract: "Drinks green tea" } }], notes: [] };

  it("is told, whether words find something or nothing, and serves again under another name", async () => {
    scene = await openScene(name, { embedder: embedderOf((text) => pointOf(text).slice(0, 2)) });
    await scene.engine.memory.store({ text: "Drinks green tea" });
    const { memory } = await scene.reopen({ embedder: embedderOf(pointOf) });
    for (const query of ["beverages", "green tea"])
      expect((await memory.recall({ query })).notes, query).toEqual(lengths("points"));
    const renamed = await scene.reopen({ embedder: embedderOf(pointOf, "longer points") });
    await renamed.memory.maintenance.reembed();
    expect(await renamed.memory.recall({ query: "beverages" })).toMatchObject(FOUND);
  });

  it("serves again with embeddingDimensions, where it is a provider's", async () => {
    let length = 2;
    server = await startEmbeddings((texts) =>
      vectors(texts.map((text, index) => ({ index, embedding: pointOf(text).slice(0, length) }))),
    );
    const config = { embeddingModel: "openai-compatible/m", embeddingBaseUrl: server.url };
    scene = await openScene(name, { config });
    await scene.engine.memory.store({ text: "Drinks green tea" });
    length = 3;
    const { memory } = await scene.reopen({ config });
    expect((await memory.recall({ query: "beverages" })).notes).toEqual(lengths("openai-compatible/m"));
    const { memory: mended } = await scene.reopen({ config: { ...config, embeddingDimensions: length } });
    expect(await mended.maintenance.reembed({ prune: true })).toEqual({
      made: 1,
      pruned: 1,
      notPruned: null,
    });
    expect(await mended.recall({ query: "beverages" })).toMatchObject(FOUND);
  });
});
