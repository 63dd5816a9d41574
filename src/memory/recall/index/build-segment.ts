/**
 * Turns memories into a segment of the word index. Pure: the same memories give the same bytes, however they came
 * together. A stem has a list of its own only where one of its other forms stands in the segment; where it has none,
 * the list of the word that is its own stem says the same.
 */
import { Occurrences } from "../../../search/occurrences.ts";
import { TermTable } from "../../../search/term-table.ts";
import { type Term, visitTerms } from "../../../search/terms.ts";
import { compareBytes } from "../../../text/compare-bytes.ts";
import { stemOf } from "../../../text/language/stem.ts";
import type { MemoryDocument } from "./memory-document.ts";
import { SegmentWriter } from "./segment-writer.ts";
import { STEM, TAG_STEM, TAG_WORD, WORD } from "./term-kinds.ts";

/** How often a word of the abstract counts where there is more than the abstract. */
const ABSTRACT = 2;

export function buildSegment(documents: readonly MemoryDocument[]): Uint8Array {
  const builder = new SegmentBuilder();
  for (const document of documents) builder.add(document);
  return builder.build();
}

class SegmentBuilder {
  readonly #writer = new SegmentWriter();
  readonly #words = new TermTable();
  readonly #stems = new TermTable();
  readonly #wordPlaces = new Occurrences();
  readonly #stemPlaces = new Occurrences();
  readonly #tagWordPlaces = new Occurrences();
  readonly #tagStemPlaces = new Occurrences();
  /** By a word's number: that of its stem, and whether they differ. */
  readonly #stemOfWord: number[] = [];
  readonly #isInflected: boolean[] = [];
  /** Stems that stand in another form in a text. */
  readonly #inflectedStems = new Set<number>();
  #document = 0;

  add({ abstract, overview, content, tags, createdAt, isErased }: MemoryDocument): void {
    const hasMore = overview !== "" || content !== "";
    const words =
      this.#addText(abstract, hasMore ? ABSTRACT : 1) +
      this.#addText(overview, 1) +
      this.#addText(content, 1);
    for (const tag of tags) visitTerms(tag, (text, start, end) => this.#addTagWord(text, start, end));
    this.#writer.addDocument({ words, createdAt });
    if (isErased) this.#writer.addErased(1);
    this.#document++;
  }

  build(): Uint8Array {
    const words = numbered(this.#words.terms(WORD));
    const stems = numbered(this.#stems.terms(STEM));
    const inflected = stems.filter(({ number }) => this.#inflectedStems.has(number));
    this.#write(words, this.#wordPlaces, WORD);
    this.#write(inflected, this.#stemPlaces, STEM);
    this.#write(words, this.#tagWordPlaces, TAG_WORD);
    this.#write(stems, this.#tagStemPlaces, TAG_STEM);
    return this.#writer.finish();
  }

  #addText(text: string, weight: number): number {
    return visitTerms(text, (source, start, end) => {
      const word = this.#numberOf(source, start, end);
      const stem = this.#stemOfWord[word] ?? 0;
      for (let i = 0; i < weight; i++) {
        this.#wordPlaces.add(word, this.#document);
        this.#stemPlaces.add(stem, this.#document);
      }
      if (this.#isInflected[word] === true) this.#inflectedStems.add(stem);
    });
  }

  /** Comes behind the text. */
  #addTagWord(text: string, start: number, end: number): void {
    const word = this.#numberOf(text, start, end);
    const stem = this.#stemOfWord[word] ?? 0;
    if (!this.#wordPlaces.isIn(word, this.#document)) this.#tagWordPlaces.add(word, this.#document);
    if (!this.#stemPlaces.isIn(stem, this.#document)) this.#tagStemPlaces.add(stem, this.#document);
  }

  #numberOf(text: string, start: number, end: number): number {
    const number = this.#words.numberOf(text, start, end);
    if (number === this.#stemOfWord.length) {
      const word = text.slice(start, end).toLowerCase();
      const stem = stemOf(word);
      this.#stemOfWord.push(this.#stems.numberOf(stem, 0, stem.length));
      this.#isInflected.push(stem !== word);
    }
    return number;
  }

  #write(terms: readonly NumberedTerm[], places: Occurrences, kind: number): void {
    const lists = places.postings();
    const used = terms.filter(({ number }) => lists.documents(number) > 0);
    for (const { term, number } of used.sort(compareTerms)) {
      term[0] = kind;
      const documents = lists.documents(number);
      this.#writer.addTerm({ term, documents, postings: lists.postings(number) });
    }
  }
}

interface NumberedTerm {
  readonly term: Term;
  readonly number: number;
  /** Its first letters, as a number. */
  readonly start: number;
}

function numbered(terms: readonly Term[]): readonly NumberedTerm[] {
  return terms.map((term, number) => ({ term, number, start: firstBytes(term) }));
}

/** Of the same kind. */
function compareTerms(a: NumberedTerm, b: NumberedTerm): number {
  return a.start - b.start || compareBytes(a.term, b.term);
}

/** As many as a number holds: they order most terms. The first one, their kind, they have in common. */
function firstBytes(term: Term): number {
  let start = 0;
  for (let i = 1; i <= 6; i++) start = start * 256 + (term[i] ?? 0);
  return start;
}
