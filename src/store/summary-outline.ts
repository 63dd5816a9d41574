/** What both engines make of the rows that they read for a lineage. */
import type { AboveSummary, SummaryLevel } from "./lineage.ts";
import { type SummaryColumns, summaryFacts } from "./summary-row.ts";

export type OutlineColumns = SummaryColumns & {
  /** 1 or 0. */
  is_erased: number;
  in_context: number;
  /** JSON list of ids; null for a leaf. */
  source_ids: string | null;
};

export function aboveFromRow(row: OutlineColumns): AboveSummary {
  const sourceIds = JSON.parse(row.source_ids ?? "[]") as string[];
  const summary = { ...summaryFacts(row), sourceIds, isErased: row.is_erased === 1 };
  return { summary, inContext: row.in_context === 1 };
}

/** Condensed summaries of one depth, with all that lies below them. */
export type LevelColumns = {
  depth: number;
  summaries: number;
  tokens: number;
  descendants: number;
  descendant_tokens: number;
};

/** From the summary itself down. Leaves are not read: those of depth 1 know how many lie below them. */
export function levelsBelow(rows: readonly LevelColumns[]): SummaryLevel[] {
  const below = rows.slice(1).map(({ depth, summaries, tokens }) => ({ depth, summaries, tokens }));
  const lowest = rows.at(-1);
  if (lowest === undefined) return below;
  const leaves = { depth: 0, summaries: lowest.descendants, tokens: lowest.descendant_tokens };
  return [...below, leaves];
}
