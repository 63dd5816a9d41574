/** The items of a window in order, from the seqs of its messages and the summaries between them. */
import { ORDINAL_GAP, type StoredMessage, type StoredSummary, type WindowItem } from "../store.ts";

/** The contents read for a window, by seq and by id. Null: the caller holds it. */
export interface WindowContents {
  isStub(seq: number): boolean;
  message(seq: number): StoredMessage | null | undefined;
  summary(id: string): StoredSummary | null | undefined;
}

/** The ordinal and the id of a summary. */
export type PlacedSummary = readonly [ordinal: number, id: string];

/** Both lists are in order. Items without content are left out. */
export function windowItems(
  seqs: Iterable<number>,
  summaries: readonly PlacedSummary[],
  contents: WindowContents,
): WindowItem[] {
  const items: WindowItem[] = [];
  let next = 0;
  const summariesUpTo = (ordinal: number) => {
    for (
      let placed = summaries[next];
      placed !== undefined && placed[0] < ordinal;
      placed = summaries[++next]
    )
      items.push(...summaryItem(placed[0], placed[1], contents));
  };
  for (const seq of seqs) {
    const ordinal = seq * ORDINAL_GAP;
    if (next < summaries.length) summariesUpTo(ordinal);
    items.push(...messageItem(seq, contents));
  }
  summariesUpTo(Number.POSITIVE_INFINITY);
  return items;
}

export function messageItem(seq: number, contents: WindowContents) {
  const message = contents.message(seq);
  return message === undefined
    ? []
    : [{ ordinal: seq * ORDINAL_GAP, type: "message" as const, seq, isStub: contents.isStub(seq), message }];
}

export function summaryItem(ordinal: number, id: string, contents: WindowContents) {
  const summary = contents.summary(id);
  return summary === undefined ? [] : [{ ordinal, type: "summary" as const, id, summary }];
}
