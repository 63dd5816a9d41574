/** Where in a text the matches of a query stand. */
import { normalised, type Word, wordsOf } from "../../text/words.ts";
import { matchesWord, type QueryTerm } from "./parse-query.ts";
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
  const spans = terms.flatMap((term) =>
    term.type === "phrase" ? phraseSpans(words, term.words) : wordSpans(words, term),
  );
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

function wordSpans(words: readonly Word[], term: Exclude<QueryTerm, { type: "phrase" }>): Span[] {
  return words.flatMap(({ text, start, end, isGlued }, i) => {
    if (matchesWord(term, text)) return [{ start, end }];
    const before = words[i - 1];
    const isPair = isGlued && before !== undefined && matchesWord(term, before.text + text);
    return isPair ? [{ start: before.start, end }] : [];
  });
}
