/**
 * Sentences of prose in any script, without a dictionary: lines are sentences of their own, a hard-wrapped line is
 * joined to its end, and a full stop ends a sentence unless what follows or precedes says otherwise. One pass.
 */

import { isMonthInDate, isOrdinal } from "./is-ordinal.ts";

/** Words that end with a full stop inside a sentence, lower case and without it. */
const ABBREVIATIONS = new Set(
  "e.g i.e vs cf ca approx no nr fig dr mr mrs ms prof st resp bzw z.b d.h u.a evtl ggf p.ex sr sra incl max min".split(
    " ",
  ),
);
/** A line at least this long may have been wrapped by an editor. */
const WRAPPED = 60;
const TERMINATOR = /[.!?…。！？｡]/g;
const CLOSING = "\"'”’»)]」』）】";

interface PlacedSentence {
  readonly text: string;
  /** The line of the text on which it begins, from 0. */
  readonly line: number;
}

export function splitSentences(text: string): string[] {
  return placeSentences(text).map((sentence) => sentence.text);
}

/** Sentences with the lines on which they begin. */
export function placeSentences(text: string): PlacedSentence[] {
  const sentences: PlacedSentence[] = [];
  for (const joined of joinWrapped(text.split("\n"))) splitLine(joined, sentences);
  return sentences;
}

interface JoinedLines {
  readonly text: string;
  readonly firstLine: number;
  /** Where each of the lines begins in the text. */
  readonly starts: readonly number[];
}

function joinWrapped(lines: readonly string[]): JoinedLines[] {
  const joined: JoinedLines[] = [];
  let pieces: string[] = [];
  let isOpen = false;
  for (const [number, line] of lines.entries()) {
    if (!(isOpen && /^\s*\p{Ll}/u.test(line))) {
      if (pieces.length > 0) joined.push(joinLines(pieces, number - pieces.length));
      pieces = [];
    }
    pieces.push(line.trim());
    isOpen = line.length >= WRAPPED && !/[.!?:;。！？]\s*$/.test(line.slice(-4));
  }
  if (pieces.length > 0) joined.push(joinLines(pieces, lines.length - pieces.length));
  return joined;
}

function joinLines(pieces: readonly string[], firstLine: number): JoinedLines {
  let end = 0;
  const starts = pieces.map((piece) => {
    const start = end;
    end += piece.length + 1;
    return start;
  });
  return { text: pieces.join(" "), firstLine, starts };
}

function splitLine(joined: JoinedLines, sentences: PlacedSentence[]): void {
  const line = joined.text;
  let start = 0;
  for (let i = nextTerminator(line, 0); i >= 0; ) {
    const end = afterClosing(line, i + 1);
    const isEnd = endsSentence(line, start, i, end);
    if (isEnd) {
      keep(joined, start, end, sentences);
      start = end;
    }
    i = nextTerminator(line, isEnd ? end : i + 1);
  }
  keep(joined, start, line.length, sentences);
}

/** Most units are none, and the expression passes over them faster than a loop could. */
function nextTerminator(line: string, from: number): number {
  TERMINATOR.lastIndex = from;
  return TERMINATOR.test(line) ? TERMINATOR.lastIndex - 1 : -1;
}

function keep(joined: JoinedLines, from: number, end: number, sentences: PlacedSentence[]): void {
  const piece = joined.text.slice(from, end).trimEnd();
  const text = piece.trimStart();
  if (text === "") return;
  const start = from + piece.length - text.length;
  sentences.push({ text, line: joined.firstLine + lastUpTo(joined.starts, start) });
}

/** Index of the last of ascending numbers that is not above a limit. */
function lastUpTo(numbers: readonly number[], limit: number): number {
  let [low, high] = [0, numbers.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((numbers[middle] ?? 0) <= limit) low = middle;
    else high = middle - 1;
  }
  return low;
}

function isTerminator(unit: number): boolean {
  // Letters of most texts lie between `?` and `…`.
  if (unit > 63 && unit < 0x2026) return false;
  return unit === 46 || unit === 33 || unit === 63 || unit === 0x2026 || isWide(unit);
}

function isWide(unit: number): boolean {
  return unit === 0x3002 || unit === 0xff01 || unit === 0xff1f || unit === 0xff61;
}

function afterClosing(line: string, index: number): number {
  let end = index;
  while (end < line.length && (isTerminator(line.charCodeAt(end)) || CLOSING.includes(line.charAt(end))))
    end++;
  return end;
}

function endsSentence(line: string, start: number, at: number, end: number): boolean {
  if (isWide(line.charCodeAt(at))) return true;
  if (end < line.length && !isSpace(line.charCodeAt(end))) return false;
  if (line.charCodeAt(at) !== 46) return true;
  const next = line.charAt(end + 1);
  if (next !== "" && next === next.toLowerCase() && next !== next.toUpperCase()) return false;
  const before = line.slice(Math.max(start, at - 24), at);
  return !(isAbbreviation(before) || (end === at + 1 && goesOnBehind(before, line, end)));
}

/** `3. Mai`, `im 3. Stock`, `12. Okt. 1990`. */
function goesOnBehind(before: string, line: string, end: number): boolean {
  return /\d$/.test(before) ? isOrdinal(before, line, end) : isMonthInDate(before, line, end);
}

function isSpace(unit: number): boolean {
  return unit === 32 || unit === 9 || unit === 0xa0 || unit === 0x3000;
}

/** What stands before the full stop: `e.g`, an initial (not a unit after a number), or the number of a list item. */
function isAbbreviation(before: string): boolean {
  const words = before.trimStart().split(/\s+/);
  const word = (words.at(-1) ?? "").replace(/^[("'[]+/, "");
  if (ABBREVIATIONS.has(word.toLowerCase())) return true;
  if (/^\d{1,3}$/.test(word)) return words.length === 1;
  return /^\p{L}$/u.test(word) && !/\d$/.test(words.at(-2) ?? "");
}
