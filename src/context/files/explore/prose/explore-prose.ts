/** Markdown and plain text: headings or table of contents with line numbers, key sentences, and the kind of text. */
import { count, counted } from "../../../../text/counted.ts";
import { announcesCredential, isPlainSentence } from "../../../../text/credentials/safe-to-show.ts";
import { isReadable } from "../../../../text/language/is-readable.ts";
import { plainLine } from "../../../../text/language/plain-line.ts";
import { placeSentences } from "../../../../text/language/split-sentences.ts";
import type { Findings, Kind, Reading, Section } from "../exploration.ts";
import { LineSplitter } from "../line-splitter.ts";
import { chooseHeadings, type PlacedHeading } from "./choose-headings.ts";
import { findHeading, type Heading, plainTitle } from "./find-heading.ts";
import { keySentences } from "./key-sentences.ts";
import { SentenceSample } from "./sentence-sample.ts";
import { WordCounter } from "./word-counter.ts";

const MOST_HEADINGS = 4_000;
/** Longer paragraphs are read in parts. */
const LONGEST_PART = 4_000;
const LONGEST_SENTENCE = 220;

export class ProseReading implements Reading {
  readonly isDone = false;
  readonly #kind: Kind;
  readonly #headings: PlacedHeading[] = [];
  #headingCount = 0;
  readonly #sample = new SentenceSample();
  readonly #splitter = new LineSplitter((line, length) => this.#line(line, length));
  readonly #counter = new WordCounter();
  /** Lines of the current paragraph that are not read yet. */
  #part: string[] = [];
  #partLength = 0;
  #partLine = 0;
  #paragraphs = 0;
  #isInParagraph = false;
  #lines = 0;
  #longest = 0;
  #isCode = false;
  /** The metadata block at the beginning of some Markdown files, between two lines of dashes. */
  #isFrontMatter = false;
  /** The previous line, if an underline would make it a heading. */
  #title: string | null = null;
  #fences = 0;
  /** A password was announced: it may follow anywhere up to the end of the next paragraph. */
  #isAnnounced = false;
  #hasDropped = false;

  constructor(kind: Kind) {
    this.#kind = kind;
  }

  write(text: string): void {
    this.#counter.write(text);
    this.#splitter.write(text);
  }

  finish(): Findings {
    this.#splitter.finish();
    this.#endPart();
    const kind = this.#kind;
    if (kind === "empty") {
      const label = this.#lines === 0 ? "Empty file" : "File of nothing but white space";
      return { kind, label, facts: [], sections: [] };
    }
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
      this.#endPart();
      if (this.#kind === "markdown") this.#isInParagraph = false;
      this.#title = null;
    } else if (!this.#isCode || this.#kind !== "markdown") this.#read(line);
  }

  #read(line: string): void {
    const level = underlineLevel(line);
    const title = this.#title;
    this.#title = null;
    if (level === 2 && (this.#lines === 1 || this.#isFrontMatter)) {
      this.#isFrontMatter = !this.#isFrontMatter;
      this.#endParagraph();
    } else if (level !== null && title !== null) this.#underlined(title, level);
    else this.#readLine(line);
  }

  #readLine(line: string): void {
    const heading = findHeading(line);
    if (heading !== null) {
      this.#endPart();
      // A line that only looks like a heading is part of a paragraph if no blank line follows.
      if (heading.source === "markdown") this.#isInParagraph = false;
      else this.#title = line;
      this.#addHeading(heading, this.#lines);
    } else if (/\S/.test(line)) {
      if (!this.#isInParagraph && !this.#isFrontMatter && mayBeTitle(line)) this.#title = line;
      this.#addToParagraph(line);
    } else this.#endParagraph();
  }

  /** The previous line was counted as a paragraph, or as a heading by its form. */
  #underlined(title: string, level: number): void {
    const line = this.#lines - 1;
    if (this.#headings.at(-1)?.line === line) {
      this.#headings.pop();
      this.#headingCount--;
    } else if (this.#part.length === 1) {
      this.#part = [];
      this.#partLength = 0;
      this.#paragraphs--;
    }
    this.#isInParagraph = false;
    this.#addHeading({ title: plainTitle(title), level, source: "markdown" }, line);
  }

