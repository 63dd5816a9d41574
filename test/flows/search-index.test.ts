import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { buildSegment } from "../../src/context/retrieve/index/build-segment.ts";
import { readDocuments, readSegment } from "../../src/context/retrieve/index/read-documents.ts";
import { checkIntegrity } from "../../src/context/verify/check-integrity.ts";
import { applyRepairs, planRepairs } from "../../src/context/verify/plan-repairs.ts";
import { type Engine, open } from "../../src/index.ts";
import { DEFAULT_SCOPE } from "../../src/types.ts";
import { ENGINES, type Place, temporaryPlace } from "../temporary-store.ts";

describe.each(ENGINES)("the search index on %s", (name) => {
  let place: Place;
  let engine: Engine;

  beforeEach(async () => {
    place = await temporaryPlace(name);
    engine = await open({ store: place.store, background: "off" });
  });
  afterEach(async () => {
    await engine.close();
    await place.dispose();
  });

  const say = (conversation: string, from: number, count: number, on = engine) =>
    on.context.commitTurn({
      conversation,
      key: `t${from}`,
      messages: Array.from({ length: count }, (_, i) => ({
        role: "user",
        content: `${conversation} says number ${from + i}, which is ${"abcdefghij"[(from + i) % 10]}`,
      })),
    });
  const found = async (pattern: string, on = engine) => {
    const { hits, total } = await on.context.grep({ pattern, limit: 200 });
    expect(total).toBe(hits.length);
    return hits.map(({ seq }) => seq).toSorted((a, b) => a - b);
  };
  const segments = () => engine.store.scoped(DEFAULT_SCOPE).searchSegments();

  it("is the same whether it was built at once or merged from pieces (promise: rebuildable)", async () => {
    for (let turn = 0; turn < 20; turn++) {
      await say(`c${turn % 2}`, turn * 5, 5);
      await engine.context.index();
    }
    const stored = await segments();
    expect(stored.length).toBeLessThan(20);
    expect(stored.reduce((sum, { documents }) => sum + documents, 0)).toBe(100);
    const scoped = engine.store.scoped(DEFAULT_SCOPE);
    for (const segment of stored) {
      const whole = await readSegment(scoped, segment);
      const built = buildSegment(await readDocuments(scoped, whole?.runs ?? []));
      expect(whole?.pages.map(({ page }) => Buffer.from(page).toString("hex"))).toEqual(
        built.pages.map(({ page }) => Buffer.from(page).toString("hex")),
      );
      expect(Buffer.from(whole?.columns ?? []).equals(built.columns)).toBe(true);
    }
    expect((await checkIntegrity(engine.store)).problems).toEqual([]);
  });

  it("finds what no segment holds yet, and does not find it twice once one does", async () => {
    await say("c", 0, 10);
    expect(await found("number")).toHaveLength(10);
    expect(await segments()).toEqual([]);
    await say("c", 10, 90);
    expect(await found("number")).toHaveLength(100);
    expect((await segments()).reduce((sum, { documents }) => sum + documents, 0)).toBe(100);
    await say("c", 100, 3);
    expect(await found("number")).toHaveLength(103);
  });

  it("does not hold what was erased, and goes on finding the rest (promise: erasable)", async () => {
    await say("c", 0, 70);
    await engine.context.commitTurn({
      conversation: "c",
      key: "s",
      messages: [{ role: "user", content: "the passphrase is xylophone" }],
    });
    await engine.context.index();
    expect(await found("xylophone")).toEqual([71]);
    await engine.context.erase({ conversation: "c", from: 71 });
    await engine.store.compactFiles();
    expect(await found("xylophone")).toEqual([]);
    expect(await found("number")).toHaveLength(70);
    await engine.context.index();
    const pages = await engine.store.scoped(DEFAULT_SCOPE).searchPages(
      (await segments()).map(({ id }) => id),
      [{ from: new Uint8Array(0), to: Uint8Array.of(255) }],
    );
    expect(pages.map(({ page }) => Buffer.from(page).toString("latin1")).join("")).not.toContain("xylo");
    expect((await checkIntegrity(engine.store)).problems).toEqual([]);
  });

  it("stays whole when several processes index and search the same store at once", async () => {
    const others = await Promise.all([1, 2].map(() => open({ store: place.store, background: "off" })));
    const all = [engine, ...others];
    await Promise.all(
      all.map(async (one, i) => {
        for (let turn = 0; turn < 7; turn++) {
          await say(`c${i}`, turn * 9, 9, one);
          await one.context.index().catch((error: { code?: string }) => {
            if (error.code !== "busy") throw error;
          });
          const hits = await one.context.grep({ pattern: `"c${i} says"`, limit: 200 });
          expect(new Set(hits.hits.map(({ id }) => id)).size).toBe((turn + 1) * 9);
        }
      }),
    );
    for (const one of all) expect(await found("number", one)).toHaveLength(3 * 7 * 9);
    await Promise.all(others.map((one) => one.close()));
    expect((await checkIntegrity(engine.store)).problems).toEqual([]);
  });

  it("is noticed by verify when it is damaged, and repaired by indexing again", async () => {
    await say("c", 0, 80);
    await engine.context.index();
    await damage();
    const report = await checkIntegrity(engine.store);
    expect(report.problems).toMatchObject([{ check: "search", message: expect.stringContaining("segment") }]);
    await applyRepairs(engine.store, planRepairs(report));
    expect((await checkIntegrity(engine.store)).problems).toEqual([]);
    const fresh = await open({ store: place.store, background: "off" });
    expect(await found("number", fresh)).toHaveLength(80);
    await fresh.close();
  });

  /** Changes one byte of a page. */
  async function damage(): Promise<void> {
    if (name === "sqlite") {
      const database = new DatabaseSync(path.join(place.store, "palimpsest.db"));
      database.exec("UPDATE search_pages SET page = CAST(page || x'00' AS BLOB) WHERE rowid = 2");
      database.close();
      return;
    }
    const client = new pg.Client(place.store);
    await client.connect();
    await client.query(
      "UPDATE palimpsest.search_pages SET page = page || '\\x00'::bytea WHERE first_term = (SELECT max(first_term) FROM palimpsest.search_pages)",
    );
    await client.end();
  }
});
