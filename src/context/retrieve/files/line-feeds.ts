/**
 * Finds line ends. In UTF-16 a line feed is two bytes, and its byte 0x0A also occurs in many other characters (上,
 * all of Gujarati): those end no line here, but line numbers count them, as they do when a file is read by lines.
 */
import { utf16Border } from "../../files/utf16-border.ts";

export type Utf16 = "utf-16le" | "utf-16be";

/** The encoding of the given bytes. */
export interface Order {
  /** Null for every encoding with line feeds of one byte. */
  readonly utf16: Utf16 | null;
  /** Whether the first of them is at an odd position in the file. */
  readonly isOdd: boolean;
}

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/** Bytes of a line feed or any other ASCII character. */
export function signBytes(utf16: Utf16 | null): number {
  return utf16 === null ? 1 : 2;
}

/** The start of the next line feed; -1 if there is none. */
export function nextFeed(bytes: Buffer, from: number, { utf16, isOdd }: Order): number {
  if (utf16 === null) return bytes.indexOf(LINE_FEED, from);
  const inUnit = utf16 === "utf-16le" ? 0 : 1;
  for (let at = bytes.indexOf(LINE_FEED, from); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) {
    const start = at - inUnit;
    const isUnit = start >= from && (start % 2 === 1) === isOdd;
    if (isUnit && bytes[utf16 === "utf-16le" ? at + 1 : start] === 0) return start;
  }
  return -1;
}

/** The position after the last line feed before a position; 0 if there is none. */
export function behindLastFeed(bytes: Buffer, before: number, order: Order): number {
  if (order.utf16 === null) return before === 0 ? 0 : bytes.lastIndexOf(LINE_FEED, before - 1) + 1;
  let start = 0;
  for (let feed = nextFeed(bytes, 0, order); feed >= 0 && feed < before; feed = nextFeed(bytes, start, order))
    start = feed + 2;
  return start;
}

/** Line feeds as line numbers count them. */
export function countFeeds(bytes: Buffer): number {
  let feeds = 0;
  for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) feeds++;
  return feeds;
}

/** A position that splits no character: this one, or one slightly before it. */
export function characterBorder(bytes: Buffer, position: number, { utf16, isOdd }: Order): number {
  if (position >= bytes.length) return bytes.length;
  if (utf16 !== null) return utf16Border(bytes, position, { isOdd, encoding: utf16 });
  const isContinuation = (at: number) => ((bytes[at] ?? 0) & 0xc0) === 0x80;
  for (let at = position; at > 0 && at > position - 4; at--) if (!isContinuation(at)) return at;
  return position;
}

/** Without the carriage return that ends some lines. */
export function withoutReturn(line: Buffer, utf16: Utf16 | null): Buffer {
  const size = signBytes(utf16);
  const [low, high] = utf16 === "utf-16be" ? [line.at(-1), line.at(-2)] : [line.at(-size), line.at(-1)];
  const isReturn = low === CARRIAGE_RETURN && (utf16 === null || high === 0);
  return isReturn ? line.subarray(0, line.length - size) : line;
}

/** Bytes of the byte order mark, if there is one. */
export function markBytes(line: Buffer, utf16: Utf16 | null): number {
  if (utf16 === null) return line[0] === 0xef && line[1] === 0xbb && line[2] === 0xbf ? 3 : 0;
  const [low, high] = utf16 === "utf-16le" ? [line[0], line[1]] : [line[1], line[0]];
  return low === 0xff && high === 0xfe ? 2 : 0;
}
