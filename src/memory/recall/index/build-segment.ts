/**
 * Turns memories into a segment of the word index. Pure: the same memories give the same bytes, independent of how they were
 * grouped. A stem has its own list only if another form of it occurs in the segment; otherwise
 * the list of the word that equals the stem is the same.
 */
import { Occurrences } from "../../../search/index/occurrences.ts";
import { PackedSegmentWriter } from "../../../search/index/packed-segment-writer.ts";
import { StemmedWords } from "../../../search/index/stemmed-words.ts";
import { writeTerms } from "../../../search/index/write-terms.ts";
import { visitTerms } from "../../../search/terms.ts";
import type { MemoryDocument } from "./memory-document.ts";
import { STEM, TAG_STEM, TAG_WORD, WORD } from "./term-kinds.ts";

/** The weight of a word of the abstract if the memory has more text. */
const ABSTRACT = 2;

export function buildSegment(documents: readonly MemoryDocument[]): Uint8Array {
  const builder = new SegmentBuilder();
  for (const document of documents) builder.add(document);
  return builder.build();
}

class SegmentBuilder {
  readonly #writer = new PackedSegmentWriter();
  readonly #words = new StemmedWords();
  readonly #wordPlaces = new Occurrences();
  readonly #stemPlaces = new Occurrences();
  readonly #tagWordPlaces = new Occurrences();
  readonly #tagStemPlaces = new Occurrences();
  /** Stems that occur in another form in a text. */
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
    const { words, stems } = this.#words;
    writeTerms(this.#writer, WORD, words, this.#wordPlaces);
    writeTerms(this.#writer, STEM, stems, this.#stemPlaces, (stem) => this.#inflectedStems.has(stem));
    writeTerms(this.#writer, TAG_WORD, words, this.#tagWordPlaces);
    writeTerms(this.#writer, TAG_STEM, stems, this.#tagStemPlaces);
    return this.#writer.finish();
  }

  #addText(text: string, weight: number): number {
    return visitTerms(text, (source, start, end) => {
      const word = this.#words.numberOf(source, start, end);
      const stem = this.#words.stemOf(word);
      for (let i = 0; i < weight; i++) {
        this.#wordPlaces.add(word, this.#document);
        this.#stemPlaces.add(stem, this.#document);
      }
      if (this.#words.isInflected(word)) this.#inflectedStems.add(stem);
    });
  }

  /** Called after the words of the text. */
  #addTagWord(text: string, start: number, end: number): void {
    const word = this.#words.numberOf(text, start, end);
    const stem = this.#words.stemOf(word);
    if (!this.#wordPlaces.isIn(word, this.#document)) this.#tagWordPlaces.add(word, this.#document);
    if (!this.#stemPlaces.isIn(stem, this.#document)) this.#tagStemPlaces.add(stem, this.#document);
  }
}
