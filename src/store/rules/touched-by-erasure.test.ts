import { describe, expect, it } from "vitest";
import { type MessageRun, touchedByErasure } from "./touched-by-erasure.ts";

const touches = (firstSeq: number | null, lastSeq: number | null, seqs: readonly number[] | null) =>
  touchedByErasure([{ firstSeq, lastSeq }], seqs).length === 1;

describe("a run of messages is touched by an erasure", () => {
  it("from its first message to its last, both included", () => {
    expect(touches(4, 6, [3])).toBe(false);
    expect(touches(4, 6, [4])).toBe(true);
    expect(touches(4, 6, [5])).toBe(true);
    expect(touches(4, 6, [6])).toBe(true);
    expect(touches(4, 6, [7])).toBe(false);
  });

  it("whatever the order of the erased messages, and between two of them not", () => {
    expect(touches(4, 6, [20, 5, 1])).toBe(true);
    expect(touches(4, 6, [20, 10, 3, 7])).toBe(false);
    expect(touches(11, 19, [100, 20, 3, 10])).toBe(false);
    expect(touches(100, 100, [100, 20, 3])).toBe(true);
  });

  it("always where its messages are not known, and from the first on where its end is not", () => {
    expect(touches(null, null, [7])).toBe(true);
    expect(touches(4, null, [3, 900])).toBe(true);
    expect(touches(4, null, [3])).toBe(false);
    expect(touches(null, 6, [7])).toBe(false);
  });

  it("of the whole conversation, and not by one of nothing", () => {
    expect(touches(4, 6, null)).toBe(true);
    expect(touches(null, null, [])).toBe(false);
  });

  it("in the order of the runs", () => {
    const runs: MessageRun[] = [
      { firstSeq: 9, lastSeq: 9 },
      { firstSeq: 1, lastSeq: 2 },
      { firstSeq: 3, lastSeq: 3 },
    ];
    expect(touchedByErasure(runs, [2, 9])).toEqual([runs[0], runs[1]]);
  });
});
