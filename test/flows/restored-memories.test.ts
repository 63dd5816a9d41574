/** A store that is replaced by another while an engine has it open: nothing of what was there is taken for what is. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { open } from "../../src/index.ts";
import { explainRanked } from "../explain-ranked.ts";
import { ENGINES } from "../temporary-store.ts";
import { embedderOf, openScene, type Scene } from "./memory-scene.ts";

const MANY = 40;
const SUBJECTS = ["invoice", "violin", "tomcat", "swordfish"];
const point = (text: string) => [
  ...SUBJECTS.map((subject) => (text.toLowerCase().includes(subject) ? 10 : 0)),
  1 + (text.length % 7),
];

describe.each(ENGINES)("memories of a store that was replaced on %s", (name) => {
  let scene: Scene;
  let other: Scene;
  /** Embeds when it is let. */
  let embedding: Promise<unknown>;

  beforeEach(async () => {
    embedding = Promise.resolve();
    const slow = embedderOf(point, "m");
    const embed: typeof slow.embed = async (...given) => {
      await embedding;
      return slow.embed(...given);
    };
    scene = await openScene(name, { embedder: { ...slow, embed } });
    other = await openScene(name, { embedder: embedderOf(point, "m") });
  });
  afterEach(async () => {
    await scene.close();
    await other.close();
  });

  const tell = (to: Scene, what: string) =>
    to.engine.memory.storeMany(
      Array.from({ length: MANY }, (_, i) => ({ text: `${what}${i} of the ${what}` })),
    );
  const replace = () => scene.engine.store.load(other.engine.store.dump(), { replace: true });
  const found = async (query: string, by = scene.engine) =>
    (await by.memory.recall({ query, limit: 3 })).memories.map(({ memory }) => memory.abstract);

  it.each([false, true])("are found by words and by meaning, indexed: %s", async (isIndexed) => {
    await tell(scene, "Invoice");
    await tell(other, "Violin");
    await scene.engine.memory.maintenance.reembed();
    for (let i = 0; i < 3; i++) expect((await found("Invoice7"))[0]).toBe("Invoice7 of the Invoice");
    if (isIndexed) await scene.engine.memory.maintenance.index();
    await replace();
    expect(await found("Invoice7")).not.toContain("Invoice7 of the Invoice");
    expect((await found("Violin7"))[0]).toBe("Violin7 of the Violin");
    const fresh = await open({
      ...{ store: scene.store, background: "off", embedder: embedderOf(point, "m") },
      config: { agent: "main", logLevel: "silent" },
    });
    await fresh.memory.maintenance.reembed();
    if (isIndexed) await fresh.memory.maintenance.index();
    for (const query of ["Violin7", "Violin31", "the violin", "Invoice7"])
      expect(await found(query)).toEqual(await found(query, fresh));
    expect(await scene.engine.store.tenants()).toEqual(await fresh.store.tenants());
    await fresh.close();
  });

  it("do not get the vectors of words that were there before", async () => {
    await scene.engine.memory.storeMany([{ text: "The word is swordfish" }]);
    await other.engine.memory.storeMany([{ text: "Grandmother feeds her tomcat" }]);
    let goOn = () => {};
    embedding = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const reembedded = scene.engine.memory.maintenance.reembed();
    await replace();
    goOn();
    await reembedded;
    await scene.engine.memory.maintenance.reembed();
    const { memories } = await scene.engine.memory.recall({ query: "tomcat" });
    expect(memories).toHaveLength(1);
    expect(memories[0]?.parts.cosine).toBeGreaterThan(0.8);
    const swordfish = await explainRanked(scene.engine, "vectors", { query: "swordfish" });
    expect(swordfish.memories[0]?.parts.cosine ?? 0).toBeLessThan(0.5);
  });
});
