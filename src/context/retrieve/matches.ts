/** Where in a text the matches of a query stand. */
import { normalised, type Word, wordsOf } from "../../text/words.ts";
import { type QueryTerm, type WordTerm, wordTest } from "./parse-query.ts";
import type { Pattern } from "./pattern.ts";

export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A text in which matches were looked for, and where they are. Positions are in this text. */
export interface Matches {
  readonly text: string;
  readonly spans: readonly Span[];
}

/** Of one text more are not needed to show it. */
const MOST_SPANS = 1_000;

export function patternMatches(text: string, pattern: Pattern): Matches {
  const spans: Span[] = [];
  for (let from = 0; from <= text.length && spans.length < MOST_SPANS; ) {
    const span = pattern.find(text, from);
    if (span === null) break;
    spans.push(span);
    from = Math.max(span.end, span.start + 1);
  }
  return { text, spans };
}

export function wordMatches(original: string, terms: readonly QueryTerm[]): Matches {
  const text = normalised(original);
  const words = wordsOf(text);
  const phrases = terms.filter((term) => term.type === "phrase");
  const others = terms.filter((term) => term.type !== "phrase");
  const spans = [...phrases.flatMap((term) => phraseSpans(words, term.words)), ...wordSpans(words, others)];
  return { text, spans: spans.sort((a, b) => a.start - b.start || b.end - a.end).slice(0, MOST_SPANS) };
}

/** Whether the words stand in the text one behind the other. */
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

function wordSpans(words: readonly Word[], terms: readonly WordTerm[]): Span[] {
  if (terms.length === 0) return [];
  const isMatch = anyOf(terms.map(wordTest));
  const spans: Span[] = [];
  words.forEach(({ text, start, end, isGlued }, i) => {
    const before = isGlued ? words[i - 1] : undefined;
    if (isMatch(text)) spans.push({ start, end });
    else if (before !== undefined && isMatch(before.text + text)) spans.push({ start: before.start, end });
  });
  return spans;
}

/** A text has far fewer different words than words. */
function anyOf(tests: readonly ((word: string) => boolean)[]): (word: string) => boolean {
  const known = new Map<string, boolean>();
  return (word) => {
    let answer = known.get(word);
    if (answer === undefined) {
      answer = tests.some((test) => test(word));
      known.set(word, answer);
    }
    return answer;
  };
}
