/**
 * Texts as sequences of words, compared by shingles: runs of five words. Case, punctuation, white space and the escapes of
 * JSON, however often a text was put into JSON, make no difference. Pure.
 */
import { LONGEST_WORD, normalised, visitWordRanges } from "../language/words.ts";

/** Words of a shingle. A shorter line is one shingle. */
export const SHINGLE = 5;

/** The two halves of a shingle's hash. */
type VisitShingle = (first: number, second: number, words: number) => void;

const ESCAPE = /\\+(?:u([0-9a-fA-F]{4})|[bfnrt])?/g;

/** Replaces an escape by its character, or by a space if the character is irrelevant. */
export function withoutEscapes(text: string): string {
  if (!text.includes("\\")) return text;
  return text.replace(ESCAPE, (written, code: string | undefined) => {
    if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
    return written.endsWith("n") ? "\n" : " ";
  });
}

/** The hashes of a text's words, in order. Escapes must already be removed. */
export function visitWordHashes(text: string, visit: (hash: number, letters: number) => void): void {
  const words = normalised(text);
  visitWordRanges(words, {
    plain: (start, end) => visit(hashOf(words, start, Math.min(end, start + LONGEST_WORD)), end - start),
    folded: (word) => visit(hashOf(word, 0, word.length), word.length),
  });
}

const [OFFSET, PRIME, OTHER_PRIME] = [0x811c9dc5, 0x01000193, 0x85ebca6b];
const CASE = 0x20;

/** FNV-1a. ASCII letters are lower-cased. */
function hashOf(text: string, start: number, end: number): number {
  let hash = OFFSET;
  for (let i = start; i < end; i++) {
    const unit = text.charCodeAt(i);
    hash = Math.imul(hash ^ (unit >= 65 && unit <= 90 ? unit | CASE : unit), PRIME);
  }
  return hash;
}

/** Visits the shingles that end with each word: those of five words, and shorter ones of the requested lengths. */
export class ShingleStream {
  readonly #visit: VisitShingle;
  readonly #lengths: readonly number[];
  readonly #recent = new Int32Array(SHINGLE);
  #words = 0;

  constructor(lengths: Iterable<number>, visit: VisitShingle) {
    this.#lengths = [...lengths];
    this.#visit = visit;
  }

  get words(): number {
    return this.#words;
  }

  add(hash: number): void {
    this.#recent[this.#words % SHINGLE] = hash;
    this.#words++;
    for (const length of this.#lengths) if (length <= this.#words) this.#tell(length);
  }

  #tell(length: number): void {
    let [first, second] = [OFFSET, length];
    for (let i = this.#words - length; i < this.#words; i++) {
      const word = this.#recent[i % SHINGLE] ?? 0;
      first = Math.imul(first ^ word, PRIME);
      first ^= first >>> 15;
      second = Math.imul(second + word, OTHER_PRIME);
      second ^= second >>> 13;
    }
    this.#visit(first, second, length);
  }
}
