import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { buildSegment } from "../../src/context/retrieve/index/build-segment.ts";
import { readDocuments, readSegment } from "../../src/context/retrieve/index/read-documents.ts";
import { checkIntegrity } from "../../src/context/verify/check-integrity.ts";
import { applyRepairs, planRepairs } from "../../src/context/verify/plan-repairs.ts";
import { type Engine, open } from "../../src/index.ts";
import type { Store } from "../../src/store/store.ts";
import { DEFAULT_SCOPE } from "../../src/types.ts";
import { ENGINES, type Place, temporaryPlace } from "../temporary-store.ts";

/** The same store, in which something happens before pages of the index are read. */
function beforePages(store: Store, happens: () => Promise<void>): Store {
  const scoped: Store["scoped"] = (scope) => {
    const own = store.scoped(scope);
    const searchPages: typeof own.searchPages = async (...values) => {
      await happens();
      return own.searchPages(...values);
    };
    return new Proxy(own, {
      get: (target, name) => (name === "searchPages" ? searchPages : Reflect.get(target, name)),
    });
  };
  return new Proxy(store, {
    get: (target, name) => {
      const value: unknown = name === "scoped" ? scoped : Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

function once(act: () => Promise<void>): () => Promise<void> {
  let isDone = false;
  return async () => {
    if (isDone) return;
    isDone = true;
    await act();
  };
}

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
  const segments = async () => (await engine.store.scoped(DEFAULT_SCOPE).searchIndex()).segments;

  it("is the same whether it was built at once or merged from pieces (promise: rebuildable)", async () => {
    for (let turn = 0; turn < 20; turn++) {
      await say(`c${turn % 2}`, turn * 5, 5);
      await engine.context.index.build();
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
    await engine.context.index.build();
    expect(await found("xylophone")).toEqual([71]);
    await engine.context.erase({ conversation: "c", from: 71 });
    await engine.store.compactFiles();
    expect(await found("xylophone")).toEqual([]);
    expect(await found("number")).toHaveLength(70);
    await engine.context.index.build();
    const pages = await engine.store.scoped(DEFAULT_SCOPE).searchPages(
      (await segments()).map(({ id }) => id),
      [{ from: new Uint8Array(0), to: Uint8Array.of(255) }],
    );
    expect(pages?.map(({ page }) => Buffer.from(page).toString("latin1")).join("")).not.toContain("xylo");
    expect(pages?.length).toBeGreaterThan(0);
    expect((await checkIntegrity(engine.store)).problems).toEqual([]);
  });

  it("goes on behind what was shown last, whatever came or went meanwhile (promise: complete)", async () => {
    const apples = (key: string, count: number, text: string) =>
      engine.context.commitTurn({
        conversation: "c",
        key,
        messages: Array.from({ length: count }, () => ({ role: "user", content: text })),
      });
    await apples("plain", 30, "an apple among many other words of this sentence");
    const page = (cursor?: string) =>
      engine.context.grep({ pattern: "apple", limit: 10, ...(cursor === undefined ? {} : { cursor }) });
    const first = await page();
    await apples("better", 10, "apple apple");
    const second = await page(first.next ?? "");
    const third = await page(second.next ?? "");
    const shown = [first, second, third].flatMap(({ hits }) => hits.map(({ seq }) => seq));
    expect(shown.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 30 }, (_, i) => i + 1));
    expect(third.next).toBeNull();
    const best = await page();
    expect(best.hits.map(({ seq }) => seq)).toEqual([40, 39, 38, 37, 36, 35, 34, 33, 32, 31]);
    await engine.context.erase({ conversation: "c", from: 31, to: 40 });
    const behind = await page(best.next ?? "");
    expect(behind.hits.map(({ seq }) => seq)).toEqual([30, 29, 28, 27, 26, 25, 24, 23, 22, 21]);
  });

  it("knows the tool of an answer that only has the id of its call", async () => {
    const call = (id: string, name: string) => ({
      role: "assistant",
      content: [{ type: "tool_use", id, name, input: { path: "a" } }],
    });
    const answer = (id: string) => ({
      role: "user",
      content: [{ type: "tool_result", tool_use_id: id, content: "done" }],
    });
    await engine.context.commitTurn({
      conversation: "c",
      key: "1",
      messages: [call("t1", "Bash"), answer("t1"), call("t2", "Read")],
    });
    await engine.context.index.build();
    await engine.context.commitTurn({ conversation: "c", key: "2", messages: [answer("t2")] });
    const answers = async (tool: string) => {
      const { hits, searched } = await engine.context.grep({ pattern: "done", tool });
      return { seqs: hits.map(({ seq }) => seq), searched };
    };
    expect(await answers("Bash")).toEqual({ seqs: [2], searched: 2 });
    expect(await answers("Read")).toEqual({ seqs: [4], searched: 2 });
    expect(await answers("bash")).toEqual({ seqs: [], searched: 0 });
    expect((await checkIntegrity(engine.store)).problems).toEqual([]);
  });

  it("stays whole when several processes index and search the same store at once", async () => {
    const others = await Promise.all([1, 2].map(() => open({ store: place.store, background: "off" })));
    const all = [engine, ...others];
    await Promise.all(
      all.map(async (one, i) => {
        for (let turn = 0; turn < 7; turn++) {
          await say(`c${i}`, turn * 9, 9, one);
          await one.context.index.build().catch((error: { code?: string }) => {
            if (error.code !== "busy") throw error;
          });
          const hits = await one.context.grep({ pattern: `"c${i} says"`, limit: 200 });
          expect(new Set(hits.hits.map(({ id }) => id)).size).toBe((turn + 1) * 9);
          const exact = await one.context.grep({ pattern: `c${i} says`, mode: "exact", limit: 200 });
          expect(exact.hits.map(({ seq }) => seq)).toEqual(
            Array.from({ length: (turn + 1) * 9 }, (_, back) => (turn + 1) * 9 - back),
          );
        }
      }),
    );
    for (const one of all) expect(await found("number", one)).toHaveLength(3 * 7 * 9);
    await Promise.all(others.map((one) => one.close()));
    expect((await checkIntegrity(engine.store)).problems).toEqual([]);
  });

  it.each(["full_text", "exact"] as const)(
    "is read again where segments are merged away meanwhile, by %s",
    async (mode) => {
      for (let turn = 0; turn < 7; turn++) {
        await say("c", turn * 9, 9);
        await engine.context.index.build();
      }
      expect(await segments()).toHaveLength(7);
      const mergeOnce = once(async () => {
        await say("c", 63, 9);
        await engine.context.index.build();
      });
      const reading = await open({ store: beforePages(engine.store, mergeOnce), background: "off" });
      const { hits } = await reading.context.grep({ pattern: "number", mode, sort: "time", limit: 200 });
      expect(await segments()).toHaveLength(1);
      expect(hits.map(({ seq }) => seq).slice(-63)).toEqual(Array.from({ length: 63 }, (_, i) => 63 - i));
    },
  );

  it("is noticed by verify when it is damaged, and repaired by indexing again", async () => {
    await say("c", 0, 80);
    await engine.context.index.build();
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
      const database = new DatabaseSync(path.join(place.store, "palimpsest.db"), { timeout: 5_000 });
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
