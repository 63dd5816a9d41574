/**
 * A part of a long line: its bytes, with the surrounding bytes of the line, so that a match across a
 * border is found completely. No border splits a character.
 */
import {
  behindLastFeed,
  characterBorder,
  countFeeds,
  markBytes,
  nextFeed,
  type Order,
  signBytes,
  type Utf16,
  withoutReturn,
} from "./line-feeds.ts";

/** Everything before it was searched. */
export interface FilePlace {
  readonly byte: number;
  /** The line that contains the byte, counted from 1 as when a file is read. */
  readonly line: number;
  /** Whether it is within a long line that was partly searched before. */
  readonly isInside: boolean;
}

export interface PartBytes {
  readonly bytes: Buffer;
  /** The part itself: positions in these bytes. */
  readonly from: number;
  readonly until: number;
  /** Its start in the file, and the line that contains this byte. */
  readonly byte: number;
  readonly line: number;
  /** Null if the file is not in UTF-16. */
  readonly utf16: Utf16 | null;
  /** The position after it: inside the line, or the start of the next line. */
  readonly next: FilePlace;
  /** The start of the next line; null if the end of this one was not read. */
  readonly behindLine: FilePlace | null;
}

/** A complete line, as its only part. */
export function wholeLine(line: Buffer, place: FilePlace, utf16: Utf16 | null): PartBytes {
  return cutPart({ bytes: line, first: place.byte, isEnd: true }, place, { utf16, most: line.length });
}

interface BytesRead {
  readonly bytes: Buffer;
  /** Their start in the file. */
  readonly first: number;
  /** Whether they reach the end of the file. */
  readonly isEnd: boolean;
}

/** At most this many bytes from a position. */
export function cutPart(
  { bytes, first, isEnd }: BytesRead,
  { byte, line, isInside }: FilePlace,
  { utf16, most }: { readonly utf16: Utf16 | null; readonly most: number },
): PartBytes {
  const order = { utf16, isOdd: first % 2 === 1 };
  const place = byte - first;
  const from = place + (isInside ? 0 : markBytes(bytes.subarray(place), utf16));
  const feed = nextFeed(bytes, place, order);
  const isEnded = feed >= 0 || isEnd;
  const end = feed >= 0 ? feed : isEnd ? bytes.length : characterBorder(bytes, bytes.length - 4, order);
  const start = isInside ? lineStart(bytes, { place, first }, order) : from;
  const shown = bytes.subarray(start, end);
  const around = isEnded ? withoutReturn(shown, utf16) : shown;
  const isLast = isEnded && end - place <= most;
  const border = isLast ? end : characterBorder(bytes, place + most, order);
  const passed = (until: number) => (utf16 === null ? 0 : countFeeds(bytes.subarray(place, until)));
  const inside = { byte: first + border, line: line + passed(border), isInside: true };
  const isFed = feed >= 0 ? 1 : 0;
  const behindLine = isEnded
    ? { byte: first + end + isFed * signBytes(utf16), line: line + passed(end) + isFed, isInside: false }
    : null;
  const next = isLast && behindLine !== null ? behindLine : inside;
  const until = Math.min(border - start, around.length);
  return { bytes: around, from: from - start, until, byte: first + from, line, utf16, next, behindLine };
}

/** The start of the line at a position, or the earliest byte available. */
function lineStart(
  bytes: Buffer,
  { place, first }: { readonly place: number; readonly first: number },
  order: Order,
): number {
  const start = behindLastFeed(bytes, place, order);
  return start > 0 || first === 0 ? start : characterBorder(bytes, Math.min(4, place), order);
}
