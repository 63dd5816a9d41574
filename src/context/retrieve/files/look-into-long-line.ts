/**
 * Searches a line that is too long to show: every match is a separate hit with its byte. A line that is too long
 * for memory is read part by part, and contains all the words if its parts together do.
 */

import type { Span } from "../matches.ts";
import { snippetOf } from "../snippet.ts";
import { stopIfCancelled } from "../stop-if-cancelled.ts";
import { aroundBytes, type FileHit } from "./file-hit.ts";
import type { FileLook, Reached } from "./file-look.ts";
import { countFeeds } from "./line-feeds.ts";
import { behind, type FindSpans } from "./line-finder.ts";
import { type FilePlace, type PartBytes, wholeLine } from "./line-part.ts";
import { type PartText, partText } from "./part-text.ts";

/** A line in memory. Null if all of it was searched, else the position where the result ends. */
export async function lookAtWhole(look: FileLook, line: Buffer, place: FilePlace): Promise<FilePlace | null> {
  const bytes = wholeLine(line, place, look.lines.utf16);
  const part = await partText(bytes, look.lines.encoding);
  if (!look.finder.isIn(part.text)) return null;
  const { place: reached, isStopped } = takePlaces(look, { bytes, part }, place);
  return isStopped ? reached : null;
}

/** The rest of a line, from its beginning or from a position in it. */
export async function lookAtParts(look: FileLook, from: FilePlace): Promise<Reached> {
  const behind = from.isInside ? null : await behindLacking(look, from);
  if (behind !== null) return { place: behind, isStopped: false };
  for (let place = from; ; ) {
    if (look.found.isFull()) return { place, isStopped: true };
    const read = await readPart(look, place);
    look.found.count(read.bytes.until - read.bytes.from);
    const reached = takePlaces(look, read, place);
    if (reached.isStopped || !reached.place.isInside) return reached;
    place = reached.place;
  }
}

interface Part {
  readonly bytes: PartBytes;
  readonly part: PartText;
}

async function readPart({ lines }: FileLook, place: FilePlace): Promise<Part> {
  const bytes = await lines.part(place);
  return { bytes, part: await partText(bytes, lines.encoding) };
}

/** The position after a line that lacks one of the words; null if it contains them all. */
async function behindLacking(look: FileLook, from: FilePlace): Promise<FilePlace | null> {
  let lacking = look.finder.needs;
  for (let place = from; lacking.length > 0; ) {
    stopIfCancelled(look.signal);
    const { bytes, part } = await readPart(look, place);
    lacking = lacking.filter((find) => ![...find(part.text, part.from)].some((span) => isOf(part, span)));
    place = bytes.next;
    if (lacking.length === 0 || place.isInside) continue;
    look.found.count(place.byte - from.byte);
    return place;
  }
  return null;
}

/** All matches in a part, as far as there is room. Continues after the part, or after its last match. */
function takePlaces(
  look: FileLook,
  { bytes, part }: Part,
  from: FilePlace,
): Reached & { readonly place: FilePlace } {
  let place = from;
  for (const found of placesIn(part, look.finder.spans, look.snippetLength)) {
    if (look.found.isFull() || !look.found.takes(hitOf(look, { bytes, part }, found)))
      return { place, isStopped: true };
    place = behindPlace(bytes, found);
  }
  const isFurther = place.byte > bytes.next.byte && bytes.next.isInside;
  return { place: isFurther ? place : bytes.next, isStopped: false };
}

function behindPlace(bytes: PartBytes, { nextByte }: PlaceInLine): FilePlace {
  if (nextByte === null) return bytes.behindLine ?? bytes.next;
  return { byte: nextByte, line: lineAt(bytes, nextByte), isInside: true };
}

function hitOf({ file, snippetLength }: FileLook, { bytes, part }: Part, found: PlaceInLine): FileHit {
  const { spans, startByte, endByte } = found;
  const snippet = snippetOf({ text: part.text, spans }, { length: snippetLength });
  const around = aroundBytes(file, startByte, endByte);
  return { file, line: lineAt(bytes, startByte), byte: startByte, snippet, around };
}

/** Within a line, only UTF-16 characters are counted as lines. */
function lineAt({ bytes, from, byte, line, utf16 }: PartBytes, at: number): number {
  return utf16 === null ? line : line + countFeeds(bytes.subarray(from, from + at - byte));
}

/** Places in a long line: matches that fit into one snippet are one place, which belongs to the part it begins in. */
interface PlaceInLine {
  /** Positions in the text of the part. */
  readonly spans: readonly Span[];
  /** Position in the file: the first match. */
  readonly startByte: number;
  readonly endByte: number;
  /** Where to continue; null at the end of the line. */
  readonly nextByte: number | null;
}

function* placesIn(part: PartText, find: FindSpans, length: number): Generator<PlaceInLine> {
  for (const spans of clusters(part, find, length)) {
    const [first, last] = [spans[0], spans.at(-1)];
    if (first === undefined || last === undefined) return;
    const startByte = part.byteOf(first.start);
    const endByte = part.byteOf(first.end);
    const next = behind(part.text, last);
    yield { spans, startByte, endByte, nextByte: next > part.text.length ? null : part.byteOf(next) };
  }
}

/** In order; a match belongs to the previous cluster if both fit into this many characters. */
function* clusters(part: PartText, find: FindSpans, length: number): Generator<readonly Span[]> {
  let cluster: Span[] = [];
  for (const span of find(part.text, part.from)) {
    const [first] = cluster;
    if (first !== undefined && span.end <= first.start + length) {
      cluster.push(span);
      continue;
    }
    if (first !== undefined) yield cluster;
    cluster = [];
    if (!isOf(part, span)) return;
    cluster.push(span);
  }
  if (cluster.length > 0) yield cluster;
}

/** The end of a line is also a place, for an empty match. */
function isOf({ until, isLast }: PartText, { start }: Span): boolean {
  return start < until || (isLast && start === until);
}
