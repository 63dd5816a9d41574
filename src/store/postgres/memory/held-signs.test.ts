import fc from "fast-check";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { freshDatabase } from "../../../../test/start-postgres.ts";
import type { MemoryStore, MemoryWrite, StoredMemory } from "../../memory-store.ts";
import type { Store } from "../../store.ts";
import {
  remember,
  sampleForget,
  sampleMemory,
  sampleRemember,
  sampleRevise,
} from "../../testing/sample-memory.ts";
import { unitVector } from "../../testing/sample-vectors.ts";
import { Connections } from "../connections.ts";
import { openPostgresStore } from "../index.ts";
import { readPostgresUrl } from "../postgres-url.ts";
import { type HeldLimits, HeldSigns } from "./held-signs.ts";

const MODEL = "m";
const DIMENSIONS = 40;
const LIMITS: HeldLimits = { inAScope: 1_000, vectors: 2_000, scopes: 8, milliseconds: 3_600_000 };

describe("signs that a process holds", () => {
  let database: Awaited<ReturnType<typeof freshDatabase>>;
  let client: pg.Client;
  let connections: Connections;
  let writing: Store;

  beforeAll(async () => {
    database = await freshDatabase(inject("postgresUrl"));
    client = new pg.Client(database.url);
    await client.connect();
    writing = await openPostgresStore({ url: database.url });
    connections = new Connections(readPostgresUrl(database.url));
  });
  afterAll(async () => {
    await connections.close();
    await writing.close();
    await client.end();
    await database.drop();
  });

  let tenants = 0;

  /** A separate tenant, a writer for it, and sign bits that were requested once. */
  async function setUp(limits: Partial<HeldLimits> = {}) {
    const access = { tenant: `tenant ${++tenants}`, scopes: ["global", "agent:a"] };
    const writer = writing.memoriesOf(access);
    const signs = new HeldSigns(connections, { ...LIMITS, ...limits });
    const query = (seed: number, scopes?: readonly string[]) => ({
      ...{ model: MODEL, vector: unitVector(seed, DIMENSIONS), limit: 10 },
      ...(scopes === undefined ? {} : { scopes }),
    });
    const candidates = (seed: number, scopes?: readonly string[], most = 100) =>
      signs.candidates(access, query(seed, scopes), most);
    expect(await candidates(1)).toBeUndefined();
    return { access, writer, signs, candidates, query };
  }

  const vectorsOf = (...seeds: number[]) => ({
    model: MODEL,
    vectors: seeds.map((seed) => unitVector(seed, DIMENSIONS)),
  });

  const withVector = (seed: number, scope = "global"): MemoryWrite =>
    sampleRemember(sampleMemory(scope), { vectors: vectorsOf(seed) });

  const numbersOf = (found: readonly { readonly number: number }[] | undefined) =>
    found?.map(({ number }) => number).sort((a, b) => a - b);

  it("propose the nearest first, each passage, in every scope that is asked for", async () => {
    const { writer, candidates } = await setUp();
    await writer.commit([withVector(1), withVector(2), withVector(1, "agent:a")]);
    await remember(writer, sampleMemory("global"), { vectors: vectorsOf(3, 4) });
    expect((await candidates(2))?.[0]).toMatchObject({ scope: "global", number: 2 });
    expect(numbersOf(await candidates(1, ["global"]))).toEqual([1, 2, 3, 3]);
    expect(await candidates(1, ["agent:a"])).toEqual([
      { scope: "agent:a", number: 1, estimate: expect.any(Number) },
    ]);
    expect(await candidates(4, undefined, 1)).toMatchObject([{ scope: "global", number: 3 }]);
    expect(await candidates(1, ["agent:b"])).toEqual([]);
  });

  it("follow every change that another process makes", async () => {
    const { access, writer, candidates } = await setUp();
    const first = await remember(writer, sampleMemory("global"), { vectors: vectorsOf(1) });
    expect(numbersOf(await candidates(1))).toEqual([1]);
    await writer.commit([
      sampleRemember(sampleMemory("global"), { supersedes: [first.id], vectors: vectorsOf(2) }),
    ]);
    expect(numbersOf(await candidates(1))).toEqual([2]);
    const third = await remember(writer, sampleMemory("global"));
    expect(numbersOf(await candidates(1))).toEqual([2]);
    await writer.commit([{ kind: "vectors", ref: third, vectors: vectorsOf(3, 4) }]);
    expect(numbersOf(await candidates(1))).toEqual([2, 3, 3]);
    await writer.commit([{ kind: "vectors", ref: third, vectors: vectorsOf(5) }]);
    expect(numbersOf(await candidates(1))).toEqual([2, 3]);
    expect((await candidates(5))?.[0]).toMatchObject({ number: 3 });
    await writer.commit([sampleRevise(third.id, { archivedAt: first.createdAt, archivedReason: "test" })]);
    expect(numbersOf(await candidates(1))).toEqual([2]);
    await writer.commit([sampleRevise(third.id, { archivedAt: null, archivedReason: null })]);
    expect(numbersOf(await candidates(1))).toEqual([2, 3]);
    expect(await writing.memoriesOf(access).nearestMemories({ ...vectorQuery(5), limit: 1 })).toMatchObject([
      { ref: { number: 3 } },
    ]);
  });

  const vectorQuery = (seed: number) => ({ model: MODEL, vector: unitVector(seed, DIMENSIONS) });

  it("are of one model and one length", async () => {
    const { access, writer, signs, candidates } = await setUp();
    await writer.commit([withVector(1)]);
    const other = { model: "other", vectors: [unitVector(1, 8)] };
    await writer.commit([sampleRemember(sampleMemory("global"), { vectors: other })]);
    const ask = (dimensions: number) =>
      signs.candidates(access, { model: "other", vector: unitVector(1, dimensions), limit: 1 }, 10);
    expect(await ask(8)).toBeUndefined();
    expect(numbersOf(await ask(8))).toEqual([2]);
    expect(numbersOf(await ask(9))).toEqual([]);
    expect(numbersOf(await candidates(1))).toEqual([1]);
  });

  it("are read page by page, and a page ends where a change does", async () => {
    const { access, candidates, writer } = await setUp({ inAScope: 100_000 });
    await remember(writer, sampleMemory("global"));
    // Two changes, each of more than a page, and one after them.
    await client.query(
      `INSERT INTO palimpsest.memory_vector_bits (tenant, scope, number, model, passage, is_active, bits, change)
       SELECT $1, 'global', n, $2, 0, true, (n::bit(20) || n::bit(20))::varbit, CASE WHEN n <= 20000 THEN 1 WHEN n <= 40000 THEN 2 ELSE 3 END
       FROM generate_series(1, 40001) n`,
      [access.tenant, MODEL],
    );
    await client.query("UPDATE palimpsest.memory_scopes SET last_change = 3 WHERE tenant = $1", [
      access.tenant,
    ]);
    expect(numbersOf(await candidates(1, undefined, 50_000))).toEqual(
      Array.from({ length: 40_001 }, (_, i) => i + 1),
    );
  });

  it("find what is left at once where very many were erased elsewhere", async () => {
    const { access, writer } = await setUp();
    const holder = writing.memoriesOf(access);
    const near = () => holder.nearestMemories({ ...vectorQuery(1), limit: 3 });
    const erased = Array.from({ length: 150 }, () => sampleMemory("global"));
    await writer.commit(erased.map((memory) => sampleRemember(memory, { vectors: vectorsOf(1) })));
    const left = await remember(writer, sampleMemory("global"), { vectors: vectorsOf(2) });
    await near();
    expect(await near()).toHaveLength(3);
    const other = await openPostgresStore({ url: database.url });
    await other.memoriesOf(access).commit([sampleForget(erased.map(({ id }) => id))]);
    await other.close();
    expect((await near()).map(({ ref }) => ref)).toEqual([{ scope: "global", number: left.number }]);
  });

  it("hold every passage of a memory, however many vectors came with it", async () => {
    const { access, writer } = await setUp({ inAScope: 100_000 });
    // More than one statement carries, and than is read at a time: 18,000 vectors of 384 dimensions.
    const passages = Array.from({ length: 9 }, (_, i) => unitVector(i, 384));
    const writes = Array.from({ length: 2_000 }, () =>
      sampleRemember(sampleMemory("global"), { vectors: { model: "long", vectors: passages } }),
    );
    await writer.commit(writes);
    const { rows } = await client.query(
      `SELECT count(*)::integer AS mixed FROM (SELECT number FROM palimpsest.memory_vector_bits
         WHERE tenant = $1 GROUP BY number HAVING min(change) <> max(change)) m`,
      [access.tenant],
    );
    expect(rows).toEqual([{ mixed: 0 }]);
    const signs = new HeldSigns(connections, { ...LIMITS, inAScope: 100_000 });
    const ask = () =>
      signs.candidates(access, { model: "long", vector: unitVector(1, 384), limit: 1 }, 50_000);
    await ask();
    expect(await ask()).toHaveLength(18_000);
  });

  it("are left to the server where they are too many", async () => {
    const { access, writer, candidates, signs } = await setUp({ inAScope: 3 });
    await writer.commit([
      withVector(1),
      withVector(2),
      withVector(3),
      withVector(4),
      withVector(5, "agent:a"),
    ]);
    expect(await candidates(1)).toBeUndefined();
    expect(numbersOf(await candidates(1, ["agent:a"]))).toEqual([1]);
    const scopes = Array.from({ length: 33 }, (_, i) => `agent:${i}`);
    const query = { ...vectorQuery(1), limit: 1 };
    expect(await signs.candidates({ ...access, scopes }, query, 1)).toBeUndefined();
    expect(await signs.candidates(access, { ...query, states: ["archived"] }, 1)).toBeUndefined();
  });

  it("go when others are asked for, and come back", async () => {
    const { writer, candidates } = await setUp({ vectors: 2, scopes: 1 });
    await writer.commit([withVector(1), withVector(2), withVector(3, "agent:a")]);
    for (let round = 0; round < 2; round++) {
      expect(numbersOf(await candidates(1, ["global"]))).toEqual([1, 2]);
      expect(numbersOf(await candidates(1, ["agent:a"]))).toEqual([1]);
      expect(numbersOf(await candidates(1))).toEqual([1, 1, 2]);
    }
  });

  it("are read anew after a while, where much is missing, and from a server that knows less", async () => {
    const { access, writer, candidates, signs, query } = await setUp();
    await writer.commit([withVector(1), withVector(2)]);
    expect(numbersOf(await candidates(1))).toEqual([1, 2]);
    // Directly in the database, as in a store that was restored from a backup.
    const forget = "DELETE FROM palimpsest.memory_vector_bits WHERE tenant = $1 AND number = $2";
    await client.query(forget, [access.tenant, 1]);
    expect(numbersOf(await candidates(1))).toEqual([1, 2]);
    const gone = { scope: "global", number: 1 };
    expect(signs.noteMissing(access, query(1), [], 8)).toBe(false);
    expect(numbersOf(await candidates(1))).toEqual([1, 2]);
    expect(signs.noteMissing(access, query(1), [gone], 8)).toBe(false);
    expect(numbersOf(await candidates(1))).toEqual([2]);
    expect(signs.noteMissing(access, query(1), [gone], 2)).toBe(true);
    expect(numbersOf(await candidates(1))).toEqual([2]);
    expect(signs.noteMissing({ ...access, tenant: "nobody" }, query(1), [gone], 2)).toBe(false);
    await client.query(forget, [access.tenant, 2]);
    await client.query("UPDATE palimpsest.memory_scopes SET last_change = 0 WHERE tenant = $1", [
      access.tenant,
    ]);
    expect(numbersOf(await candidates(1))).toEqual([]);
    const aged = await setUp({ milliseconds: -1 });
    await aged.writer.commit([withVector(1)]);
    expect(numbersOf(await aged.candidates(1))).toEqual([1]);
    await client.query(forget, [aged.access.tenant, 1]);
    expect(numbersOf(await aged.candidates(1))).toEqual([]);
  });

  it("give what the server gives, whatever is written, by whomever, while others ask", async () => {
    const operations = fc.array(
      fc.record({
        what: fc.constantFrom(
          "remember",
          "late",
          "supersede",
          "archive",
          "restore",
          "embed",
          "drop",
          "erase",
        ),
        scope: fc.constantFrom("global", "agent:a"),
        which: fc.nat(50),
        seed: fc.integer({ min: 1, max: 20 }),
      }),
      { minLength: 1, maxLength: 25 },
    );
    const other = await openPostgresStore({ url: database.url });
    const asking = await openPostgresStore({ url: database.url });
    const run = fc.asyncProperty(operations, async (done) => {
      const access = { tenant: `random ${++tenants}`, scopes: ["global", "agent:a"] };
      const writers = [writing, other].map((store) => store.memoriesOf(access)) as [MemoryStore, MemoryStore];
      const holder = asking.memoriesOf(access);
      const kept: StoredMemory[] = [];
      const ask = (store: MemoryStore, seed: number) =>
        store.nearestMemories({ ...vectorQuery(seed), limit: 200 });
      await ask(holder, 1);
      for (const [i, { what, scope, which, seed }] of done.entries()) {
        const writer = writers[i % 2 === 0 ? 0 : 1];
        const meanwhile = Promise.all([ask(holder, seed), ask(holder, seed + 1)]);
        await write(writer, kept, what, scope, which, seed);
        await meanwhile;
        const fresh = await openPostgresStore({ url: database.url });
        const byServer = await ask(fresh.memoriesOf(access), seed);
        await fresh.close();
        expect(await ask(holder, seed)).toEqual(byServer);
      }
    });
    await fc.assert(run, { numRuns: 12, endOnFailure: true });
    await other.close();
    await asking.close();
  });

  async function write(
    writer: MemoryStore,
    kept: StoredMemory[],
    what: string,
    scope: string,
    which: number,
    seed: number,
  ): Promise<void> {
    const memory = kept[which % Math.max(1, kept.length)];
    const isNew = what === "remember" || what === "late" || memory === undefined;
    if (isNew) {
      const more = what === "late" ? {} : { vectors: vectorsOf(seed, seed + 3) };
      kept.push(await remember(writer, sampleMemory(scope), more));
      return;
    }
    const writes: Record<string, () => MemoryWrite> = {
      supersede: () =>
        sampleRemember(sampleMemory(memory.scope), { supersedes: [memory.id], vectors: vectorsOf(seed) }),
      archive: () => sampleRevise(memory.id, { archivedAt: memory.createdAt, archivedReason: "test" }),
      restore: () => sampleRevise(memory.id, { archivedAt: null, archivedReason: null }),
      embed: () => ({ kind: "vectors", ref: memory, vectors: vectorsOf(seed) }),
      drop: () => ({ kind: "drop-vectors", model: MODEL, refs: [memory] }),
      erase: () => sampleForget([memory.id]),
    };
    // An inactive memory cannot be superseded, and an erased one not revised: both are refused.
    await writer.commit([writes[what]?.() as MemoryWrite]).catch(() => {});
  }
});
