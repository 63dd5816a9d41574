import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cutEntry } from "./cut-entry.ts";
import { fitEntries, sumOf } from "./fit-entries.ts";
import { sampleEntry, sampleSummaryEntry } from "./testing/sample-entries.ts";

const sizes = (tokens: readonly number[], room: number) =>
  fitEntries(
    tokens.map((size, index) => sampleEntry(index + 1, size)),
    room,
  ).map((entry) => entry.tokens);

describe("cutting what must be shown", () => {
  it("cuts only the longest, to one length at which all fit", () => {
    expect(sizes([100, 1_000, 200, 3_000], 1_300)).toEqual([100, 500, 200, 500]);
    expect(sizes([100, 1_000, 200, 3_000], 1_301)).toEqual([100, 500, 200, 500]);
    expect(sizes([1_000, 1_000, 1_000], 900)).toEqual([300, 300, 300]);
    // The last token goes to the longer one.
    expect(sizes([100, 300], 201)).toEqual([100, 101]);
  });

  it("cuts what is already cut from its full text, so that its length alone tells what was shown", () => {
    for (const entry of [sampleEntry(1, 1_000), sampleSummaryEntry(1, 1_000)]) {
      const [twice] = fitEntries([cutEntry(entry, 500)], 200);
      expect(twice?.original).toEqual(cutEntry(entry, 200).original);
    }
  });

  it("leaves everything whole that fits, also exactly", () => {
    expect(sizes([100, 200], 300)).toEqual([100, 200]);
    expect(sizes([100, 200], 5_000)).toEqual([100, 200]);
    expect(sizes([], 10)).toEqual([]);
    expect(sizes([100, 200], 299)).toEqual([100, 199]);
  });

  it("does not touch what is exactly as long as that", () => {
    const entry = sampleEntry(1, 500);
    expect(fitEntries([entry, sampleEntry(2, 1_000)], 1_000)[0]).toBe(entry);
  });

  it("does not cut to less than says anything", () => {
    expect(sizes([500, 500], 20)).toEqual([60, 60]);
    expect(sizes([500, 50], 20)).toEqual([60, 50]);
  });

  it("keeps system messages whole and cuts the others beside them", () => {
    const system = sampleEntry(1, 700, { role: "system" });
    const cut = fitEntries([system, sampleEntry(2, 900), sampleSummaryEntry(3, 900)], 1_000);
    expect(cut.map(({ tokens, cutTo }) => [tokens, cutTo])).toEqual([
      [700, null],
      [150, 150],
      [150, 150],
    ]);
    expect(cut[0]).toBe(system);
  });

  it("cuts system messages that alone are too long, so that the others come first", () => {
    const system = (seq: number) => sampleEntry(seq, 3_000, { role: "system" });
    const tokens = (...entries: Parameters<typeof fitEntries>[0]) =>
      fitEntries(entries, 1_000).map((entry) => entry.tokens);
    expect(tokens(system(1), sampleEntry(2, 900))).toEqual([100, 900]);
    expect(tokens(system(1), sampleEntry(2, 980))).toEqual([60, 940]);
    expect(tokens(system(1), system(2), sampleEntry(3, 900))).toEqual([60, 60, 880]);
  });

  it("says in what it cut how much is left out and where it is", () => {
    const [message, summary] = fitEntries([sampleEntry(1, 900), sampleSummaryEntry(2, 900)], 300);
    for (const entry of [message, summary]) {
      expect(JSON.stringify(entry?.original)).toContain(`characters left out; full text: ${entry?.id}`);
      expect(JSON.stringify(entry?.wire)).toContain(`characters left out; full text: ${entry?.id}`);
      expect(JSON.stringify(entry?.original).length).toBeLessThan(900);
    }
  });

  it("fits whenever the smallest size lets it", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 2_000 }), { minLength: 1, maxLength: 10 }),
        fc.integer({ min: 600, max: 5_000 }),
        (tokens, room) => {
          const cut = sizes(tokens, room);
          expect(cut.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(
            Math.max(room, 60 * cut.length),
          );
          expect(cut.every((size, index) => size <= (tokens[index] ?? 0))).toBe(true);
        },
      ),
    );
  });

  it("sums tokens", () => {
    expect(sumOf([])).toBe(0);
    expect(sumOf([{ tokens: 3 }, { tokens: 4 }])).toBe(7);
  });
});
