/** The values of a fact follow one another in time, and at each moment at most one of them held. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ENGINES } from "../temporary-store.ts";
import { DAY_MS, openScene, type Scene, START } from "./memory-scene.ts";

const day = (days: number) => new Date(START + days * DAY_MS).toISOString();

describe.each(ENGINES)("a fact on %s", (name) => {
  let scene: Scene;
  beforeEach(async () => {
    scene = await openScene(name);
  });
  afterEach(() => scene.close());

  const home = (town: string, times: { validFrom?: string; validUntil?: string } = {}) =>
    scene.engine.memory.store({
      text: `The home is in ${town}`,
      category: "profile",
      factKey: "home",
      ...times,
    });
  const heldAt = async (at: string) => {
    const { facts } = await scene.engine.memory.facts({ factKey: "home", at });
    return facts.map(({ memory }) => memory.abstract);
  };
  const recalledAt = async (at: string) => {
    const { memories } = await scene.engine.memory.recall({ query: "where is the home", at });
    return memories.map(({ memory }) => memory.abstract);
  };

  it("is not replaced by what will hold only later", async () => {
    const { memory } = await home("Rome");
    await expect(home("Oslo", { validFrom: day(90) })).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringContaining(memory.id),
      advice: expect.stringContaining("another key"),
    });
    expect(await heldAt(day(0))).toEqual(["The home is in Rome"]);
  });

  it("is not replaced by what held before it, unless it holds now", async () => {
    const { memory } = await home("Rome", { validFrom: day(-10) });
    await expect(home("Oslo", { validFrom: day(-20) })).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringContaining(`${memory.id} holds of profile:home since ${day(-10)}`),
      advice: expect.stringContaining("`validFrom`"),
    });
    expect(await heldAt(day(0))).toEqual(["The home is in Rome"]);
    scene.time.now += DAY_MS;
    expect(await home("Oslo")).toMatchObject({ action: "superseded", replaced: [memory.id] });
    expect(await heldAt(day(1))).toEqual(["The home is in Oslo"]);
  });

  it("ends when what replaced it began, though that was said later", async () => {
    const { memory } = await home("Rome", { validFrom: day(-100) });
    scene.time.now += 10 * DAY_MS;
    await home("Oslo", { validFrom: day(3) });
    expect(await scene.engine.memory.get(memory.id)).toMatchObject({
      validUntil: day(3),
    });
    for (const look of [heldAt, recalledAt]) {
      expect(await look(day(2))).toEqual(["The home is in Rome"]);
      expect(await look(day(5))).toEqual(["The home is in Oslo"]);
    }
  });

  it("does not end before it begins", async () => {
    const refused = { code: "invalid-input", message: expect.stringContaining("validUntil") };
    await expect(home("Rome", { validFrom: day(-1), validUntil: day(-2) })).rejects.toMatchObject(refused);
    await expect(home("Rome", { validUntil: day(-2) })).rejects.toMatchObject(refused);
    const { id } = (await home("Rome", { validFrom: day(-1) })).memory;
    const { memory } = scene.engine;
    await expect(memory.update({ id, validUntil: day(-2) })).rejects.toMatchObject(refused);
    await expect(memory.update({ id, text: "Home is Rome", validUntil: day(-2) })).rejects.toMatchObject(
      refused,
    );
    expect(await memory.get(id)).toMatchObject({ validUntil: null });
  });
});
