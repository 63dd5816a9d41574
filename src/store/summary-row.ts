/** A row of `summaries` as both engines have it, read into what the store gives. */
import type { SummaryQuality } from "../types.ts";
import type { StoredSummary } from "./store.ts";

export type SummaryColumns = {
  uid: string;
  summary_number: number;
  summary_id: string;
  kind: "leaf" | "condensed";
  depth: number;
  token_count: number;
  quality: SummaryQuality;
  model: string | null;
  first_seq: number;
  last_seq: number;
  earliest_at: string;
  latest_at: string;
  message_count: number;
  source_token_count: number;
  descendant_count: number;
  descendant_token_count: number;
  /** JSON. */
  file_ids: string;
  fidelity: number | null;
  created_at: string;
};

/** What each engine keeps in its own way. */
type Rest = "content" | "contentHash" | "merkleRoot" | "sources";

/** All but its text, what it was made from, and the hashes over both. */
export function summaryFacts(row: SummaryColumns): Omit<StoredSummary, Rest> {
  return {
    id: row.summary_id,
    conversation: row.uid,
    kind: row.kind,
    depth: row.depth,
    tokenCount: row.token_count,
    quality: row.quality,
    model: row.model,
    firstSeq: row.first_seq,
    lastSeq: row.last_seq,
    earliestAt: row.earliest_at,
    latestAt: row.latest_at,
    messageCount: row.message_count,
    sourceTokenCount: row.source_token_count,
    descendantCount: row.descendant_count,
    descendantTokenCount: row.descendant_token_count,
    fileIds: JSON.parse(row.file_ids) as string[],
    fidelity: row.fidelity,
    createdAt: row.created_at,
  };
}

export function summaryFromRow(row: SummaryColumns, rest: Pick<StoredSummary, Rest>): StoredSummary {
  return { ...summaryFacts(row), ...rest };
}
