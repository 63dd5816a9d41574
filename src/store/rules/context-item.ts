import { ORDINAL_GAP } from "../store.ts";

/** A row of the context on its way in: a message by its seq, or a summary by its number. */
export interface NewContextItem {
  readonly ordinal: number;
  readonly seq: number | null;
  readonly summaryNumber: number | null;
  readonly tokenCount: number;
  /** Null when it has no results that are shown as stubs. */
  readonly stubTokenCount: number | null;
}

/** The place of a message that nobody has moved. */
export function messageItem(message: {
  readonly seq: number;
  readonly tokenCount: number;
  readonly stubTokenCount: number | null;
}): NewContextItem {
  const { seq, tokenCount, stubTokenCount } = message;
  return { ordinal: seq * ORDINAL_GAP, seq, summaryNumber: null, tokenCount, stubTokenCount };
}

/** The place of a summary: where the first message it covers was. */
export function summaryItem(firstSeq: number, summaryNumber: number, tokenCount: number): NewContextItem {
  return { ordinal: firstSeq * ORDINAL_GAP, seq: null, summaryNumber, tokenCount, stubTokenCount: null };
}
