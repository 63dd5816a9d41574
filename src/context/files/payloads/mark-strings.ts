/**
 * Tracks where the long strings of a message end up when it is read, without searching texts: each
 * is replaced by a short mark, the marked message is read, and a mark in a part identifies the string that went there.
 * So no message family needs its own finder, and only the readers know the families' shapes.
 */
import { MAX_NESTING } from "../../../message/check-json.ts";
import { isEncodedBytes, SHORTEST_ENCODED } from "../../../message/strings-inside.ts";
import { isBinary } from "../../../message/tag-binary.ts";
import { setField } from "./change-large.ts";

export interface MarkedValue {
  /** A copy with marks instead of long strings. */
  readonly value: unknown;
  readonly strings: readonly string[];
  /** The strings that went into this text, in order. */
  markedIn(text: string): number[];
  /** The text without the marks. */
  without(text: string): string;
  /** The text with its strings put back. */
  restore(text: string): string;
}

/** Matches a mark with any secret: a single expression, because compiling one takes longer than using it. */
const MARK = /(?:data:)?Mk0([0-9a-f]{32})-(\d+)-x*-/g;

/** `secret`: 32 hexadecimal digits that occur nowhere in the value. */
export function markStrings(value: unknown, isLong: (text: string) => boolean, secret: string): MarkedValue {
  const strings: string[] = [];
  const mark = (text: string) =>
    isLong(text) ? markOf(text, `Mk0${secret}-${strings.push(text) - 1}-`) : text;
  const replaceMarks = (text: string, replacement: (index: number) => string) =>
    text.replace(MARK, (whole, itsSecret: string, index: string) =>
      itsSecret === secret ? replacement(Number(index)) : whole,
    );
  return {
    value: copyWith(value, mark, 1),
    strings,
    markedIn: (text) =>
      [...text.matchAll(MARK)].flatMap(([, itsSecret, index]) => (itsSecret === secret ? Number(index) : [])),
    without: (text) => replaceMarks(text, () => ""),
    restore: (text) => replaceMarks(text, (index) => strings[index] ?? ""),
  };
}

/** Readers skip text that looks like encoded bytes, so the mark of such a string must look like that as well. */
function markOf(text: string, mark: string): string {
  if (!isEncodedBytes(text)) return `${mark}-`;
  return `${text.startsWith("data:") ? "data:" : ""}${mark.padEnd(SHORTEST_ENCODED, "x")}-`;
}

/** Values without such strings are not copied, and values nested deeper than any message are left unchanged. */
function copyWith(value: unknown, change: (text: string) => string, depth: number): unknown {
  if (typeof value === "string") return change(value);
  if (typeof value !== "object" || value === null || isBinary(value) || depth > MAX_NESTING) return value;
  const source = value as Readonly<Record<string, unknown>>;
  let copy: object | undefined;
  for (const key of Object.keys(source)) {
    const changed = copyWith(source[key], change, depth + 1);
    if (changed === source[key]) continue;
    copy ??= Array.isArray(value) ? [...value] : { ...value };
    setField(copy, key, changed);
  }
  return copy ?? value;
}
