import { describe, expect, it } from "vitest";
import { sha256 } from "../../text/bytes.ts";
import { merkleRoot } from "../seal.ts";
import { sampleSummary } from "../testing/sample.ts";
import { type SourceFacts, summarise } from "./summary-facts.ts";

const message = (seq: number, more: Partial<SourceFacts> = {}): SourceFacts => ({
  position: seq,
  depth: -1,
  firstSeq: seq,
  lastSeq: seq,
  earliestAt: `2026-03-0${seq}T10:00:00.000Z`,
  latestAt: `2026-03-0${seq}T10:00:00.000Z`,
  messageCount: 1,
  sourceTokenCount: 10 * seq,
  descendantCount: 0,
  descendantTokenCount: 0,
  hash: sha256(`m${seq}`),
  ...more,
});

describe("what follows for a summary from its sources", () => {
  it("is a leaf of depth 0 over messages, in any order of their times", () => {
    const given = sampleSummary([2, 3, 4]);
    const late = "2026-03-09T10:00:00.000Z";
    const early = "2026-02-09T10:00:00.000Z";
    const sources = [message(2), message(3, { latestAt: late, earliestAt: early }), message(4)];
    expect(summarise(given, sources)).toEqual({
      ...given,
      kind: "leaf",
      depth: 0,
      firstSeq: 2,
      lastSeq: 4,
      earliestAt: early,
      latestAt: late,
      messageCount: 3,
      sourceTokenCount: 90,
      descendantCount: 0,
      descendantTokenCount: 0,
      merkleRoot: merkleRoot(sources.map(({ hash }) => hash)),
      contentHash: sha256(given.content),
    });
  });

  it("is condensed and one deeper over summaries, and adds up what lies below", () => {
    const deep = (seq: number) =>
      message(seq, {
        depth: 1,
        lastSeq: seq + 4,
        messageCount: 5,
        descendantCount: 3,
        descendantTokenCount: 70,
      });
    expect(summarise(sampleSummary(["a", "b"]), [deep(6), deep(1)])).toMatchObject({
      kind: "condensed",
      depth: 2,
      firstSeq: 1,
      lastSeq: 10,
      messageCount: 10,
      sourceTokenCount: 70,
      descendantCount: 6,
      descendantTokenCount: 140,
    });
    expect(summarise(sampleSummary(["a"]), [message(1, { depth: 0 })])).toMatchObject({
      kind: "condensed",
      depth: 1,
    });
  });

  it.each<[string, SourceFacts[]]>([
    ["no sources", []],
    ["sources of two depths", [message(1), message(2, { depth: 0 })]],
  ])("refuses %s", (_, sources) => {
    expect(() => summarise(sampleSummary([1]), sources)).toThrow(
      expect.objectContaining({
        code: "invalid-input",
        message: "a summary needs sources, all of one depth",
      }),
    );
  });
});
