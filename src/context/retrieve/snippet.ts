/** The part of a text that shows its matches best, with the positions of the matches. */
import { wholeCharacters } from "../../text/cut-text.ts";
import type { Matches, Span } from "./matches.ts";

export interface Snippet {
  /** An excerpt of the text; `…` marks omissions. */
  readonly text: string;
  /** Positions of the matches in it. */
  readonly marks: readonly Span[];
}

export interface SnippetOptions {
  /** Approximate number of characters. */
  readonly length: number;
  /** Number of whole lines around the line of the match, instead of characters. */
  readonly lines?: number;
}

const CUT = "…";
/** Limit for whole lines, since minified code may be a single line. */
const LONGEST_LINES = 4_000;

export function snippetOf({ text, spans }: Matches, options: SnippetOptions): Snippet {
  const window =
    options.lines === undefined
      ? windowAround(text, bestSpan(spans, options.length), options.length)
      : linesAround(text, spans[0] ?? { start: 0, end: 0 }, options.lines);
  const head = window.start > 0 ? CUT : "";
  const tail = window.end < text.length ? CUT : "";
  const marks = spans
    .filter(({ start, end }) => start >= window.start && end <= window.end && end > start)
    .map(({ start, end }) => ({
      start: start - window.start + head.length,
      end: end - window.start + head.length,
    }));
  return { text: head + text.slice(window.start, window.end) + tail, marks };
}

/** The first place with the most different matches close together. */
function bestSpan(spans: readonly Span[], length: number): Span {
  let best: Span = spans[0] ?? { start: 0, end: 0 };
  let most = 0;
  for (let first = 0, last = 0; first < spans.length; first++) {
    const start = spans[first]?.start ?? 0;
    while (last < spans.length && (spans[last]?.end ?? 0) <= start + length) last++;
    if (last - first <= most) continue;
    most = last - first;
    best = { start, end: Math.max(spans[first]?.end ?? start, spans[last - 1]?.end ?? start) };
  }
  return best;
}

function windowAround(text: string, { start, end }: Span, length: number): Span {
  const room = Math.max(0, length - (end - start));
  const from = wordEdge(text, start - Math.floor(room / 2), start);
  const to = Math.min(text.length, Math.max(end, from + length));
  return { start: from, end: wholeCharacter(text, Math.min(to, from + Math.max(length, LONGEST_LINES))) };
}

/** Moves the cut to a word boundary, if one is near. */
function wordEdge(text: string, position: number, limit: number): number {
  if (position <= 0) return 0;
  const space = text.slice(position, Math.min(limit, position + 24)).search(/\s/);
  return wholeCharacter(text, space < 0 ? position : position + space + 1);
}

function linesAround(text: string, { start, end }: Span, lines: number): Span {
  let from = start;
  for (let i = 0; i <= lines && from >= 0; i++) from = from === 0 ? -1 : text.lastIndexOf("\n", from - 1);
  let to = end;
  for (let i = 0; i <= lines && to >= 0; i++) to = text.indexOf("\n", i === 0 ? to : to + 1);
  const first = Math.max(from + 1, start - LONGEST_LINES / 2);
  const last = Math.min(to < 0 ? text.length : to, end + LONGEST_LINES / 2);
  return { start: wholeCharacter(text, first), end: wholeCharacter(text, last) };
}

/** Never splits a character or a line end. */
function wholeCharacter(text: string, position: number): number {
  if (text[position] === "\n" && text[position - 1] === "\r") return position - 1;
  return wholeCharacters(text, position);
}
