/** Finds the matches of a query in a text. */
import { TermTable } from "../../search/index/term-table.ts";
import { MOST_MATCHES } from "../../text/hints/match-count.ts";
import { LONGEST_WORD, normalised, visitWordRanges, type Word, wordsOf } from "../../text/language/words.ts";
import type { Pattern } from "./compile-pattern.ts";
import { firstLetter, type QueryTerm, type WordTerm, wordTest } from "./parse-query.ts";

export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The searched text and the matches in it. Positions refer to this text. */
export interface Matches {
  readonly text: string;
  readonly spans: readonly Span[];
}

export function patternMatches(text: string, pattern: Pattern): Matches {
  const spans: Span[] = [];
  for (let from = 0; from <= text.length && spans.length < MOST_MATCHES; ) {
    const span = pattern.find(text, from);
    if (span === null) break;
    spans.push(span);
    from = Math.max(span.end, span.start + 1);
  }
  return { text, spans };
}

/** Searches texts for the same words. */
export class WordMatcher {
  readonly #words: WordFinder | null;
  readonly #phrases: readonly (readonly string[])[];
  /** Words that punctuation joined in the query: if they occur together, only such matches are shown. */
  readonly #names: readonly (readonly string[])[];

  constructor(terms: readonly QueryTerm[]) {
    const words = terms.filter((term) => term.type !== "phrase");
    const phrases = terms.filter((term) => term.type === "phrase");
    this.#words = words.length === 0 ? null : new WordFinder(words);
    this.#phrases = phrases.filter(({ joined }) => joined === undefined).map((term) => term.words);
    this.#names = phrases.filter(({ joined }) => joined !== undefined).map((term) => term.words);
  }

  matchesIn(original: string): Matches {
    const shown = inOriginal(original, this.#findIn(normalised(original)));
    return { text: shown.text, spans: united(shown.spans).slice(0, MOST_MATCHES) };
  }

  /** Every match, at its position in the unchanged text, whatever its length. */
  everySpanIn(original: string): readonly Span[] {
    const found = this.#findIn(normalised(original));
    return found.spans.length === 0 ? [] : united(inOriginal(original, found, Infinity).spans);
  }

  #findIn(text: string): Matches {
    const named = this.#spansOf(this.#names, text);
    if (named.length > 0) return { text, spans: named };
    const spans = this.#words?.spansIn(text) ?? [];
    if (this.#phrases.length === 0) return { text, spans };
    spans.push(...this.#spansOf(this.#phrases, text));
    spans.sort((a, b) => a.start - b.start || b.end - a.end);
    return { text, spans };
  }

  #spansOf(phrases: readonly (readonly string[])[], text: string): Span[] {
    if (phrases.length === 0) return [];
    const words = wordsOf(text);
    const spans = phrases.flatMap((phrase) => phraseSpans(words, phrase));
    return spans.sort((a, b) => a.start - b.start || b.end - a.end);
  }
}

/** Ordered spans, with overlapping ones merged: two pairs of characters share the middle one. */
function united(spans: readonly Span[]): Span[] {
  const whole: Span[] = [];
  for (const { start, end } of spans) {
    const last = whole.at(-1);
    if (last === undefined || start >= last.end) whole.push({ start, end });
    else whole[whole.length - 1] = { start: last.start, end: Math.max(last.end, end) };
  }
  return whole;
}

/** Whether the words occur consecutively in the text. */
export function hasPhrase(text: string, phrase: readonly string[]): boolean {
  return phraseSpans(wordsOf(text), phrase).length > 0;
}

function phraseSpans(words: readonly Word[], phrase: readonly string[]): Span[] {
  const spans: Span[] = [];
  for (let i = 0; i + phrase.length <= words.length; i++) {
    if (!phrase.every((word, k) => words[i + k]?.text === word)) continue;
    spans.push({ start: words[i]?.start ?? 0, end: words[i + phrase.length - 1]?.end ?? 0 });
  }
  return spans;
}

/** Texts have far fewer distinct words than words, so each word is tested once. */
class WordFinder {
  readonly #tests: readonly ((word: string) => boolean)[];
  readonly #known = new TermTable();
  /** By word number: whether it matches. */
  readonly #answers: boolean[] = [];
  /** By ASCII letter: 1 if a matching word may begin with it. This rules out most words. */
  readonly #beginnings = new Uint8Array(128);

  constructor(terms: readonly WordTerm[]) {
    this.#tests = terms.map(wordTest);
    for (const letter of terms.map(firstLetter))
      for (const form of [letter, letter.toUpperCase()])
        if (form.charCodeAt(0) < 128) this.#beginnings[form.charCodeAt(0)] = 1;
  }

  spansIn(text: string): Span[] {
    const spans: Span[] = [];
    let before = { word: "", start: 0 };
    visitWordRanges(text, {
      plain: (start, end) => {
        if (this.#isMatch(text, start, Math.min(end, start + LONGEST_WORD))) spans.push({ start, end });
      },
      folded: (word, start, end, isGlued) => {
        const pair = before.word + word;
        if (this.#isMatch(word, 0, word.length)) spans.push({ start, end });
        else if (isGlued && this.#isMatch(pair, 0, pair.length)) spans.push({ start: before.start, end });
        before = { word, start };
      },
    });
    return spans;
  }

  #isMatch(text: string, start: number, end: number): boolean {
    const unit = text.charCodeAt(start);
    if (unit < 128 && this.#beginnings[unit] === 0) return false;
    const number = this.#known.numberOf(text, start, end);
    if (number === this.#answers.length) {
      const word = text.slice(start, end).toLowerCase();
      this.#answers.push(this.#tests.some((test) => test(word)));
    }
    return this.#answers[number] ?? false;
  }
}

/** For a longer text, mapping positions back takes longer than the search: the normalised form is shown. */
const LONGEST = 100_000;
const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** Matches are found in the normalised form of a text, and shown in the original text. */
function inOriginal(original: string, { text, spans }: Matches, longest = LONGEST): Matches {
  if (text === original || original.length > longest) return { text, spans };
  const starts = placesOf(original, text);
  if (starts === undefined) return { text, spans };
  return { text: original, spans: spans.map((span) => placed(span, starts)) };
}

/** For each position in the normalised text, the start of its character in the original. The end is an additional position. */
function placesOf(original: string, text: string): number[] | undefined {
  const starts: number[] = [];
  for (const { segment, index } of graphemes.segment(original)) {
    const form = segment.normalize("NFC");
    if (!text.startsWith(form, starts.length)) return undefined;
    for (let i = 0; i < form.length; i++) starts.push(form === segment ? index + i : index);
  }
  if (starts.length !== text.length) return undefined;
  starts.push(original.length);
  return starts;
}

/** A composed character is included as a whole. */
function placed({ start, end }: Span, starts: readonly number[]): Span {
  let last = end;
  while (last < starts.length - 1 && starts[last] === starts[last - 1]) last++;
  return { start: starts[start] ?? 0, end: starts[last] ?? 0 };
}
