/** The values of a fact follow one another in time, and at each moment at most one of them held. */
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { importedMemory, type ReadItem } from "../../src/memory/exchange/imported-memory.ts";
import { runOperation } from "../../src/operations/run-operation.ts";
import { verify } from "../../src/operations/store/verify.ts";
import { memoryIdFor } from "../../src/store/testing/sample-memory.ts";
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
  const recalledAt = async (at: string, query = "where is the home") => {
    const { memories } = await scene.engine.memory.recall({ query, at });
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
      message: expect.stringContaining(`${memory.id} is the current value of profile:home since ${day(-10)}`),
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

  describe("that was said in an old conversation, which is captured late", () => {
    const saidAt = (content: string, days: number) => ({ role: "user", content, createdAt: day(days) });

    it("does not take the place of what was said since, and is on record for its time", async () => {
      await scene.say(saidAt("I live in Oslo.", -10));
      await scene.say(saidAt("I live in Rome.", -100));
      expect(await scene.known()).toEqual(["I live in Oslo."]);
      for (const look of [heldAt, (at: string) => recalledAt(at, "where do I live")]) {
        expect(await look(day(-50))).toEqual(["I live in Rome."]);
        expect(await look(day(-5))).toEqual(["I live in Oslo."]);
      }
      const [oslo] = (await scene.engine.memory.list()).rows;
      const versions = await scene.engine.memory.history.versions(oslo?.id ?? "");
      expect(versions.map(({ supersededBy }) => supersededBy)).toEqual([null, oslo?.id]);
      expect((await runOperation(verify, scene.engine, {})).problems).toEqual([]);
    });

    it("ends when its message says, counted from the message and not from the capture", async () => {
      await scene.say(saidAt("Remember that I have to send the tax form tomorrow.", -100));
      await scene.say(saidAt("Remember that the dentist is at nine tomorrow.", 1));
      const { rows } = await scene.engine.memory.list();
      // The second one has the date of a fast clock. Three days cover tomorrow in every time zone.
      expect(rows.map(({ validUntil }) => validUntil).toSorted()).toEqual([day(-97), day(3)]);
    });

    it("does not take the place of what was stored since", async () => {
      await home("Oslo", { validFrom: day(-10) });
      await scene.say(saidAt("I live in Rome.", -100));
      expect(await scene.known()).toEqual(["The home is in Oslo"]);
      await scene.say(saidAt("I live in Bonn.", -5));
      expect(await scene.known()).toEqual(["I live in Bonn."]);
    });

    it("takes the place of what will hold only later, and so does what a fast clock dates later than now", async () => {
      await home("Oslo", { validFrom: day(90) });
      await scene.say(saidAt("I live in Rome.", -1));
      expect(await scene.known()).toEqual(["I live in Rome."]);
      scene.time.now += 1_000;
      await scene.say(saidAt("I live in Bonn.", 1));
      expect(await scene.known()).toEqual(["I live in Bonn."]);
    });

    it("is what was said last, where one stretch has several values, in whatever order they came", async () => {
      await scene.say(saidAt("I live in Oslo.", -10), saidAt("I live in Rome.", -100));
      expect(await scene.known()).toEqual(["I live in Oslo."]);
    });
  });

  describe("whose values are stored with many others", () => {
    const many = (...towns: readonly (readonly [string, number?])[]) =>
      scene.engine.memory.storeMany(
        towns.map(([town, from]) => ({
          text: `The home is in ${town}`,
          category: "profile" as const,
          factKey: "home",
          ...(from === undefined ? {} : { validFrom: day(from) }),
        })),
      );

    it("has the one in force that began last, and the others on record", async () => {
      await many(["Oslo", -10], ["Rome", -100], ["Bonn", -50]);
      expect(await scene.known()).toEqual(["The home is in Oslo"]);
      expect(await heldAt(day(-70))).toEqual(["The home is in Rome"]);
      expect(await heldAt(day(-20))).toEqual(["The home is in Bonn"]);
      await many(["Lima", -20]);
      expect(await scene.known()).toEqual(["The home is in Oslo"]);
      await many(["Kyiv"], ["Bern"]);
      expect(await scene.known()).toEqual(["The home is in Bern"]);
    });

    it("is not replaced by what will hold only later", async () => {
      const { memory } = await home("Rome");
      await expect(many(["Oslo", 90])).rejects.toMatchObject({
        code: "conflict",
        message: expect.stringContaining(memory.id),
      });
      expect(await scene.known()).toEqual(["The home is in Rome"]);
    });
  });

  describe("whose values overlap, as an import can bring them", () => {
    interface Period {
      readonly town: string;
      readonly from: number;
      readonly until: number | null;
      readonly created: number;
    }

    const bring = async (periods: readonly Period[]) => {
      async function* items(): AsyncGenerator<ReadItem> {
        for (const [place, { town, from, until, created }] of periods.entries()) {
          const words = { abstract: `The home is in ${town}`, overview: "", content: "" };
          const ended = until === null ? {} : { archivedAt: day(until), archivedReason: "ended" };
          const times = { createdAt: day(created), updatedAt: day(created), validFrom: day(from), ...ended };
          const id = memoryIdFor(`${town} ${place}`);
          const about = { category: "profile", factKey: "profile:home" } as const;
          yield { line: place + 1, memory: importedMemory({ id, ...about, ...words, ...times }) };
        }
      }
      expect(await scene.engine.memory.exchange.import(items())).toMatchObject({
        created: periods.length,
        passedOver: [],
      });
    };

    it("has the one that began last, and both ways of asking say the same", async () => {
      await bring([
        { town: "Rome", from: -100, until: -10, created: -2 },
        { town: "Bonn", from: -60, until: -40, created: -50 },
        { town: "Lima", from: -20, until: null, created: -20 },
      ]);
      // Stored after Bonn, and created before it.
      await bring([{ town: "Oslo", from: -60, until: -30, created: -60 }]);
      const expected: [number, string[]][] = [
        [-101, []],
        [-80, ["Rome"]],
        [-60, ["Bonn"]],
        [-41, ["Bonn"]],
        [-40, ["Oslo"]],
        [-30, ["Rome"]],
        [-20, ["Lima"]],
        [0, ["Lima"]],
      ];
      for (const [at, towns] of expected)
        for (const look of [heldAt, recalledAt])
          expect(await look(day(at)), `${look.name} ${at}`).toEqual(
            towns.map((town) => `The home is in ${town}`),
          );
    });

    it("has its whole history, whichever of them was asked for by its words", async () => {
      await bring([
        { town: "Rome", from: -100, until: -10, created: -2 },
        { town: "Oslo", from: -60, until: -30, created: -60 },
      ]);
      const { facts } = await scene.engine.memory.facts({
        query: "Rome",
        at: day(-50),
        includeHistory: true,
      });
      expect(facts.map(({ memory, held }) => [memory.abstract, held])).toEqual([
        ["The home is in Oslo", true],
      ]);
      expect(facts[0]?.history.map(({ abstract }) => abstract)).toEqual([
        "The home is in Oslo",
        "The home is in Rome",
      ]);
    });

    it("is answered alike for any periods and any time", async () => {
      const periods = fc.uniqueArray(
        fc.record({
          town: fc.constantFrom("Rome", "Oslo", "Bonn", "Lima", "Bern", "Kyiv"),
          from: fc.integer({ min: -20, max: 0 }),
          lasts: fc.integer({ min: 1, max: 20 }),
          created: fc.integer({ min: -20, max: 0 }),
        }),
        { selector: ({ town }) => town, minLength: 2 },
      );
      await fc.assert(
        fc.asyncProperty(periods, async (drawn) => {
          const own = await openScene(name);
          const before = scene;
          scene = own;
          try {
            await bring(drawn.map(({ lasts, ...period }) => ({ ...period, until: period.from + lasts })));
            for (let at = -21; at <= 20; at += 2) {
              const held = await heldAt(day(at));
              expect(held.length).toBeLessThanOrEqual(1);
              expect(await recalledAt(day(at))).toEqual(held);
            }
          } finally {
            scene = before;
            await own.close();
          }
        }),
        { numRuns: 5, endOnFailure: true },
      );
    }, 60_000);
  });
});
