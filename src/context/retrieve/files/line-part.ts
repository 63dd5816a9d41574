/**
 * A part of a long line: bytes that belong to it, with what stands around them in the line, so that a match across a
 * border is seen whole. No border cuts a character.
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

/** Everything before it was looked through. */
export interface FilePlace {
  readonly byte: number;
  /** The line that contains the byte, counted from 1 as when a file is read. */
  readonly line: number;
  /** Whether it is within a long line that was looked into before. */
  readonly isInside: boolean;
}

export interface PartBytes {
  readonly bytes: Buffer;
  /** The part itself: positions in these bytes. */
  readonly from: number;
  readonly until: number;
  /** Where it begins in the file, and the line that this byte stands in. */
  readonly byte: number;
  readonly line: number;
  /** Null where the file is not in UTF-16. */
  readonly utf16: Utf16 | null;
  /** Behind it: inside of the line, or where the next line begins. */
  readonly next: FilePlace;
  /** Where the next line begins; null where the end of this one is not at hand. */
  readonly behindLine: FilePlace | null;
}

/** A line that is at hand, as the only part of it. */
export function wholeLine(line: Buffer, place: FilePlace, utf16: Utf16 | null): PartBytes {
  return cutPart({ bytes: line, first: place.byte, isEnd: true }, place, { utf16, most: line.length });
}

interface BytesRead {
  readonly bytes: Buffer;
  /** Where they begin in the file. */
  readonly first: number;
  /** Whether the file ends with them. */
  readonly isEnd: boolean;
}

/** At most so many bytes from a place on. */
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

/** Where the line of a place begins, or as far back as it is at hand. */
function lineStart(
  bytes: Buffer,
  { place, first }: { readonly place: number; readonly first: number },
  order: Order,
): number {
  const start = behindLastFeed(bytes, place, order);
  return start > 0 || first === 0 ? start : characterBorder(bytes, Math.min(4, place), order);
}
