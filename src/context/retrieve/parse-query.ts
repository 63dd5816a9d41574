/** Parses a query: words, "phrases" and prefixes*, each of which makes a document a match. */
import { PalimpsestError } from "../../errors.ts";
import { stemTerm, type Term, wordTerm } from "../../search/terms.ts";
import type { TermRange } from "../../store/search-store.ts";
import { counted } from "../../text/counted.ts";
import { stemOf } from "../../text/language/stem.ts";
import { normalised, type Word, wordsOf } from "../../text/language/words.ts";

export type QueryTerm =
  /** Any form of a word, or two adjacent characters of a script without spaces. */
  | { readonly type: "word"; readonly word: string }
  | { readonly type: "prefix"; readonly prefix: string }
  /** These words, exactly and consecutively. */
  | {
      readonly type: "phrase";
      readonly words: readonly string[];
      /**
       * The text as typed, if punctuation joins the words: `AgentSession.executeBash`. Such a phrase ranks its documents
       * first but is not required for a match: the words are also searched separately.
       */
      readonly joined?: string;
    };

export type WordTerm = Exclude<QueryTerm, { type: "phrase" }>;

/** About one page of text; each term is looked up in every segment. */
const MOST_TERMS = 1_000;
/** A star after a phrase belongs to it. */
const PIECE = /"([^"]*)"(\*?)|(\S+)/g;

export function parseQuery(text: string): readonly QueryTerm[] {
  const terms = new Map<string, QueryTerm>();
  for (const [, quoted, star = "", bare = ""] of text.matchAll(PIECE))
    for (const term of quoted === undefined ? bareTerms(bare) : phraseTerms(quoted + star))
      terms.set(JSON.stringify(term), term);
  if (terms.size === 0)
    throw new PalimpsestError("invalid-input", "the query contains no words", {
      advice: "To search for symbols, use `mode=exact`, which matches literal text.",
    });
  if (terms.size > MOST_TERMS) throw tooManyWords(terms.size);
  return [...terms.values()];
}

/** A longer query is a text, in which no single name is meant. */
const MOST_JOINED = 8;

/** Phrases of the words that punctuation joins in a query: names, paths and the like. */
export function joinedPhrases(text: string): readonly QueryTerm[] {
  const phrases = [...text.matchAll(PIECE)].flatMap(([, quoted, , bare = ""]): QueryTerm[] => {
    const words = wordsOf(bare);
    const [first, last] = [words[0], words.at(-1)];
    const isName = quoted === undefined && !bare.endsWith("*") && words.every(isInName);
    if (!isName || words.length < 2 || first === undefined || last === undefined) return [];
    const joined = normalised(bare).slice(first.start, last.end).toLowerCase();
    return [{ type: "phrase", words: words.map((word) => word.text), joined }];
  });
  const different = new Map(phrases.map((phrase) => [JSON.stringify(phrase), phrase]));
  return [...different.values()].slice(0, MOST_JOINED);
}

/** Letters or digits of a script with spaces between words. */
function isInName({ text, isGlued }: Word): boolean {
  return !isGlued && /[\p{L}\p{N}]/u.test(text);
}

function tooManyWords(count: number): PalimpsestError {
  return new PalimpsestError(
    "invalid-input",
    `the query has ${counted(count, "word")}; the limit is ${counted(MOST_TERMS, "word")}`,
    { advice: "Search for the rarest words, or for one line with the mode exact." },
  );
}

function bareTerms(piece: string): QueryTerm[] {
  const words = wordsOf(piece);
  const terms = words.flatMap((word, i) => wordTerms(words, i, word));
  const last = words.at(-1);
  if (last === undefined || !piece.endsWith("*")) return terms;
  return [...terms.slice(0, -1), { type: "prefix", prefix: last.text }];
}

/** A character with a neighbour is searched as a pair. */
function wordTerms(words: readonly Word[], i: number, word: Word): QueryTerm[] {
  const before = words[i - 1];
  if (word.isGlued && before !== undefined) return [{ type: "word", word: before.text + word.text }];
  return words[i + 1]?.isGlued === true ? [] : [{ type: "word", word: word.text }];
}

const PREFIX_IN_PHRASE = /^[^*]*[\p{L}\p{N}]\*$/u;

function phraseTerms(text: string): QueryTerm[] {
  if (PREFIX_IN_PHRASE.test(text))
    throw new PalimpsestError(
      "invalid-input",
      `a phrase can contain only whole words, but "${text}" ends in a prefix`,
      {
        advice: 'Put the prefix beside the phrase, as in "checkpoint" sto*, or use the mode regex.',
      },
    );
  const words = wordsOf(text).map((word) => word.text);
  return words.length === 0 ? [] : [{ type: "phrase", words }];
}

/** The query for this term alone. */
export function patternOf(term: QueryTerm): string {
  if (term.type === "phrase") return `"${term.words.join(" ")}"`;
  return term.type === "prefix" ? `${term.prefix}*` : term.word;
}

const knownRanges = new WeakMap<QueryTerm, readonly TermRange[]>();

/** The ranges of a term in the index. A phrase is a list of words that must all occur. Called for every segment. */
export function rangesOf(term: QueryTerm): readonly TermRange[] {
  const ranges = knownRanges.get(term) ?? makeRanges(term);
  knownRanges.set(term, ranges);
  return ranges;
}

function makeRanges(term: QueryTerm): readonly TermRange[] {
  switch (term.type) {
    case "word": {
      const stem = stemOf(term.word);
      return [only(wordTerm(stem)), only(stemTerm(stem))];
    }
    case "prefix": {
      const from = wordTerm(term.prefix);
      return [{ from, to: behind(from) }];
    }
    case "phrase":
      return [...new Set(term.words)].map((word) => only(wordTerm(word)));
  }
}

export function only(term: Term): TermRange {
  return { from: term, to: term };
}

/** No text contains this byte, so no term with this prefix sorts after it. */
function behind(term: Term): Term {
  const end = new Uint8Array(term.length + 1);
  end.set(term);
  end[term.length] = 0xff;
  return end;
}

/** The first letter of every matching word: stemming only removes endings. */
export function firstLetter(term: WordTerm): string {
  return (term.type === "prefix" ? term.prefix : stemOf(term.word)).charAt(0);
}

/** Whether a word of a text matches the term. */
export function wordTest(term: WordTerm): (word: string) => boolean {
  if (term.type === "prefix") return (word) => word.startsWith(term.prefix);
  const stem = stemOf(term.word);
  const [first] = stem;
  // Stemming removes endings and never makes a word longer.
  return (word) =>
    word === stem || (word[0] === first && word.length >= stem.length && stemOf(word) === stem);
}
