/**
 * Where a search goes on: a place in the order by time, or a rank. It holds a digest of what was asked for, for a place
 * in one search means nothing in another. Opaque to callers.
 */
import { PalimpsestError } from "../../errors.ts";
import type { DocumentKind } from "../../store/search-store.ts";
import type { Position } from "./candidates.ts";

export interface TimeCursor {
  /** What was shown last. */
  readonly after: Position;
}

export interface RankCursor extends TimeCursor {
  /** How many were shown, and the score of the last. */
  readonly rank: number;
  readonly score: number;
}

export type Cursor = TimeCursor | RankCursor;

export function writeCursor(cursor: Cursor, digest: string): string {
  const { time, ref } = cursor.after;
  const rank = "rank" in cursor ? [cursor.rank, cursor.score] : [];
  const values = [digest, time, ref.conversation, ref.kind, ref.number, ...rank];
  return Buffer.from(JSON.stringify(values)).toString("base64url");
}

export function readCursor(text: string, order: "time" | "relevance", digest: string): Cursor {
  const values = parse(text);
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
  throw new PalimpsestError("invalid-input", "this cursor does not belong to this search", {
    advice: "Give the `next` of the answer before, with everything else as it was.",
  });
}

function parse(text: string): readonly unknown[] {
  try {
    const values: unknown = JSON.parse(Buffer.from(text, "base64url").toString("utf8"));
    return Array.isArray(values) ? values : [];
  } catch {
    // Not one of ours: refused below, with what to do.
    return [];
  }
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function isKind(value: unknown): value is DocumentKind {
  return value === "message" || value === "summary";
}
