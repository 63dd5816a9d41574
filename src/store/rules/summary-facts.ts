/** Computes the fields of a summary from its sources: depth, range, counts, and the hashes over sources and text. */
import { PalimpsestError } from "../../errors.ts";
import { hashSummaryText, merkleRoot } from "../seal.ts";
import type { NewSummary, StoredSummary } from "../store.ts";

/** What one source contributes. A message counts as depth -1. */
export interface SourceFacts {
  /** Its position: a message's seq, or the engine's number of a summary. */
  readonly position: number;
  readonly depth: number;
  readonly firstSeq: number;
  readonly lastSeq: number;
  readonly earliestAt: string;
  readonly latestAt: string;
  readonly messageCount: number;
  readonly sourceTokenCount: number;
  readonly descendantCount: number;
  readonly descendantTokenCount: number;
  /** The message's hash, or the summary's root. */
  readonly hash: string;
}

export function summarise(
  summary: NewSummary,
  sources: readonly SourceFacts[],
): Omit<StoredSummary, "conversation"> {
  const depths = new Set(sources.map((source) => source.depth));
  const [depth] = depths;
  if (depth === undefined || depths.size > 1)
    throw new PalimpsestError("invalid-input", "a summary needs sources, all of one depth");
  const sum = (count: (source: SourceFacts) => number) =>
    sources.reduce((total, source) => total + count(source), 0);
  return {
    ...summary,
    kind: depth === -1 ? "leaf" : "condensed",
    depth: depth + 1,
    firstSeq: Math.min(...sources.map((source) => source.firstSeq)),
    lastSeq: Math.max(...sources.map((source) => source.lastSeq)),
    earliestAt: sources.map((source) => source.earliestAt).toSorted()[0] ?? summary.createdAt,
    latestAt:
      sources
        .map((source) => source.latestAt)
        .toSorted()
        .at(-1) ?? summary.createdAt,
    messageCount: sum((source) => source.messageCount),
    sourceTokenCount: sum((source) => source.sourceTokenCount),
    descendantCount: sum((source) => source.descendantCount),
    descendantTokenCount: sum((source) => source.descendantTokenCount),
    merkleRoot: merkleRoot(sources.map((source) => source.hash)),
    contentHash: hashSummaryText(summary.content),
  };
}
