/**
 * Replaces summaries in the context by their sources, as far down as needed. A summary that must not be shown any more is
 * called broken; a broken summary below a broken one is taken apart as well.
 */
import { messageItem, type NewContextItem, summaryItem } from "./context-item.ts";
import { type Counts, countItems, subtract } from "./counts.ts";

/** A broken summary. `ordinal` and `token_count` are those of its context item, or null if it is not shown. */
export interface BrokenRow {
  readonly type: "broken";
  readonly summary_number: number;
  readonly ordinal: number | null;
  readonly token_count: number | null;
}

/** A source of a broken summary: a summary, or a message that is not excluded from the context. */
export type SourceRow = SummarySourceRow | MessageSourceRow;

interface SummarySourceRow {
  readonly type: "summary";
  /** The broken summary. */
  readonly summary_number: number;
  readonly source: number;
  readonly first_seq: number;
  readonly token_count: number;
}

interface MessageSourceRow {
  readonly type: "message";
  readonly summary_number: number;
  /** Its seq. */
  readonly source: number;
  readonly token_count: number;
  readonly stub_token_count: number | null;
}

export interface ContextChange {
  /** Ordinals of items to be removed. */
  readonly drop: readonly number[];
  readonly add: readonly NewContextItem[];
  readonly counts: Counts;
}

export function takeApart(rows: readonly (BrokenRow | SourceRow)[]): ContextChange {
  const broken = rows.filter((row) => row.type === "broken");
  const shown = broken.filter((row) => row.ordinal !== null);
  const isBroken = new Set(broken.map((row) => row.summary_number));
  const sources = Map.groupBy(
    rows.filter((row) => row.type !== "broken"),
    (row) => row.summary_number,
  );
  const uncover = (summary: number): NewContextItem[] =>
    (sources.get(summary) ?? []).flatMap((row) =>
      row.type === "summary" && isBroken.has(row.source) ? uncover(row.source) : [itemOf(row)],
    );
  const add = oneForEachPlace(shown.flatMap((row) => uncover(row.summary_number)));
  const gone = shown.map((row) => ({ tokenCount: row.token_count ?? 0, stubTokenCount: null }));
  return {
    drop: shown.flatMap(({ ordinal }) => ordinal ?? []),
    add,
    counts: subtract(countItems(add), countItems(gone)),
  };
}

function itemOf(row: SourceRow): NewContextItem {
  if (row.type === "summary") return summaryItem(row.first_seq, row.source, row.token_count);
  const { source: seq, token_count: tokenCount, stub_token_count: stubTokenCount } = row;
  return messageItem({ seq, tokenCount, stubTokenCount });
}

/** Of several items that begin at one message the oldest summary is shown, and a message only if there is no summary. */
function oneForEachPlace(items: readonly NewContextItem[]): NewContextItem[] {
  const chosen = new Map<number, NewContextItem>();
  for (const item of items) {
    const known = chosen.get(item.ordinal);
    if (known === undefined || rank(item) < rank(known)) chosen.set(item.ordinal, item);
  }
  return [...chosen.values()];
}

function rank({ summaryNumber }: NewContextItem): number {
  return summaryNumber ?? Number.POSITIVE_INFINITY;
}