  #addHeading(heading: Heading, line: number): void {
    this.#headingCount++;
    this.#isAnnounced ||= announcesCredential(heading.title);
    if (this.#headings.length < MOST_HEADINGS) this.#headings.push({ ...heading, line });
  }

  #endParagraph(): void {
    this.#endPart();
    this.#isInParagraph = false;
  }

  #addToParagraph(line: string): void {
    if (!this.#isInParagraph) this.#paragraphs++;
    this.#isInParagraph = true;
    if (this.#part.length === 0) this.#partLine = this.#lines;
    this.#part.push(plainLine(line));
    this.#partLength += line.length;
    if (this.#partLength >= LONGEST_PART) this.#endPart();
  }

  #endPart(): void {
    if (this.#part.length === 0) return;
    for (const { text, line } of placeSentences(this.#part.join("\n")))
      this.#addSentence(text, this.#partLine + line);
    this.#part = [];
    this.#partLength = 0;
    if (this.#hasDropped) this.#isAnnounced = this.#hasDropped = false;
  }

  #addSentence(text: string, line: number): void {
    if (this.#isAnnounced) this.#hasDropped = true;
    const isHidden = this.#isAnnounced;
    this.#isAnnounced ||= announcesCredential(text);
    if (isHidden || text.length > 2 * LONGEST_SENTENCE || !isReadable(text)) return;
    // Text in columns is a table.
    if (/\S\s{3,}\S/.test(text)) return;
    this.#sample.add(text, line);
  }

  #facts(): string[] {
    const facts: string[] = [];
    if (this.#counter.words > 0) facts.push(counted(this.#counter.words, "word"));
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

  #outline(): Section {
    const { headings, isContents } = chooseHeadings(this.#headings);
    const plain = headings.filter(({ title }) => isPlainSentence(title));
    const placed = plain.map((heading, position) => ({ heading, position }));
    const byWorth = placed.toSorted((a, b) => a.heading.level - b.heading.level || a.position - b.position);
    return {
      lead: isContents ? "Table of contents (lines in brackets):" : "Headings (lines in brackets):",
      items: byWorth.map(({ heading }) => describeHeading(heading)),
      positions: byWorth.map(({ position }) => position),
      total: headings.length,
      layout: "outline",
      share: 0.55,
    };
  }

  #keySentences(): Section {
    const shown = this.#sample.sentences.filter(({ text }) => isShown(text));
    const items = keySentences(shown).map(({ text, line }) => `${text} (line ${line})`);
    return { lead: "Key sentences:", items, isChoice: true, layout: "lines", share: 0.4 };
  }
}

function isShown(text: string): boolean {
  return text.length <= LONGEST_SENTENCE && isPlainSentence(text);
}

function describeHeading({ title, level, line }: PlacedHeading): string {
  return `${"  ".repeat(Math.min(level, 6) - 1)}${title}${line > 0 ? ` (${count(line)})` : ""}`;
}

/** The level of an underlined heading: `====` is the first, `----` the second. */
function underlineLevel(line: string): 1 | 2 | null {
  if (/^ {0,3}={3,}\s*$/.test(line)) return 1;
  return /^ {0,3}-{3,}\s*$/.test(line) ? 2 : null;
}

/** Lists, quotes, tables, rules and code before a line of dashes are not a title. */
function mayBeTitle(line: string): boolean {
  return (
    line.length <= 200 && /[\p{L}\p{N}]/u.test(line) && !/^(?: {4}|\t|\s*(?:[-*+>|]|\d+[.)])\s)/.test(line)
  );
}
