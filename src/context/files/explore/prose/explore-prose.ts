/** Markdown and plain text: headings or table of contents with their lines, key sentences, and what kind of text it is. */
import { counted } from "../../../../text/counted.ts";
import { isReadable } from "../../../../text/is-readable.ts";
import { splitSentences } from "../../../../text/split-sentences.ts";
import { plainLine } from "../../../compact/offline/plain-line.ts";
import type { Findings, Kind, Reading, Section } from "../exploration.ts";
import { LineSplitter } from "../line-splitter.ts";
import { announcesCredential, isPlainSentence } from "../safe-to-show.ts";
import { findHeading, type Heading } from "./find-heading.ts";
import { keySentences } from "./key-sentences.ts";
import { SentenceSample } from "./sentence-sample.ts";

const MOST_HEADINGS = 4_000;
/** Fewer entries than this are no table of contents. */
const FEWEST_CONTENTS = 6;
const LONGEST_PARAGRAPH = 4_000;
const LONGEST_SENTENCE = 220;

interface PlacedHeading extends Heading {
  readonly line: number;
}

export class ProseReading implements Reading {
  readonly isDone = false;
  readonly #kind: Kind;
  readonly #headings: PlacedHeading[] = [];
  #headingCount = 0;
  readonly #sample = new SentenceSample();
  readonly #splitter = new LineSplitter((line, length) => this.#line(line, length));
  #paragraph: string[] = [];
  #paragraphLength = 0;
  #paragraphs = 0;
  #line1 = 0;
  #lines = 0;
  #words = 0;
  #longest = 0;
  #isCode = false;
  #fences = 0;
  /** The sentence before announced a password: this one may be it. */
  #isAnnounced = false;

  constructor(kind: Kind) {
    this.#kind = kind;
  }

  write(text: string): void {
    this.#splitter.write(text);
  }

  finish(): Findings {
    this.#splitter.finish();
    this.#endParagraph();
    const kind = this.#kind;
    if (kind === "empty") return { kind, label: "Empty file", facts: [], sections: [] };
    return {
      kind,
      label: kind === "markdown" ? "Markdown" : "Text",
      facts: this.#facts(),
      sections: [this.#opening(), this.#outline(), this.#keySentences()],
    };
  }

  #line(line: string, length: number): void {
    this.#lines++;
    if (length > this.#longest) this.#longest = length;
    if (/^\s*(?:```|~~~)/.test(line)) {
      this.#isCode = !this.#isCode;
      if (this.#isCode) this.#fences++;
      this.#endParagraph();
    } else if (!this.#isCode || this.#kind !== "markdown") this.#read(line);
  }

  #read(line: string): void {
    const heading = findHeading(line);
    if (heading !== null) {
      this.#endParagraph();
      this.#headingCount++;
      if (this.#headings.length < MOST_HEADINGS) this.#headings.push({ ...heading, line: this.#lines });
    } else if (/\S/.test(line)) this.#addToParagraph(line);
    else this.#endParagraph();
  }

  #addToParagraph(line: string): void {
    if (this.#paragraph.length === 0) this.#line1 = this.#lines;
    this.#words += line.split(/\s+/).length;
    if (this.#paragraphLength < LONGEST_PARAGRAPH) this.#paragraph.push(plainLine(line));
    this.#paragraphLength += line.length;
    if (this.#paragraphLength >= LONGEST_PARAGRAPH) this.#endParagraph();
  }

  #endParagraph(): void {
    if (this.#paragraph.length === 0) return;
    this.#paragraphs++;
    for (const sentence of splitSentences(this.#paragraph.join("\n"))) this.#addSentence(sentence);
    this.#paragraph = [];
    this.#paragraphLength = 0;
  }

  #addSentence(text: string): void {
    const wasAnnounced = this.#isAnnounced;
    this.#isAnnounced = announcesCredential(text);
    if (wasAnnounced || text.length > 2 * LONGEST_SENTENCE || !isReadable(text)) return;
    // Set in columns it is a table.
    if (/\S\s{3,}\S/.test(text)) return;
    this.#sample.add(text, this.#line1);
  }

  #facts(): string[] {
    const facts: string[] = [];
    if (this.#words > 0) facts.push(counted(this.#words, "word"));
    facts.push(counted(this.#paragraphs, "paragraph"));
    if (this.#headingCount > 0) facts.push(counted(this.#headingCount, "heading"));
    if (this.#fences > 0) facts.push(counted(this.#fences, "code block"));
    if (this.#longest > 10_000) facts.push(`longest line ${counted(this.#longest, "character")}`);
    return facts;
  }

  #opening(): Section {
    const first = this.#sample.sentences.filter(({ index }) => index < 4).map(({ text }) => text);
    return { lead: "Begins:", items: first.filter(isShown).slice(0, 1), layout: "inline", share: 0.2 };
  }

  /** A table of contents tells more than the headings it was made from. */
  #outline(): Section {
    const contents = this.#headings.filter(({ source }) => source === "contents");
    const isBook = contents.length >= FEWEST_CONTENTS;
    const others = this.#headings.filter(({ source }) => source !== "contents");
    const marked = others.filter(({ source }) => source === "markdown");
    const all = distinct(isBook ? contents : marked.length > 2 ? marked : others).filter(({ title }) =>
      isPlainSentence(title),
    );
    const byWorth = all
      .map((heading, position) => ({ heading, position }))
      .toSorted((a, b) => a.heading.level - b.heading.level || a.position - b.position);
    return {
      lead: isBook ? "Table of contents:" : "Headings (with lines):",
      items: byWorth.map(
        ({ heading }) =>
          `${"  ".repeat(heading.level - 1)}${heading.title}${isBook ? "" : ` (${heading.line})`}`,
      ),
      positions: byWorth.map(({ position }) => position),
      total: isBook ? all.length : Math.max(all.length, this.#headingCount),
      layout: "outline",
      share: 0.5,
    };
  }

  #keySentences(): Section {
    const shown = this.#sample.sentences.filter(({ text }) => isShown(text));
    const items = keySentences(shown).map(({ text, line }) => `${text} (line ${line})`);
    return { lead: "Key sentences:", items, total: 0, layout: "lines", share: 0.4 };
  }
}

function isShown(text: string): boolean {
  return text.length <= LONGEST_SENTENCE && isPlainSentence(text);
}

/** Running heads of pages repeat. */
function distinct(headings: readonly PlacedHeading[]): PlacedHeading[] {
  const seen = new Set<string>();
  return headings.filter(({ title }) => !seen.has(title) && seen.add(title) !== undefined);
}
