/** Turns documents into a segment of the search index. Pure: the same documents give the same bytes. */

import { Occurrences } from "../../../search/occurrences.ts";
import { TermTable } from "../../../search/term-table.ts";
import { STEM, type Term, toolTerm, trigramTerm, visitTerms, WORD } from "../../../search/terms.ts";
import { compareBytes } from "../../../text/compare-bytes.ts";
import { stemOf } from "../../../text/language/stem.ts";
import { ASCII_TRIGRAMS, visitTrigrams } from "../../../text/language/trigrams.ts";
import type { MessageFormat } from "../../../types.ts";
import { textOf } from "../searchable.ts";
import { type DocumentFacts, packDocuments, type Speaker } from "./documents.ts";
import { type Page, PageWriter } from "./pages.ts";

export interface IndexedDocument {
  readonly time: number;
  readonly speaker: Speaker;
  readonly tools: readonly string[];
  /** As it is stored: of a message with its format, of a summary the text. Null once erased. */
  readonly format: MessageFormat | null;
  readonly content: string | Uint8Array | null;
}

export interface BuiltSegment {
  readonly documents: number;
  /** Of all documents together. */
  readonly words: number;
  readonly earliest: number;
  readonly latest: number;
  readonly columns: Uint8Array;
  readonly pages: readonly Page[];
}

export function buildSegment(documents: readonly IndexedDocument[]): BuiltSegment {
  const builder = new SegmentBuilder();
  for (const document of documents) builder.add(document);
  return builder.build();
}

class SegmentBuilder {
  readonly #facts: DocumentFacts[] = [];
  readonly #words = new TermTable();
  readonly #wordPlaces = new Occurrences();
  readonly #stems = new TermTable();
  readonly #stemPlaces = new Occurrences();
  /** By a word's number: that of its stem, or null for a word that is its own. */
  readonly #stemOfWord: (number | null)[] = [];
  readonly #tools = new Map<string, number>();
  readonly #toolPlaces = new Occurrences();
  readonly #trigrams = new TrigramTerms();

  add(indexed: IndexedDocument): void {
    const { time, speaker, tools } = indexed;
    const text = textOf(indexed);
    const document = this.#facts.length;
    const words = visitTerms(text, (source, start, end) => this.#addWord(source, start, end, document));
    for (const tool of tools) this.#addTool(tool, document);
    this.#trigrams.addAll(text, document);
    this.#facts.push({ time, speaker, words });
  }

  #addWord(text: string, start: number, end: number, document: number): void {
    const word = this.#words.numberOf(text, start, end);
    this.#wordPlaces.add(word, document);
    if (word === this.#stemOfWord.length)
      this.#stemOfWord.push(this.#findStem(text.slice(start, end).toLowerCase()));
    const stem = this.#stemOfWord[word] ?? null;
    if (stem !== null) this.#stemPlaces.add(stem, document);
  }

  #findStem(word: string): number | null {
    const stem = stemOf(word);
    return stem === word ? null : this.#stems.numberOf(stem, 0, stem.length);
  }

  #addTool(tool: string, document: number): void {
    const number = this.#tools.get(tool) ?? this.#tools.size;
    this.#tools.set(tool, number);
    this.#toolPlaces.add(number, document);
  }

  build(): BuiltSegment {
    const times = this.#facts.map(({ time }) => time);
    return {
      documents: this.#facts.length,
      words: this.#facts.reduce((sum, { words }) => sum + words, 0),
      earliest: times.reduce((a, b) => Math.min(a, b), Number.MAX_SAFE_INTEGER),
      latest: times.reduce((a, b) => Math.max(a, b), Number.MIN_SAFE_INTEGER),
      columns: packDocuments(this.#facts),
      pages: this.#pages(),
    };
  }

  #pages(): readonly Page[] {
    const writer = new PageWriter();
    this.#trigrams.write(writer);
    writeTerms(writer, this.#words.terms(WORD), this.#wordPlaces);
    writeTerms(writer, this.#stems.terms(STEM), this.#stemPlaces);
    // On pages of their own: they depend on the messages before, and nothing else does.
    writer.finish();
    writeTerms(writer, [...this.#tools.keys()].map(toolTerm), this.#toolPlaces);
    writer.finish();
    return writer.pages;
  }
}

/** Terms by their numbers. */
function writeTerms(writer: PageWriter, terms: readonly Term[], occurrences: Occurrences): void {
  const lists = occurrences.postings();
  const sorted = terms.map((term, number) => ({ term, number, start: firstBytes(term) }));
  sorted.sort((a, b) => a.start - b.start || compareBytes(a.term, b.term));
  for (const { term, number } of sorted)
    writer.add({ term, documents: lists.documents(number), postings: lists.postings(number) });
}

/** Orders most terms by themselves. The first one, their kind, they have in common. */
function firstBytes(term: Term): number {
  return (((term[1] ?? 0) * 256 + (term[2] ?? 0)) * 256 + (term[3] ?? 0)) * 256 + (term[4] ?? 0);
}

/** Those of three ASCII characters, nearly all there are, have a table. */
class TrigramTerms {
  /** Two numbers each: the document it was last seen in, and its own number; both one more than they are. */
  readonly #table = new Int32Array(2 * ASCII_TRIGRAMS);
  readonly #others = new Map<number, number>();
  readonly #trigrams: number[] = [];
  readonly #occurrences = new Occurrences();

  addAll(text: string, document: number): void {
    const others = new Set<number>();
    visitTrigrams(text, (trigram) => {
      if (trigram >= ASCII_TRIGRAMS) others.add(trigram);
      else if (this.#table[2 * trigram] !== document + 1) this.#addAscii(trigram, document);
    });
    for (const trigram of others) this.#occurrences.add(this.#numberOfOther(trigram), document);
  }

  write(writer: PageWriter): void {
    const lists = this.#occurrences.postings();
    const terms = this.#trigrams.map((trigram, number) => ({ trigram, number }));
    for (const { trigram, number } of terms.sort((a, b) => a.trigram - b.trigram))
      writer.add({
        term: trigramTerm(trigram),
        documents: lists.documents(number),
        postings: lists.postings(number),
      });
  }

  #addAscii(trigram: number, document: number): void {
    this.#table[2 * trigram] = document + 1;
    const number = this.#table[2 * trigram + 1] || this.#trigrams.push(trigram);
    this.#table[2 * trigram + 1] = number;
    this.#occurrences.add(number - 1, document);
  }

  #numberOfOther(trigram: number): number {
    const known = this.#others.get(trigram);
    if (known !== undefined) return known;
    const number = this.#trigrams.push(trigram) - 1;
    this.#others.set(trigram, number);
    return number;
  }
}
