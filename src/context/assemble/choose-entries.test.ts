import { describe, expect, it } from "vitest";
import { estimateTokens } from "../../text/estimate-tokens.ts";
import { chooseEntries, type ReadEntries } from "./choose-entries.ts";
import { Meter } from "./measure.ts";
import { sampleEntry, sampleSummaryEntry } from "./testing/sample-entries.ts";

const choose = (
  read: Partial<ReadEntries>,
  budget: number,
  scores: ReadonlyMap<string, number> | null = null,
) => {
  const whole = { pinned: [], candidates: [], summaries: [], before: 0, ...read };
  const { entries } = chooseEntries(whole, { budget, format: "original", scores }, new Meter(estimateTokens));
  return entries.map(({ id }) => id);
};

describe("when not everything fits", () => {
  it("shows the newest of the summaries before the window", () => {
    const summaries = [1, 11, 21, 31].map((seq) => sampleSummaryEntry(seq, 100));
    const candidates = [41, 42, 43].map((seq) => sampleEntry(seq, 250));
    const shown = choose({ summaries, candidates, before: 5_000 }, 1_100);
    expect(shown.filter((id) => id.startsWith("s"))).toEqual(["s21", "s31"]);
  });
});
