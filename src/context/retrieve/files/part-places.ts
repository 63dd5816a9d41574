/** Places in a long line: matches that one snippet can show are one place, which belongs to the part it begins in. */
import type { Span } from "../matches.ts";
import { behind, type FindSpans } from "./line-finder.ts";
import type { PartText } from "./part-text.ts";

export interface PlaceInLine {
  /** In the text of the part. */
  readonly spans: readonly Span[];
  /** In the file: the first match. */
  readonly startByte: number;
  readonly endByte: number;
  /** Where to look on; null behind the end of the line. */
  readonly nextByte: number | null;
}

export function* placesIn(part: PartText, find: FindSpans, length: number): Generator<PlaceInLine> {
  for (const spans of clusters(part, find, length)) {
    const [first, last] = [spans[0], spans.at(-1)];
    if (first === undefined || last === undefined) return;
    const startByte = part.byteOf(first.start);
    const endByte = part.byteOf(first.end);
    const next = behind(part.text, last);
    yield { spans, startByte, endByte, nextByte: next > part.text.length ? null : part.byteOf(next) };
  }
}

/** In order; a match belongs to the cluster before it when both fit into so many characters. */
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

/** The end of a line is a place as well, for a match that is empty. */
export function isOf({ until, isLast }: PartText, { start }: Span): boolean {
  return start < until || (isLast && start === until);
}
