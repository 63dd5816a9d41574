/** The words of documents and their stems, each numbered from 0. */
import { stemOf } from "../../text/language/stem.ts";
import { TermTable } from "./term-table.ts";

export class StemmedWords {
  readonly words = new TermTable();
  readonly stems = new TermTable();
  /** By word number. */
  readonly #stemOfWord: number[] = [];
  readonly #isInflected: boolean[] = [];

  /** The number of the word between two positions. Its stem is computed on its first occurrence. */
  numberOf(text: string, start: number, end: number): number {
    const number = this.words.numberOf(text, start, end);
    if (number === this.#stemOfWord.length) {
      const word = text.slice(start, end).toLowerCase();
      const stem = stemOf(word);
      this.#stemOfWord.push(this.stems.numberOf(stem, 0, stem.length));
      this.#isInflected.push(stem !== word);
    }
    return number;
  }

  /** The number of a word's stem. */
  stemOf(word: number): number {
    return this.#stemOfWord[word] ?? 0;
  }

  /** Whether a word and its stem differ. */
  isInflected(word: number): boolean {
    return this.#isInflected[word] === true;
  }
}
