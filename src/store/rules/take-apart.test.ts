import { describe, expect, it } from "vitest";
import { type BrokenRow, type SourceRow, takeApart } from "./take-apart.ts";

const broken = (
  summary_number: number,
  ordinal: number | null,
  token_count: number | null = null,
): BrokenRow => ({
  ...{ type: "broken", summary_number, ordinal, token_count },
});
const summary = (of: number, source: number, first_seq: number, token_count: number): SourceRow => ({
  ...{ type: "summary", summary_number: of, source, first_seq, token_count },
});
const message = (of: number, seq: number, token_count: number, stub: number | null = null): SourceRow => ({
  ...{ type: "message", summary_number: of, source: seq, token_count, stub_token_count: stub },
});

describe("taking summaries apart", () => {
  it("changes nothing when no broken summary is shown", () => {
    expect(takeApart([])).toEqual({ drop: [], add: [], counts: { items: 0, tokens: 0, stubTokens: 0 } });
    const change = takeApart([broken(1, null), message(1, 1, 10)]);
    expect(change).toEqual({ drop: [], add: [], counts: { items: 0, tokens: 0, stubTokens: 0 } });
  });

  it("puts the messages of a leaf in its place, and counts what was gained", () => {
    const change = takeApart([broken(1, 3 * 1024, 50), message(1, 3, 100, 7), message(1, 4, 20)]);
    expect(change.drop).toEqual([3 * 1024]);
    expect(change.add).toEqual([
      { ordinal: 3 * 1024, seq: 3, summaryNumber: null, tokenCount: 100, stubTokenCount: 7 },
      { ordinal: 4 * 1024, seq: 4, summaryNumber: null, tokenCount: 20, stubTokenCount: null },
    ]);
    expect(change.counts).toEqual({ items: 1, tokens: 70, stubTokens: -23 });
  });

  it("goes down only where a source is broken itself", () => {
    const change = takeApart([
      broken(9, 1024, 30),
      summary(9, 7, 1, 11),
      summary(9, 8, 5, 12),
      broken(8, null),
      message(8, 5, 40),
      message(8, 6, 41),
    ]);
    expect(change.add.map(({ ordinal, seq, summaryNumber }) => [ordinal / 1024, seq, summaryNumber])).toEqual(
      [
        [1, null, 7],
        [5, 5, null],
        [6, 6, null],
      ],
    );
    expect(change.counts).toEqual({ items: 2, tokens: 62, stubTokens: 62 });
  });

  it("does not take a message for the broken summary of the same number", () => {
    const change = takeApart([broken(1, 2 * 1024, 5), broken(2, null), message(1, 2, 9), message(2, 7, 1)]);
    expect(change.add.map(({ seq }) => seq)).toEqual([2]);
  });

  it("takes a broken summary apart although all of its messages are excluded", () => {
    const change = takeApart([broken(2, 1024, 5), summary(2, 1, 1, 9), broken(1, null)]);
    expect(change).toEqual({ drop: [1024], add: [], counts: { items: -1, tokens: -5, stubTokens: -5 } });
  });

  it("shows the oldest summary, and no message, where several begin", () => {
    const rows = [message(4, 1, 1), summary(4, 3, 1, 30), summary(4, 2, 1, 20)];
    for (const order of [rows, rows.toReversed()]) {
      const change = takeApart([broken(4, 1024, 1), ...order]);
      expect(change.add.map(({ summaryNumber }) => summaryNumber)).toEqual([2]);
    }
  });
});
