/** Turns documents into a segment of the search index. Pure: the same documents give the same bytes. */

import { Occurrences } from "../../../search/index/occurrences.ts";
import { type Page, PageWriter } from "../../../search/index/pages.ts";
import { StemmedWords } from "../../../search/index/stemmed-words.ts";
import { writeSorted, writeTerms } from "../../../search/index/write-terms.ts";
import { STEM, toolTerm, trigramTerm, visitTerms, WORD } from "../../../search/terms.ts";
import { ASCII_TRIGRAMS, visitTrigrams } from "../../../text/language/trigrams.ts";
import type { MessageFormat } from "../../../types.ts";
import { textOf } from "../searchable.ts";
import { type DocumentFacts, packDocuments, type Speaker } from "./documents.ts";

export interface IndexedDocument {
  readonly time: number;
  readonly speaker: Speaker;
  readonly tools: readonly string[];
  /** The stored content: a message with its format, or a summary's text. Null once erased. */
  readonly format: MessageFormat | null;
  readonly content: string | Uint8Array | null;
}

export interface BuiltSegment {
  readonly documents: number;
  /** Words of all documents together. */
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
  readonly #words = new StemmedWords();
  readonly #wordPlaces = new Occurrences();
  /** Stems of inflected words: other words are found by the word itself. */
  readonly #stemPlaces = new Occurrences();
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
    if (this.#words.isInflected(word)) this.#stemPlaces.add(this.#words.stemOf(word), document);
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
    writeTerms(writer, WORD, this.#words.words, this.#wordPlaces);
    writeTerms(writer, STEM, this.#words.stems, this.#stemPlaces);
    // On separate pages: only these terms depend on earlier messages.
    writer.finishPage();
    const tools = Array.from(this.#tools, ([tool, number]) => ({ term: toolTerm(tool), number }));
    writeSorted(writer, tools, this.#toolPlaces);
    writer.finishPage();
    return writer.pages;
  }
}

/**
 * 16 MB of zeros, reused for the next segment: a search after every message builds a small one, and allocating the table
 * again would trigger garbage collection. Null while it is in use.
 */
let emptyTable: Int32Array | null = null;

/** Trigrams of three ASCII characters, nearly all of them, use a table. */
class TrigramTerms {
  /** Two numbers each: the last document that contained it, and its own number; both plus one. */
  readonly #table = emptyTable ?? new Int32Array(2 * ASCII_TRIGRAMS);
  readonly #others = new Map<number, number>();
  readonly #trigrams: number[] = [];
  readonly #occurrences = new Occurrences();

  constructor() {
    emptyTable = null;
  }

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
      writer.addTerm({
        term: trigramTerm(trigram),
        documents: lists.documents(number),
        postings: lists.postings(number),
      });
    this.#giveBack();
  }

  #giveBack(): void {
    for (const trigram of this.#trigrams)
      if (trigram < ASCII_TRIGRAMS) this.#table.fill(0, 2 * trigram, 2 * trigram + 2);
    emptyTable = this.#table;
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
