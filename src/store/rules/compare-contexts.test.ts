import { describe, expect, it } from "vitest";
import type { ExclusionReason } from "../../types.ts";
import type { StoredMessage, StoredSummary } from "../store.ts";
import { sampleMessage, sampleSummary } from "../testing/sample.ts";
import { ContextComparison, type ContextOnRecord } from "./compare-contexts.ts";

const EARLIER = "2026-03-01T09:00:00.000Z";
const NOW = "2026-03-01T10:00:00.000Z";
const LATER = "2026-03-01T11:00:00.000Z";

const stored: ContextOnRecord = {
  messageCount: 3,
  updatedAt: NOW,
  erased: new Set([2]),
  exclusions: new Map<number, ExclusionReason>([[3, "branch"]]),
  summaries: new Map([
    ["whole", { isErased: false }],
    ["gone", { isErased: true }],
  ]),
};

function message(seq: number, excluded: ExclusionReason | null, isErased = false): StoredMessage {
  const sample = sampleMessage(`m${seq}`);
  return { ...sample, seq, excluded, erasedAt: isErased ? NOW : null, digest: "", hash: "" };
}

function summary(id: string, isErased = false): StoredSummary {
  const { content, ...rest } = sampleSummary([1]);
  return {
    ...rest,
    id,
    content: isErased ? null : content,
    conversation: "conv_a",
    kind: "leaf",
    depth: 0,
    firstSeq: 1,
    lastSeq: 1,
    earliestAt: NOW,
    latestAt: NOW,
    messageCount: 1,
    sourceTokenCount: 3,
    descendantCount: 0,
    descendantTokenCount: 0,
    merkleRoot: "",
    contentHash: null,
  };
}

const MESSAGES = [message(1, null), message(2, null, true), message(3, "branch")];
const SUMMARIES = [summary("whole"), summary("gone", true)];

interface Incoming {
  readonly messageCount?: number;
  readonly updatedAt?: string;
  readonly messages?: readonly StoredMessage[];
  readonly summaries?: readonly StoredSummary[];
}

function compare({
  messageCount = 3,
  updatedAt = EARLIER,
  messages = MESSAGES,
  summaries = SUMMARIES,
}: Incoming) {
  const comparison = new ContextComparison(stored, { messageCount, updatedAt });
  for (const one of messages) comparison.message(one);
  for (const one of summaries) comparison.summary(one);
  return comparison;
}

const otherExclusion = [message(1, "reset"), ...MESSAGES.slice(1)];
const backInContext = [...MESSAGES.slice(0, 2), message(3, null)];
const otherReason = [...MESSAGES.slice(0, 2), message(3, "reset")];
const newlyErased = [message(1, null, true), ...MESSAGES.slice(1)];
const notErased = [message(1, null), message(2, null), message(3, "branch")];

describe("an incoming context replaces the one on record", () => {
  it.each<[string, Incoming]>([
    ["when it is later", { updatedAt: LATER }],
    ["when it is as late", { updatedAt: NOW }],
    ["when it is later and has other exclusions", { updatedAt: LATER, messages: otherExclusion }],
    ["when it has more messages, though it is earlier", { messageCount: 4 }],
    ["when it has more summaries, though it is earlier", { summaries: [...SUMMARIES, summary("new")] }],
  ])("%s", (_, incoming) => {
    expect(compare(incoming).replacesStored).toBe(true);
  });
});

describe("an incoming context does not replace the one on record", () => {
  it.each<[string, Incoming]>([
    ["when it is earlier and brings nothing", {}],
    ["when it has fewer messages, though it is later", { updatedAt: LATER, messageCount: 2 }],
    ["when it lacks a summary, though it is later", { updatedAt: LATER, summaries: [summary("whole")] }],
    [
      "when it lacks a summary and brings another",
      { updatedAt: LATER, summaries: [summary("whole"), summary("new")] },
    ],
    ["when it erased more", { updatedAt: LATER, messages: newlyErased }],
    ["when it erased less", { updatedAt: LATER, messages: notErased }],
    [
      "when a summary is erased there",
      { updatedAt: LATER, summaries: [summary("whole", true), summary("gone", true)] },
    ],
    ["when a summary is erased here", { updatedAt: LATER, summaries: [summary("whole"), summary("gone")] }],
    ["when it brings more, is earlier, and excludes more", { messageCount: 4, messages: otherExclusion }],
    ["when it brings more, is earlier, and excludes less", { messageCount: 4, messages: backInContext }],
    [
      "when it brings more, is earlier, and excludes for another reason",
      { messageCount: 4, messages: otherReason },
    ],
  ])("%s", (_, incoming) => {
    expect(compare(incoming).replacesStored).toBe(false);
  });
});

describe("a comparison", () => {
  it("says why incoming messages are not in their context", () => {
    expect([...compare({}).exclusions]).toEqual([[3, "branch"]]);
  });

  it("says which is later by the time and not by its spelling", () => {
    expect(compare({ updatedAt: LATER }).isLater).toBe(true);
    expect(compare({ updatedAt: EARLIER }).isLater).toBe(false);
    expect(compare({ updatedAt: "2026-03-01T11:00:00.000+02:00" }).isLater).toBe(false);
  });
});
