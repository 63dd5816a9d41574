/**
 * Cuts a text into passages that a model can read whole, each beginning a little before the last one ended, so that
 * text at a cut keeps its context. Cuts are at the end of a line or a sentence, else between words,
 * else between code points. Each passage has its own vector: the best one represents the text, which a mean of
 * all would not.
 */

interface Passage {
  readonly text: string;
  /** Its position in the text, in code units; the end is exclusive. */
  readonly start: number;
  readonly end: number;
}

interface Passages {
  readonly passages: readonly Passage[];
  /** The position from which text is in no passage; null if all of it is covered. */
  readonly droppedFrom: number | null;
}

export interface PassageOptions {
  /** Maximum estimated tokens of a passage: that of the `Embedder`. Default: 236, for MiniLM. */
  readonly longestInput?: number;
  /** Maximum passages; the rest of the text is dropped. Default: 32. */
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

/** The end of the text that fits the budget: at least one code point, and never inside one. */
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

/** The last end of a match after a position. */
function lastEnd(window: string, pattern: RegExp, beyond: number): number | null {
  let last: number | null = null;
  for (const match of window.matchAll(pattern)) {
    const end = match.index + match[0].length;
    if (end > beyond) last = end;
  }
  return last;
}

/** The first begin of a sentence, else of a word, among the last eighth; the end itself if there is none. */
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

/**
 * How many word pieces a character adds to what a model reads, rounded up: a passage that is longer
 * than the model reads loses its end. Counted against MiniLM's tokenizer, whose vocabulary is small and English; models
 * with larger vocabularies make fewer pieces of the same text.
 *
 * In twelfths of a piece, so that sums are whole numbers.
 */
export const PIECE = 12;

/** The cost of a code point, after the one before it. */
export function costOf(point: number, before: number): number {
  if (isLetter(point)) return costOfLetter(point, before);
  if (point <= 0x20) return 0;
  if (isDigit(point)) return DIGIT;
  if (point < 0x80) return PIECE;
  if (point < 0x250) return HALF;
  if (isHangul(point)) return 2 * PIECE;
  return point >= 0x2e80 ? PIECE + HALF : PIECE;
}

const HALF = PIECE / 2;
/** A word of four letters has 1.5 pieces, and each further piece has three letters, as in German. */
const LETTER = 4;
/** The vocabulary has numbers of a few digits; in hashes, every change between digits and letters begins a piece. */
const DIGIT = 9;

function costOfLetter(point: number, before: number): number {
  if (isDigit(before)) return DIGIT;
  const isCapital = point < 0x60;
  return isLetter(before) && !isCapital ? LETTER : HALF;
}

function isLetter(point: number): boolean {
  const small = point | 0x20;
  return small >= 0x61 && small <= 0x7a;
}

function isDigit(point: number): boolean {
  return point >= 0x30 && point <= 0x39;
}

/** Syllables are taken apart into their letters. */
function isHangul(point: number): boolean {
  return point >= 0xac00 && point <= 0xd7a3;
}
