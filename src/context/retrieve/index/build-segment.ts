/** Turns documents into a segment of the search index. Pure: the same documents give the same bytes. */
import { compareBytes } from "../../../text/compare-bytes.ts";
import { ASCII_TRIGRAMS, visitTrigrams } from "../../../text/trigrams.ts";
import { decodeLeniently } from "../../../text/utf8.ts";
import type { MessageFormat } from "../../../types.ts";
import { textOfParts } from "../../ingest/read-parts.ts";
import { partsOf } from "../../ingest/stored-value.ts";
import { type DocumentFacts, packDocuments, type Speaker } from "./documents.ts";
import { Occurrences } from "./occurrences.ts";
import { type Page, PageWriter } from "./pages.ts";
import { stemOf, stemTerm, type Term, toolTerm, trigramTerm, visitTerms, wordTerm } from "./terms.ts";

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

function textOf({ format, content }: IndexedDocument): string {
  if (content === null) return "";
  if (format !== null) return textOfParts(partsOf(format, content));
  return typeof content === "string" ? content : decodeLeniently(content);
}

class SegmentBuilder {
  readonly #facts: DocumentFacts[] = [];
  readonly #words = new NamedTerms(wordTerm);
  readonly #stems = new NamedTerms(stemTerm);
  readonly #stemOfWord: string[] = [];
  readonly #tools = new NamedTerms(toolTerm);
  readonly #trigrams = new TrigramTerms();

  add(indexed: IndexedDocument): void {
    const { time, speaker, tools } = indexed;
    const text = textOf(indexed);
    const document = this.#facts.length;
    const words = visitTerms(text, (word) => this.#addWord(word, document));
    for (const tool of tools) this.#tools.add(tool, document);
    this.#trigrams.addAll(text, document);
    this.#facts.push({ time, speaker, words });
  }

  /** A word's stem is looked up when the word is new. */
  #addWord(word: string, document: number): void {
    const number = this.#words.add(word, document);
    let stem = this.#stemOfWord[number];
    if (stem === undefined) {
      stem = stemOf(word);
      this.#stemOfWord[number] = stem;
    }
    if (stem !== word) this.#stems.add(stem, document);
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
    for (const terms of [this.#trigrams, this.#words, this.#stems]) terms.write(writer);
    // On pages of their own: they depend on the messages before, and nothing else does.
    writer.finish();
    this.#tools.write(writer);
    writer.finish();
    return writer.pages;
  }
}

class NamedTerms {
  readonly #toTerm: (name: string) => Term;
  readonly #numbers = new Map<string, number>();
  readonly #occurrences = new Occurrences();

  constructor(toTerm: (name: string) => Term) {
    this.#toTerm = toTerm;
  }

  /** Answers with the term's number, which counts up from 0 with each new one. */
  add(name: string, document: number): number {
    let number = this.#numbers.get(name);
    if (number === undefined) {
      number = this.#numbers.size;
      this.#numbers.set(name, number);
    }
    this.#occurrences.add(number, document);
    return number;
  }

  write(writer: PageWriter): void {
    const terms = [...this.#numbers].map(([name, number]) => ({ term: this.#toTerm(name), number }));
    const lists = this.#occurrences.postings();
    for (const { term, number } of terms.sort((a, b) => compareBytes(a.term, b.term)))
      writer.add({ term, documents: lists.documents(number), postings: lists.postings(number) });
  }
}

/** Those of three ASCII characters are looked up in a table. */
class TrigramTerms {
  readonly #table = new Int32Array(ASCII_TRIGRAMS).fill(-1);
  readonly #others = new Map<number, number>();
  readonly #trigrams: number[] = [];
  readonly #occurrences = new Occurrences();

  addAll(text: string, document: number): void {
    visitTrigrams(text, (trigram) => {
      const known = trigram < ASCII_TRIGRAMS ? (this.#table[trigram] ?? -1) : -1;
      this.#occurrences.mark(known >= 0 ? known : this.#numberOf(trigram), document);
    });
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

  #numberOf(trigram: number): number {
    const known = this.#others.get(trigram);
    if (known !== undefined) return known;
    const number = this.#trigrams.push(trigram) - 1;
    if (trigram < ASCII_TRIGRAMS) this.#table[trigram] = number;
    else this.#others.set(trigram, number);
    return number;
  }
}
