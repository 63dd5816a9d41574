/**
 * Cuts a text into passages that a model can read whole, each beginning a little before the last one ended, so that
 * what stands at a cut is seen with what is around it. A cut is made where a line or a sentence ends, else between words,
 * else between code points. Each passage gets a vector of its own: the best of them speaks for the text, where a mean of
 * all would speak for none.
 */
import { costOf, PIECE } from "./estimate-pieces.ts";

interface Passage {
  readonly text: string;
  /** Where it stands in the text, in code units: the end is not part of it. */
  readonly start: number;
  readonly end: number;
}

interface Passages {
  readonly passages: readonly Passage[];
  /** From where on nothing is in any passage; null when all of the text is. */
  readonly droppedFrom: number | null;
}

export interface PassageOptions {
  /** Most tokens of a passage, as estimated: that of the `Embedder`. Default: 236, for MiniLM. */
  readonly longestInput?: number;
  /** Most passages; what follows them is dropped. Default: 32. */
  readonly mostPassages?: number;
}

const DEFAULTS = { longestInput: 236, mostPassages: 32 };
/** Share of a passage that the next one repeats, at most. */
const OVERLAP = 1 / 8;

export function passagesOf(text: string, options: PassageOptions = {}): Passages {
  const { longestInput, mostPassages } = { ...DEFAULTS, ...options };
  const passages: Passage[] = [];
  for (let start = 0; start < text.length; ) {
    if (passages.length >= mostPassages) return { passages, droppedFrom: passages.at(-1)?.end ?? 0 };
    const end = endOf(text, start, longestInput);
    const piece = text.slice(start, end);
    if (/\S/.test(piece)) passages.push({ text: piece, start, end });
    start = end === text.length ? end : nextStart(text, start, end);
  }
  return { passages, droppedFrom: null };
}

function endOf(text: string, start: number, longestInput: number): number {
  const farthest = reach(text, start, longestInput);
  if (farthest === text.length) return farthest;
  const window = text.slice(start, farthest);
  const half = window.length / 2;
  const cut = lastEnd(window, SENTENCE_END, half) ?? lastEnd(window, SPACE, half) ?? window.length;
  return start + cut;
}

/** How far the budget reaches: always one code point at least, and never into the middle of one. */
function reach(text: string, start: number, longestInput: number): number {
  let left = longestInput * PIECE;
  let before = 0;
  for (let at = start; at < text.length; ) {
    const point = text.codePointAt(at) ?? 0;
    left -= costOf(point, before);
    if (left < 0 && at > start) return at;
    before = point;
    at += point > 0xffff ? 2 : 1;
  }
  return text.length;
}

/** Ends of lines, and of sentences in any script. An abbreviation taken for one does no harm here. */
const SENTENCE_END = /\n+|[.!?…]["'”’»)\]]*\s+|[。！？｡]["”’」』）】]*/g;
const SPACE = /\s+/g;

/** The last end of a match that lies beyond a place. */
function lastEnd(window: string, pattern: RegExp, beyond: number): number | null {
  let last: number | null = null;
  for (const match of window.matchAll(pattern)) {
    const end = match.index + match[0].length;
    if (end > beyond) last = end;
  }
  return last;
}

/** The first begin of a sentence, else of a word, among the last eighth; the end itself where there is none. */
function nextStart(text: string, start: number, end: number): number {
  const from = end - Math.floor((end - start) * OVERLAP);
  const tail = text.slice(from, end);
  const begin = firstEnd(tail, SENTENCE_END) ?? firstEnd(tail, SPACE) ?? tail.length;
  return from + begin;
}

function firstEnd(tail: string, pattern: RegExp): number | null {
  for (const match of tail.matchAll(pattern)) {
    const end = match.index + match[0].length;
    if (end < tail.length) return end;
  }
  return null;
}
