/** Where a search goes on: a place in the order by time, or a rank. Opaque to callers. */
import { PalimpsestError } from "../../errors.ts";
import type { DocumentKind } from "../../store/search-store.ts";
import type { Position } from "./candidates.ts";

export type Cursor = { readonly after: Position } | { readonly rank: number };

export function writeCursor(cursor: Cursor): string {
  const values =
    "rank" in cursor
      ? [cursor.rank]
      : [cursor.after.time, cursor.after.ref.conversation, cursor.after.ref.kind, cursor.after.ref.number];
  return Buffer.from(JSON.stringify(values)).toString("base64url");
}

export function readCursor(text: string, order: "time" | "relevance"): Cursor {
  const values = parse(text);
  const [first, conversation, kind, number] = values;
  if (order === "relevance" && values.length === 1 && isCount(first)) return { rank: first };
  const isPosition =
    typeof first === "number" && typeof conversation === "string" && isKind(kind) && isCount(number);
  if (order === "time" && isPosition) return { after: { time: first, ref: { conversation, kind, number } } };
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
