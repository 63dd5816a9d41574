/** What is looked for in the lines of files: all the words, wherever in a line they stand, or a pattern. */
import { stemOf } from "../../../text/language/stem.ts";
import type { Pattern } from "../compile-pattern.ts";
import { type Matches, patternMatches, type Span, WordMatcher } from "../matches.ts";
import type { QueryTerm } from "../parse-query.ts";
import type { Matcher } from "../search.ts";

export interface LineFinder {
  /** Where in a line it is found, as far as anybody counts; no spans when it is not. */
  readonly find: (line: string) => Matches;
  /** Whether a whole line may be found at all. */
  readonly isIn: (line: string) => boolean;
  /** What a line must hold all of, for lines that are read in parts: matches of each, in order. */
  readonly needs: readonly FindSpans[];
  /** Every match, in order. */
  readonly spans: FindSpans;
}

/** From a position on; what stands before it is looked at as well. */
export type FindSpans = (text: string, from: number) => Iterable<Span>;

export function lineFinder(matcher: Matcher): LineFinder {
  if (matcher.type === "words") return wordFinder(matcher.terms);
  if (matcher.type === "pattern") {
    const { pattern } = matcher;
    const spans: FindSpans = (text, from) => patternSpans(pattern, text, from);
    return { find: (line) => patternMatches(line, pattern), isIn: () => true, needs: [], spans };
  }
  return { find: (text) => ({ text, spans: [] }), isIn: () => false, needs: [], spans: () => [] };
}

function* patternSpans(pattern: Pattern, text: string, start: number): Generator<Span> {
  for (let from = start; from <= text.length; ) {
    const span = pattern.find(text, from);
    if (span === null) return;
    yield span;
    from = behind(text, span);
  }
}

/** Where to look for the next match. */
export function behind(text: string, { start, end }: Span): number {
  if (end > start) return end;
  return end + ((text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1);
}

function wordFinder(terms: readonly QueryTerm[]): LineFinder {
  const each = terms.map((term) => new WordMatcher([term]));
  const all = new WordMatcher(terms);
  const mayHold = beginnings(terms);
  const isIn = (line: string) => mayHold(line) && each.every((one) => one.matchesIn(line).spans.length > 0);
  return {
    find: (line) => (isIn(line) ? all.matchesIn(line) : { text: line, spans: [] }),
    isIn,
    needs: each.map((one, i) => {
      const mayBegin = beginnings(terms.slice(i, i + 1));
      return (text, from) => (mayBegin(text) ? wordSpans(one, text, from) : []);
    }),
    spans: (text, from) => wordSpans(all, text, from),
  };
}

function wordSpans(words: WordMatcher, text: string, from: number): Span[] {
  return words.everySpanIn(text).filter(({ start }) => start >= from);
}

/** Characters that every form of a word begins with. */
const BEGINNING = 3;
// Looked for is what must not be there: an expression that takes in a whole line overflows at some 40 MB.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are ASCII as well
const BEYOND_ASCII = /[^\x00-\x7f]/;

/** Most lines lack the letters that a word begins with, which is told without looking at their words. */
function beginnings(terms: readonly QueryTerm[]): (line: string) => boolean {
  const words = terms
    .flatMap((term) =>
      term.type === "phrase" ? term.words : term.type === "word" ? stemOf(term.word) : term.prefix,
    )
    .filter((word) => !BEYOND_ASCII.test(word));
  const letters = words.map((word) => word.slice(0, Math.max(1, Math.min(BEGINNING, word.length - 1))));
  // Other letters may stand for these: é for e.
  return (line) => {
    if (BEYOND_ASCII.test(line)) return true;
    const lower = line.toLowerCase();
    return letters.every((some) => lower.includes(some));
  };
}
