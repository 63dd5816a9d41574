/** The items of a window in order, from the seqs of its messages and the summaries between them. */
import {
  type OpeningMessage,
  ORDINAL_GAP,
  type StoredMessage,
  type StoredSummary,
  type WindowItem,
} from "../store.ts";

/** Messages of the user to read at the beginning: hosts put a few of their own first. */
export const MOST_OPENING = 16;
const MOST_OPENING_TOKENS = 64_000;

/** The contents read for a window, by seq and by id. Null: the caller holds it. */
export interface WindowContents {
  isStub(seq: number): boolean;
  message(seq: number): StoredMessage | null | undefined;
  summary(id: string): StoredSummary | null | undefined;
}

/** The ordinal and the id of a summary. */
export type PlacedSummary = readonly [ordinal: number, id: string];

/** A message of the user at the beginning. Engines return truth values as numbers or booleans. */
export type PlacedOpening = readonly [seq: number, isItem: number | boolean, tokens: number];

/** Those whose contents are read at once. */
export function openingWithin(placed: readonly PlacedOpening[]): number[] {
  let tokens = 0;
  return placed.flatMap(([seq, , size], at) => {
    tokens += size;
    return at === 0 || tokens <= MOST_OPENING_TOKENS ? [seq] : [];
  });
}

export function openingMessages(
  placed: readonly PlacedOpening[],
  contents: WindowContents,
): OpeningMessage[] {
  return placed.map(([seq, isItem]) => ({
    seq,
    isItem: Boolean(isItem),
    message: contents.message(seq) ?? null,
  }));
}

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
