import { ORDINAL_GAP } from "../store.ts";

/** A row of the context to be inserted: a message by its seq, or a summary by its number. */
export interface NewContextItem {
  readonly ordinal: number;
  readonly seq: number | null;
  readonly summaryNumber: number | null;
  readonly tokenCount: number;
  /** Null if it has no tool results that can be shown as stubs. */
  readonly stubTokenCount: number | null;
}

/** The default position of a message. */
export function messageItem(message: {
  readonly seq: number;
  readonly tokenCount: number;
  readonly stubTokenCount: number | null;
}): NewContextItem {
  const { seq, tokenCount, stubTokenCount } = message;
  return { ordinal: seq * ORDINAL_GAP, seq, summaryNumber: null, tokenCount, stubTokenCount };
}

/** The position of a summary: that of the first message it covers. */
export function summaryItem(firstSeq: number, summaryNumber: number, tokenCount: number): NewContextItem {
  return { ordinal: firstSeq * ORDINAL_GAP, seq: null, summaryNumber, tokenCount, stubTokenCount: null };
}
