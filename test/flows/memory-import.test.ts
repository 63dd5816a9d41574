/** Memories from files meet those that are here: what stays, what is replaced, and what is told. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Engine, open } from "../../src/engine.ts";
import {
  type ImportedMemory,
  importedMemory,
  type ReadItem,
} from "../../src/memory/exchange/imported-memory.ts";
import { ENGINES, type Place, temporaryPlace } from "../temporary-store.ts";

const NOW = Date.parse("2026-11-16T10:00:00.000Z");

function aMemory(digits: string, more: Partial<ImportedMemory> = {}): ImportedMemory {
  const words = { abstract: `fact ${digits}`, overview: "", content: "" };
  return importedMemory({ id: `mem_${digits.padStart(16, "0")}`, category: "entities", ...words, ...more });
}

async function* itemsOf(...memories: readonly ImportedMemory[]): AsyncGenerator<ReadItem> {
  for (const [place, memory] of memories.entries()) yield { line: place + 1, memory };
}

const idOf = (digits: string) => `mem_${digits.padStart(16, "0")}`;
const value = (digits: string, day: string, more: Partial<ImportedMemory> = {}) =>
  aMemory(digits, { factKey: "entities:port", createdAt: day, validFrom: day, ...more });

describe.each(ENGINES)("an import on %s", (name) => {
  let place: Place;
  let engine: Engine;
  beforeAll(async () => {
    place = await temporaryPlace(name);
    engine = await open({
      store: place.store,
      background: "off",
      config: { embeddingModel: "off", logLevel: "silent", agent: "main" },
      clock: () => NOW,
    });
  });
  afterAll(async () => {
    await engine.close();
    await place.dispose();
  });

  const run = (memories: readonly ImportedMemory[], options = {}) =>
    engine.memory.exchange.import(itemsOf(...memories), options);

  it("stores what is new where the file says, else where the agent writes, and nothing twice", async () => {
    const memories = [aMemory("1"), aMemory("2", { scope: "global" })];
    expect(await run(memories, { dryRun: true })).toMatchObject({ dryRun: true, created: 2 });
    expect((await engine.memory.maintenance.stats()).total).toBe(0);
    expect(await run(memories)).toMatchObject({ created: 2, alreadyThere: 0, passedOver: [] });
    expect((await engine.memory.get(idOf("1"))).scope).toBe("agent:main");
    expect((await engine.memory.get(idOf("2"))).scope).toBe("global");
    expect(await run(memories)).toMatchObject({ created: 0, alreadyThere: 2 });
  });

  it("takes the place of an older value, and is passed over where a newer one holds", async () => {
    await run([value("10", "2026-05-01T00:00:00.000Z")]);
    const newer = await run([value("11", "2026-06-01T00:00:00.000Z")]);
    expect(newer).toMatchObject({ created: 0, superseded: 1 });
    expect(await engine.memory.get(idOf("10"))).toMatchObject({ supersededBy: idOf("11") });
    const older = await run([value("12", "2026-01-01T00:00:00.000Z")]);
    expect(older).toMatchObject({ created: 0, superseded: 0 });
    expect(older.passedOver).toEqual([
      {
        line: 1,
        reason: expect.stringMatching(
          new RegExp(
            `^${idOf("11")} is the current value of entities:port since \\S+, which is later than 2026-01-01T00:00:00.000Z$`,
          ),
        ),
      },
    ]);
    expect((await engine.memory.get(idOf("11"))).invalidatedAt).toBeNull();
    const future = await run([value("13", "2027-01-01T00:00:00.000Z")]);
    expect(future.passedOver).toEqual([
      {
        line: 1,
        reason: `${idOf("11")} is the current value of entities:port now, and the other one only from 2027-01-01T00:00:00.000Z`,
      },
    ]);
  });

  it("keeps versions together, whatever their order in the file", async () => {
    const key = { factKey: "entities:host" };
    const first = value("20", "2026-01-01T00:00:00.000Z", { ...key, supersededBy: idOf("21") });
    const second = value("21", "2026-02-01T00:00:00.000Z", {
      ...key,
      supersedes: [idOf("20")],
      supersededBy: idOf("22"),
    });
    const third = value("22", "2026-03-01T00:00:00.000Z", { ...key, supersedes: [idOf("21")] });
    expect(await run([third, first, second])).toMatchObject({ created: 3, passedOver: [] });
    const versions = await engine.memory.history.versions(idOf("21"));
    expect(versions.map(({ id, factKey }) => [id, factKey])).toEqual(
      ["20", "21", "22"].map((digits) => [idOf(digits), "entities:host"]),
    );
    const { facts } = await engine.memory.facts({ factKey: "host", at: "2026-02-15" });
    expect(facts.map(({ memory }) => memory.id)).toEqual([idOf("21")]);
  });

  it("sets aside what was set aside, or replaced by what is not in the file", async () => {
    const at = "2026-04-01T00:00:00.000Z";
    await run([
      aMemory("30", { archivedAt: at, archivedReason: "old" }),
      aMemory("31", { supersededBy: idOf("ff"), invalidatedAt: at, factKey: "entities:port" }),
    ]);
    expect(await engine.memory.get(idOf("30"))).toMatchObject({ archivedAt: at, archivedReason: "old" });
    const replaced = await engine.memory.get(idOf("31"));
    expect(replaced).toMatchObject({ archivedAt: at, factKey: "entities:port" });
    expect(replaced.archivedReason).toContain(idOf("ff"));
  });

  it("ends what was replaced by a memory that is here already, with a key or without", async () => {
    for (const [old, next, factKey] of [
      ["60", "61", "entities:end"],
      ["62", "63", null],
    ] as const) {
      const latest = value(next, "2026-02-01T00:00:00.000Z", { factKey });
      await run([latest]);
      const first = value(old, "2026-01-01T00:00:00.000Z", { factKey, supersededBy: idOf(next) });
      expect(await run([first, { ...latest, supersedes: [idOf(old)] }])).toMatchObject({
        created: 1,
        alreadyThere: 1,
      });
      expect(await engine.memory.get(idOf(old))).toMatchObject({ supersededBy: idOf(next), factKey });
      expect((await engine.memory.get(idOf(next))).supersedes).toEqual([idOf(old)]);
    }
    const before = value("64", "2025-01-01T00:00:00.000Z", { factKey: null, supersededBy: idOf("62") });
    await run([before, value("62", "2026-01-01T00:00:00.000Z", { factKey: null })]);
    expect((await engine.memory.get(idOf("64"))).archivedAt).not.toBeNull();
  });

  it("tells by its line what may not come in, and takes the rest", async () => {
    const report = await run([
      aMemory("40", { scope: "agent:somebody" }),
      aMemory("41", { erasedAt: "2026-01-01T00:00:00.000Z", abstract: "" }),
      aMemory("42"),
    ]);
    expect(report).toMatchObject({ created: 1 });
    expect(report.passedOver).toEqual([
      {
        line: 1,
        reason:
          "this agent has no access to agent:somebody: set one scope for all memories with `scope`, or add it to memoryAccess",
      },
      { line: 2, reason: "its text was erased" },
    ]);
    await expect(run([aMemory("43")], { scope: "agent:somebody" })).rejects.toThrow(
      /no access to the memory scope/,
    );
  });

  it("tells which one of a line may not come in, where all stand on one", async () => {
    async function* onOneLine(): AsyncGenerator<ReadItem> {
      yield { line: 1, memory: aMemory("45") };
      yield { line: 1, memory: aMemory("46", { scope: "user:alice" }) };
    }
    const { passedOver } = await engine.memory.exchange.import(onOneLine());
    expect(passedOver).toMatchObject([{ line: 1, row: 2, reason: expect.stringContaining("user:alice") }]);
  });

  it("drops sources that are in another store only", async () => {
    const source = {
      conversation: "conv_0123456789abcdef",
      firstSeq: 1,
      lastSeq: 2,
      kind: "origin" as const,
    };
    expect(await run([aMemory("50", { sources: [source] })])).toMatchObject({ created: 1 });
    expect((await engine.memory.get(idOf("50"))).sources).toEqual([]);
  });

  it("keeps what was stored when it is stopped, and goes on with the rest", async () => {
    const memories = Array.from({ length: 300 }, (_, at) => aMemory(`a${at}`));
    const stop = new AbortController();
    const stopped = run(memories, { signal: stop.signal, onProgress: () => stop.abort() });
    await expect(stopped).rejects.toThrow(/cancelled/);
    const report = await run(memories);
    expect(report.alreadyThere).toBeGreaterThan(0);
    expect(report.created + report.alreadyThere).toBe(300);
  });
});
