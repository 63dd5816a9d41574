import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isSegment, PackedSegment } from "../../../search/index/packed-segment.ts";
import { sizeOf } from "../../../search/index/segment-indexer.ts";
import { termOf, WORD } from "../../../search/terms.ts";
import { decodeLeniently } from "../../../text/utf8.ts";
import { buildSegment } from "./build-segment.ts";
import { chooseMerge, LARGEST_SEGMENT } from "./choose-merge.ts";
import { type MemoryDocument, NO_DOCUMENT } from "./memory-document.ts";
import { mergeSegments } from "./merge-segments.ts";

const word = fc.constantFrom("run", "runs", "running", "cat", "cats", "温度計", "é", "🎉", "a".repeat(90));
const text = fc.array(word, { maxLength: 8 }).map((words) => words.join(" "));
const document: fc.Arbitrary<MemoryDocument> = fc.record({
  abstract: text,
  overview: text,
  content: text,
  tags: fc.array(word, { maxLength: 2 }),
  createdAt: fc.integer({ min: 0, max: 4e12 }),
  isErased: fc.boolean(),
});

describe("a segment of the word index", () => {
  it("is the same bytes whether it was built at once or merged from pieces", () => {
    fc.assert(
      fc.property(
        fc.array(document, { maxLength: 30 }),
        fc.integer({ min: 1, max: 9 }),
        (documents, size) => {
          const pieces = [];
          for (let i = 0; i < documents.length; i += size) pieces.push(documents.slice(i, i + size));
          const merged = mergeSegments(pieces.map(buildSegment));
          expect(merged).toEqual(buildSegment(documents));
        },
      ),
    );
  });

  it("finds every term that it lists, and no other", () => {
    const documents = Array.from({ length: 300 }, (_, i) => ({
      ...NO_DOCUMENT,
      abstract: `w${i * 7} w${i} 水`,
    }));
    const view = new PackedSegment(buildSegment(documents));
    const terms = [...view.everyTerm()];
    expect(terms).toHaveLength(view.terms);
    for (const entry of terms) expect(view.find(entry.term)).toEqual(entry);
    for (const name of ["", "w", "w00", "w2094", "zzz", "氷"])
      expect(view.find(termOf(WORD, name))).toBeUndefined();
    expect(terms.map(({ term }) => decodeLeniently(term))).toContain("\u0001水");
  });

  it("keeps when memories were created, how long they are and how many are erased", () => {
    const facts = [
      { ...NO_DOCUMENT, abstract: "two words", content: "and three more", createdAt: 1_772_000_000_000 },
      { ...NO_DOCUMENT, isErased: true, createdAt: 5 },
      { ...NO_DOCUMENT, tags: ["a tag is no length"] },
    ];
    const view = new PackedSegment(buildSegment(facts));
    expect([...view.lengths]).toEqual([5, 0, 0]);
    expect([...view.times]).toEqual([1_772_000_000_000, 5, 0]);
    expect([view.documents, view.withWords, view.words, view.erased]).toEqual([3, 1, 5, 1]);
  });

  it("is not taken for one when another version has packed it", () => {
    const content = buildSegment([]);
    expect(isSegment(content)).toBe(true);
    expect(isSegment(Uint8Array.of(...content.subarray(0, 3), 99))).toBe(false);
    expect(isSegment(new Uint8Array(0))).toBe(false);
  });
});

describe("which segments are merged", () => {
  it("leaves few of them, each memory packed a few times, whatever comes in", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 16_384 }), { maxLength: 200 }), (sizes) => {
        let runs: { scope: string; first: number; last: number }[] = [];
        let [next, packed] = [1, 0];
        for (const size of sizes) {
          runs.push({ scope: "global", first: next, last: next + size - 1 });
          next += size;
          for (let chosen = chooseMerge(runs); chosen.length > 0; chosen = chooseMerge(runs)) {
            const merged = { scope: "global", first: chosen[0]?.first ?? 0, last: chosen.at(-1)?.last ?? 0 };
            packed += sizeOf(merged);
            expect(sizeOf(merged)).toBeLessThanOrEqual(LARGEST_SEGMENT);
            runs = [...runs.filter((run) => !chosen.includes(run)), merged];
          }
        }
        const total = next - 1;
        expect(runs.reduce((sum, run) => sum + sizeOf(run), 0)).toBe(total);
        expect(packed).toBeLessThanOrEqual(8 * total);
        expect(runs.length).toBeLessThanOrEqual(24 + total / 10_000);
      }),
    );
  });

  it("are never apart: neither of two scopes nor with a gap between them", () => {
    const one = (scope: string, number: number) => ({ scope, first: number, last: number });
    expect(chooseMerge([one("a", 1), one("b", 2), one("a", 3), one("b", 4), one("a", 5)])).toEqual([]);
    const four = [1, 2, 3, 4].map((number) => one("a", number));
    expect(chooseMerge([...four.toReversed(), one("b", 5)])).toEqual(four);
  });
});
