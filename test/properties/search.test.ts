import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { GrepInput, GrepResult } from "../../src/context/retrieve/grep-messages.ts";
import { type Engine, open } from "../../src/index.ts";
import { wordsOf } from "../../src/text/language/words.ts";
import { times } from "../run-length.ts";
import { ENGINES, type Place, temporaryPlace } from "../temporary-store.ts";
import { type LinearDocument, readDocuments, searchLinearly } from "./linear-search.ts";
import { message, pattern, question } from "./search-material.ts";

const RUNS = times({ short: 30, long: 600 });

describe.each(ENGINES)("searching on %s", (name) => {
  let place: Place;
  let engine: Engine;
  let documents: LinearDocument[];
  let one: string;

  /** Written and indexed in pieces, compacted in between, something erased: an index with a past. */
  beforeAll(async () => {
    place = await temporaryPlace(name);
    let now = Date.parse("2026-03-01T10:00:00.000Z");
    const clock = () => (now += 100);
    engine = await open({
      store: place.store,
      background: "off",
      clock,
      config: { leafChunkTokens: 300, freshTailCount: 4 },
    });
    const sayings = fc.sample(fc.array(message, { minLength: 1, maxLength: 30 }), { numRuns: 50, seed: 11 });
    for (const [turn, messages] of sayings.entries()) {
      const conversation = `s${turn % 3}`;
      await engine.context.commitTurn({ conversation, key: `t${turn}`, messages });
      if (turn % 4 === 1) await engine.context.index.build();
      if (turn % 9 === 5) await engine.context.compact({ conversation, budget: 2_000, untilUnder: 800 });
      if (turn % 11 === 7)
        await engine.context.erase({ conversation, from: (turn % 5) + 1, to: (turn % 5) + 1 });
    }
    documents = await readDocuments(engine);
    one = (await engine.context.conversations.get("s1")).id;
  });
  afterAll(async () => {
    await engine.close();
    await place.dispose();
  });

  /** All pages of an answer. */
  async function allHits(input: GrepInput, limit: number): Promise<GrepResult["hits"][number][]> {
    const hits: GrepResult["hits"][number][] = [];
    for (let cursor: string | undefined; ; ) {
      const page = await engine.context.grep({
        ...input,
        limit,
        ...(cursor === undefined ? {} : { cursor }),
      });
      hits.push(...page.hits);
      if (page.total !== null) expect(page.total).toBeGreaterThanOrEqual(hits.length);
      if (page.next === null) return hits;
      expect(page.hits).toHaveLength(limit);
      cursor = page.next;
    }
  }

  async function expectEqual(
    { inOne, ...query }: GrepInput & { readonly inOne?: boolean },
    limit: number,
  ): Promise<void> {
    if (query.mode === undefined && wordsOf(query.pattern).length === 0) {
      await expect(engine.context.grep(query)).rejects.toMatchObject({ code: "invalid-input" });
      return;
    }
    const scope = inOne === true ? { conversation: one } : {};
    const hits = await allHits({ ...query, ...(inOne === true ? { conversations: [one] } : {}) }, limit);
    const expected = searchLinearly(documents, { ...query, ...scope });
    expect(hits.map(({ id }) => id)).toEqual(expected);
    for (const { snippet } of hits)
      for (const mark of snippet.marks) expect(mark.end).toBeLessThanOrEqual(snippet.text.length);
  }

  it("finds by words what reading everything finds, in the same order (promise: complete)", async () => {
    await fc.assert(fc.asyncProperty(question, fc.integer({ min: 1, max: 200 }), expectEqual), {
      numRuns: RUNS,
      examples: [[{ pattern: "👩‍👩‍👧 run run the" }, 1]],
    });
  });

  it("finds by pattern what reading everything finds, in the same order", async () => {
    await fc.assert(fc.asyncProperty(pattern, fc.integer({ min: 5, max: 200 }), expectEqual), {
      numRuns: RUNS,
    });
  });
});
