/**
 * The words of a text for searching, equal for every store: folded (case with `ß` as `ss`, accents, width), and scripts
 * without spaces one character a word. A text is normalised first, so that composed and decomposed letters are one.
 */
import { wholeCharacters } from "../cut-text.ts";

export interface Word {
  readonly text: string;
  /** Its position in the normalised text. */
  readonly start: number;
  readonly end: number;
  /** A character of a script without spaces, right after another one. */
  readonly isGlued: boolean;
}

type VisitWord = (text: string, start: number, end: number, isGlued: boolean) => void;

/** For callers that do not need a string for every word. */
interface WordRangeVisitor {
  /** Letters and digits of ASCII, of either case, from one position to another. */
  plain(start: number, end: number): void;
  /** Any other word, folded. */
  folded: VisitWord;
}

const RUN = /[\p{L}\p{N}\p{M}]+|\p{Extended_Pictographic}/uy;
const UNSPACED = String.raw`\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}ー`;
const HAS_UNSPACED = new RegExp(`[${UNSPACED}]`, "u");
const PIECE = new RegExp(`[${UNSPACED}]|[^${UNSPACED}]+`, "uy");
const BEYOND_ASCII = /[\u0080-\uffff]/;
const MARKS = /[\u0300-\u036f]/g;

/** Longer runs are cut, since the beginning distinguishes hashes and base64. */
export const LONGEST_WORD = 64;

/** The form of a text that positions of words refer to. */
export function normalised(text: string): string {
  return BEYOND_ASCII.test(text) ? text.normalize("NFC") : text;
}

/** Every word of a normalised text, in order. */
export function visitWords(text: string, visit: VisitWord): void {
  const plain = (start: number, end: number) =>
    visit(text.slice(start, Math.min(end, start + LONGEST_WORD)).toLowerCase(), start, end, false);
  visitWordRanges(text, { plain, folded: visit });
}

/** The same, optimised. Runs of ASCII, nearly all of most texts, need no table. */
export function visitWordRanges(text: string, visitor: WordRangeVisitor): void {
  let start = -1;
  for (let i = 0; i <= text.length; i++) {
    const unit = i < text.length ? text.charCodeAt(i) : 0;
    if (unit >= 128) {
      RUN.lastIndex = start < 0 ? i : start;
      i = visitRun(text, visitor.folded) - 1;
      start = -1;
    } else if (isAsciiWord(unit)) {
      if (start < 0) start = i;
    } else if (start >= 0) {
      visitor.plain(start, i);
      start = -1;
    }
  }
}

function isAsciiWord(unit: number): boolean {
  return (unit >= 97 && unit <= 122) || (unit >= 48 && unit <= 57) || (unit >= 65 && unit <= 90);
}

/** Visits the run that begins at the position of RUN, if there is one. Returns the position after it. */
function visitRun(text: string, visit: VisitWord): number {
  const start = RUN.lastIndex;
  const run = RUN.exec(text)?.[0];
  if (run === undefined) return start + ((text.codePointAt(start) ?? 0) > 0xffff ? 2 : 1);
  if (HAS_UNSPACED.test(run)) visitPieces(run, start, visit);
  else visit(foldWord(run), start, start + run.length, false);
  return start + run.length;
}

export function wordsOf(text: string): Word[] {
  const words: Word[] = [];
  visitWords(normalised(text), (word, start, end, isGlued) =>
    words.push({ text: word, start, end, isGlued }),
  );
  return words;
}

function visitPieces(run: string, offset: number, visit: VisitWord): void {
  let gluedAt = -1;
  for (let start = 0; start < run.length; ) {
    const isFolded = isFoldedUnspaced(run.charCodeAt(start));
    const piece = isFolded ? run.charAt(start) : pieceAt(run, start);
    const isUnspaced = isFolded || HAS_UNSPACED.test(piece);
    const end = start + piece.length;
    const word = isFolded ? piece : foldWord(piece);
    visit(word, offset + start, offset + end, isUnspaced && gluedAt === start);
    if (isUnspaced) gluedAt = end;
    start = end;
  }
}

function pieceAt(run: string, start: number): string {
  PIECE.lastIndex = start;
  return PIECE.exec(run)?.[0] ?? run.charAt(start);
}

/** The common Han, Kana and Hangul characters. Folding does not change them. */
function isFoldedUnspaced(unit: number): boolean {
  return (
    (unit >= 0x4e00 && unit <= 0x9fff) ||
    (unit >= 0x3041 && unit <= 0x3096) ||
    (unit >= 0x30a1 && unit <= 0x30fa) ||
    (unit >= 0xac00 && unit <= 0xd7a3)
  );
}

function foldWord(word: string): string {
  return cut(BEYOND_ASCII.test(word) ? foldLetters(word) : word.toLowerCase());
}

function cut(word: string): string {
  return word.length > LONGEST_WORD ? word.slice(0, wholeCharacters(word, LONGEST_WORD)) : word;
}

/** Some letters can be lower-cased only after decomposition. A lone combining mark is kept. */
function foldLetters(word: string): string {
  const folded = word.toLowerCase().normalize("NFKD").replace(MARKS, "").normalize("NFKC").toLowerCase();
  return folded === "" ? word : folded.replaceAll("ß", "ss").replaceAll("ς", "σ");
}
