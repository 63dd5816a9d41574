import { describe, expect, it } from "vitest";
import type { TranscriptProgress } from "../store.ts";
import { sampleTranscript } from "../testing/sample.ts";
import { basisOf, requireBasis } from "./transcript-basis.ts";

const second = sampleTranscript({ number: 2, lineCount: 7, offset: 70, size: 75 });
const versions = [sampleTranscript({ number: 1 }), second, sampleTranscript({ number: 3 })];
const progress: TranscriptProgress = {
  number: 2,
  lineCount: 7,
  offset: 70,
  size: 75,
  readHash: second.readHash,
  readerVersion: second.readerVersion,
};

describe("the basis of a transcript's write", () => {
  it("is the highest number, and how far the version was read that goes on", () => {
    expect(basisOf(versions, 2)).toEqual({ newest: 3, base: progress });
    expect(basisOf(versions.toReversed(), 2)).toEqual({ newest: 3, base: progress });
    expect(basisOf(versions, null)).toEqual({ newest: 3, base: null });
    expect(basisOf(versions, 4)).toEqual({ newest: 3, base: null });
    expect(basisOf([], null)).toEqual({ newest: 0, base: null });
  });

  it("lets a write pass while it is what it was", () => {
    expect(() => requireBasis(basisOf(versions, 2), basisOf(versions, 2), "conv_a")).not.toThrow();
  });

  it.each<[string, Partial<TranscriptProgress>]>([
    ["number", { number: 3 }],
    ["lines", { lineCount: 8 }],
    ["offset", { offset: 71 }],
    ["size", { size: 76 }],
    ["last line", { readHash: "cd".repeat(32) }],
    ["reader", { readerVersion: 2 }],
  ])("refuses a write when another process changed the %s", (_, change) => {
    const planned = { newest: 3, base: progress };
    const found = { newest: 3, base: { ...progress, ...change } };
    expect(() => requireBasis(planned, found, "conv_a")).toThrow(
      "another process imported more of a transcript of conv_a meanwhile",
    );
    expect(() => requireBasis(planned, { ...planned, newest: 4 }, "conv_a")).toThrow(
      expect.objectContaining({ code: "busy", advice: expect.stringContaining("Try again") }),
    );
  });
});
