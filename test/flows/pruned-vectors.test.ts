/** Vectors of former models go when somebody asks for it, once nothing needs them, and at no other time. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { pruneVectors } from "../../src/memory/remember/reembed.ts";
import { EVERY_SCOPE } from "../../src/store/memory-store.ts";
import { ENGINES } from "../temporary-store.ts";
import { embedderOf, openScene, type Scene } from "./memory-scene.ts";

/** More than one page of what is pruned at a time. */
const MANY = 620;
const point = (text: string) => [text.length, 1, /tea/i.test(text) ? 50 : 0];
const former = { embedder: embedderOf(point, "former") };
const present = { embedder: embedderOf((text) => [...point(text), 1], "present") };

describe.each(ENGINES)("pruning vectors on %s", (name) => {
  let scene: Scene;
  beforeEach(async () => {
    scene = await openScene(name, former);
  });
  afterEach(() => scene.close());

  const models = async () =>
    (await scene.engine.memory.maintenance.stats()).vectors.map(
      ({ model, memories }) => `${model} ${memories}`,
    );
  const everything = () => scene.engine.store.memoriesOf({ tenant: "default", scopes: EVERY_SCOPE });
  const fill = async (count: number) => {
    await scene.engine.memory.storeMany(
      Array.from({ length: count }, (_, index) => ({ text: `Fact ${index}` })),
    );
    await scene.engine.memory.maintenance.reembed();
  };

  it("leaves one model, of memories in whatever state, and never happens unasked", async () => {
    const { memory } = scene.engine;
    const home = { category: "profile", factKey: "home" } as const;
    await memory.store({ text: "Lives in Rome", ...home });
    await memory.store({ text: "Lives in Oslo", ...home });
    const { id } = (await memory.store({ text: "Drinks green tea" })).memory;
    await memory.forget({ id });
    await scene.reopen(present);
    await scene.engine.memory.recall({ query: "tea" });
    await scene.engine.background?.run();
    expect(await scene.engine.memory.maintenance.reembed()).toEqual({ made: 0, pruned: 0, notPruned: null });
    expect(await models()).toEqual(["former 3", "present 3"]);
    const pruned = await scene.engine.memory.maintenance.reembed({ prune: true });
    expect(pruned).toEqual({ made: 0, pruned: 3, notPruned: null });
    expect(await models()).toEqual(["present 3"]);
    const found = await scene.engine.memory.recall({ query: "tea", archived: true });
    expect(found).toMatchObject({ notes: [] });
    expect(found.memories[0]?.memory.abstract).toBe("Drinks green tea");
  });

  it("makes what is missing first, page by page, and tells how far it is", async () => {
    await fill(MANY);
    await scene.reopen(present);
    const steps: string[] = [];
    const report = await scene.engine.memory.maintenance.reembed({
      prune: true,
      onProgress: ({ step, done }) => steps.push(`${step} ${done}`),
    });
    expect(report).toEqual({ made: MANY, pruned: MANY, notPruned: null });
    expect(steps.slice(-3)).toEqual([`embed ${MANY}`, "prune 500", `prune ${MANY}`]);
    expect(await models()).toEqual([`present ${MANY}`]);
    expect(await everything().memoryFaults()).toEqual([]);
  });

  it("can be stopped and gone on with", async () => {
    await fill(MANY);
    await scene.reopen(present);
    const stop = new AbortController();
    const onProgress = ({ step }: { step: string }) => (step === "prune" ? stop.abort() : undefined);
    const stopped = scene.engine.memory.maintenance.reembed({ prune: true, signal: stop.signal, onProgress });
    await expect(stopped).rejects.toMatchObject({ code: "cancelled" });
    expect(await models()).toEqual(["former 120", `present ${MANY}`]);
    expect(await scene.engine.memory.maintenance.reembed({ prune: true })).toMatchObject({
      made: 0,
      pruned: 120,
    });
    expect(await models()).toEqual([`present ${MANY}`]);
  });

  it("removes nothing while a memory has no vectors of the model that is kept", async () => {
    await fill(2);
    await scene.reopen(present);
    await scene.engine.memory.maintenance.reembed();
    await scene.engine.memory.storeMany([{ text: "Came meanwhile" }]);
    expect(await pruneVectors(everything(), "present")).toBeNull();
    expect(await models()).toEqual(["former 2", "present 2"]);
  });

  it("does nothing where there is no model, and says so", async () => {
    await fill(1);
    await scene.reopen({});
    expect(await scene.engine.memory.maintenance.reembed({ prune: true })).toEqual({
      made: 0,
      pruned: 0,
      notPruned: "no embedding model is configured",
    });
    expect(await models()).toEqual(["former 1"]);
  });
});
