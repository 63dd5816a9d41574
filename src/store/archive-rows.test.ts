import { describe, expect, it } from "vitest";
import { PalimpsestError } from "../errors.ts";
import { sha256 } from "../text/bytes.ts";
import { decodeRow, encodeRow } from "./archive-rows.ts";
import { summarise } from "./rules/summary-facts.ts";
import type { DumpRow } from "./store.ts";
import { AT, conversationIdFor, sampleSummary, sampleTranscriptWrite } from "./testing/sample.ts";

const source = {
  position: 1,
  depth: -1,
  firstSeq: 1,
  lastSeq: 1,
  earliestAt: AT,
  latestAt: AT,
  messageCount: 1,
  sourceTokenCount: 3,
  descendantCount: 0,
  descendantTokenCount: 0,
  hash: sha256("message"),
};
const decode = (text: string) =>
  decodeRow(JSON.parse(text), (problem) => new PalimpsestError("store-corrupt", problem));

describe("a summary in an archive", () => {
  const row: DumpRow = {
    row: "summary",
    conversation: conversationIdFor("archived"),
    ...summarise(sampleSummary([1]), [source]),
  };

  it("keeps its hash, also where that is wrong or missing", () => {
    for (const contentHash of [row.contentHash, sha256("another text"), null])
      expect(decode(encodeRow({ ...row, contentHash }))).toEqual({ ...row, contentHash });
  });

  it("gets its hash where an older version wrote it", () => {
    const { contentHash, ...older } = row;
    expect(decode(JSON.stringify(older))).toEqual({ ...row, contentHash: sha256(row.content ?? "") });
    expect(decode(JSON.stringify({ ...older, content: null }))).toMatchObject({ contentHash: null });
  });
});

describe("a transcript in an archive", () => {
  const conversation = conversationIdFor("archived");
  const { state } = sampleTranscriptWrite({}, []);
  const row: DumpRow = { row: "transcript", conversation, updatedAt: AT, ...state };

  it("keeps the hash of what was read", () => {
    expect(decode(encodeRow(row))).toEqual(row);
  });

  it("comes without one where an older version wrote the hash of its last line", () => {
    const { readHash, ...older } = row;
    expect(decode(JSON.stringify({ ...older, lastLineHash: readHash }))).toEqual({ ...row, readHash: null });
  });
});
