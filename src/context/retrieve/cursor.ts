/**
 * The position at which a search continues: a place in the order by time, or a rank. It contains a digest of the
 * query, because a position in one search means nothing in another. Opaque to callers.
 */
import { PalimpsestError } from "../../errors.ts";
import type { DocumentKind } from "../../store/search-store.ts";
import type { Position } from "./candidates.ts";

interface TimeCursor {
  /** The last hit shown. */
  readonly after: Position;
}

export interface RankCursor extends TimeCursor {
  /** The number of hits shown, and the score of the last. */
  readonly rank: number;
  readonly score: number;
}

export type Cursor = TimeCursor | RankCursor;

export function writeCursor(cursor: Cursor, digest: string): string {
  const { time, ref } = cursor.after;
  const rank = "rank" in cursor ? [cursor.rank, cursor.score] : [];
  return packCursor([digest, time, ref.conversation, ref.kind, ref.number, ...rank]);
}

/** Encodes values as an opaque text. */
export function packCursor(values: readonly unknown[]): string {
  return Buffer.from(JSON.stringify(values)).toString("base64url");
}

export function readCursor(text: string, order: "time" | "relevance", digest: string): Cursor {
  const values = unpackCursor(text);
  const [askedFor, time, conversation, kind, number, rank, score] = values;
  const isPosition =
    askedFor === digest &&
    typeof time === "number" &&
    typeof conversation === "string" &&
    isKind(kind) &&
    isCount(number);
  if (isPosition) {
    const after: Position = { time, ref: { conversation, kind, number } };
    if (order === "time" && values.length === 5) return { after };
    if (order === "relevance" && isCount(rank) && typeof score === "number") return { after, rank, score };
  }
  throw cursorOfAnother();
}

export function cursorOfAnother(): PalimpsestError {
  return new PalimpsestError("invalid-input", "invalid cursor: it does not belong to this search", {
    advice: "Pass `next` from the previous answer and leave all other arguments unchanged.",
  });
}

/** Empty for a text that was not encoded here: the caller rejects it. */
export function unpackCursor(text: string): readonly unknown[] {
  try {
    const values: unknown = JSON.parse(Buffer.from(text, "base64url").toString("utf8"));
    return Array.isArray(values) ? values : [];
  } catch {
    // Not a cursor of this engine.
    return [];
  }
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function isKind(value: unknown): value is DocumentKind {
  return value === "message" || value === "summary";
}
