/** The search in the lines of files: for all the words, anywhere in a line, or for a pattern. */
import { stemOf } from "../../../text/language/stem.ts";
import type { Pattern } from "../compile-pattern.ts";
import { type Matches, patternMatches, type Span, WordMatcher } from "../matches.ts";
import type { QueryTerm } from "../parse-query.ts";
import type { Matcher } from "../search.ts";

export interface LineFinder {
  /** The matches in a line, up to the counting limit; no spans if it does not match. */
  readonly find: (line: string) => Matches;
  /** Whether a whole line may match at all. */
  readonly isIn: (line: string) => boolean;
  /** Everything that a line must contain, for lines that are read in parts: the matches of each, in order. */
  readonly needs: readonly FindSpans[];
  /** Every match, in order. */
  readonly spans: FindSpans;
}

/** Matches from a position on; the text before it is still used as context. */
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

/** The position to search for the next match. */
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

/** Number of initial characters that all forms of a word share. */
const BEGINNING = 3;
// Searches for a forbidden character: an expression that matches a whole line overflows at about 40 MB.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are ASCII as well
const BEYOND_ASCII = /[^\x00-\x7f]/;

/** Most lines lack the initial letters of a word, which is checked without splitting them into words. */
function beginnings(terms: readonly QueryTerm[]): (line: string) => boolean {
  const words = terms
    .flatMap((term) =>
      term.type === "phrase" ? term.words : term.type === "word" ? stemOf(term.word) : term.prefix,
    )
    .filter((word) => !BEYOND_ASCII.test(word));
  const letters = words.map((word) => word.slice(0, Math.max(1, Math.min(BEGINNING, word.length - 1))));
  // Other letters may match these: é matches e.
  return (line) => {
    if (BEYOND_ASCII.test(line)) return true;
    const lower = line.toLowerCase();
    return letters.every((some) => lower.includes(some));
  };
}
