/**
 * What a search must answer, worked out without any index: every text is read, every rule applied to it. Slow, and
 * independent of how segments, postings and ranks are made.
 */
import { RE2JS } from "re2js";
import { stemmer } from "stemmer";
import type { GrepInput } from "../../src/context/retrieve/grep-messages.ts";
import type { Engine } from "../../src/index.ts";
import { textOfParts } from "../../src/message/read-parts.ts";
import { wordsOf } from "../../src/text/language/words.ts";

export interface LinearDocument {
  readonly id: string;
  readonly conversation: string;
  readonly kind: "message" | "summary";
  readonly number: number;
  readonly time: number;
  readonly role: string | null;
  readonly tools: readonly string[];
  readonly text: string;
  /** Counts where averages are made, and is never found. */
  readonly isErased: boolean;
}

/** Everything of the engine's scope that can be found. */
export async function readDocuments(engine: Engine): Promise<LinearDocument[]> {
  const documents: LinearDocument[] = [];
  const { conversations } = await engine.context.conversations.list({ archived: true });
  for (const { id } of conversations) {
    const { messages } = await engine.context.read({ conversation: id, limit: 1_000_000 });
    for (const message of messages)
      documents.push({
        id: message.id,
        conversation: id,
        kind: "message",
        number: message.seq,
        time: Date.parse(message.createdAt),
        role: message.role,
        tools: message.parts.flatMap((part) => (part.type === "tool" ? (part.name ?? []) : [])),
        text: textOfParts(message.parts),
        isErased: message.erasedAt !== null,
      });
    const { summaries } = await engine.context.conversations.summaries(id);
    const inOrder = summaries.toSorted((a, b) => (a.createdAt < b.createdAt ? -1 : 1));
    for (const [index, summary] of inOrder.entries())
      documents.push({
        id: summary.id,
        conversation: id,
        kind: "summary",
        number: index,
        time: Date.parse(summary.latestAt),
        role: null,
        tools: [],
        text: summary.content ?? "",
        isErased: summary.content === null,
      });
  }
  return documents;
}

type Query = Pick<
  GrepInput,
  "pattern" | "mode" | "ignoreCase" | "sort" | "roles" | "tool" | "kinds" | "since" | "before"
> & { readonly conversation?: string };

/** Ids of all hits, in order. Summaries of one moment may stand in any order among themselves. */
export function searchLinearly(documents: readonly LinearDocument[], query: Query): string[] {
  const score = scorer(documents, query);
  const byTime = (a: LinearDocument, b: LinearDocument) =>
    b.time - a.time ||
    compare(a.conversation, b.conversation) ||
    compare(a.kind, b.kind) ||
    b.number - a.number;
  const isRanked = (query.mode ?? "full_text") === "full_text" && query.sort !== "time";
  return documents
    .filter((document) => isLookedAt(document, query))
    .map((document) => ({ document, score: score(document) }))
    .filter((hit) => hit.score > 0)
    .sort((a, b) => (isRanked ? b.score - a.score : 0) || byTime(a.document, b.document))
    .map(({ document }) => document.id);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function isLookedAt(document: LinearDocument, query: Query): boolean {
  return (
    !document.isErased &&
    (query.conversation === undefined || document.conversation === query.conversation) &&
    (query.kinds === undefined || query.kinds.includes(document.kind)) &&
    (query.roles === undefined || query.roles.some((role) => role === document.role)) &&
    (query.tool === undefined || document.tools.includes(query.tool)) &&
    (query.since === undefined || document.time >= Date.parse(query.since)) &&
    (query.before === undefined || document.time < Date.parse(query.before))
  );
}

function scorer(documents: readonly LinearDocument[], query: Query): (document: LinearDocument) => number {
  if (query.mode === "regex" || query.mode === "exact") {
    const source = query.mode === "regex" ? query.pattern : exactly(query);
    const flags = RE2JS.MULTILINE | (query.ignoreCase === true ? RE2JS.CASE_INSENSITIVE : 0);
    const expression = RE2JS.compile(source, flags);
    return ({ text }) => (expression.matcher(text).find() ? 1 : 0);
  }
  return wordScorer(documents, query.pattern, query.sort !== "time");
}

/** Without regard to case, ß and ss are one. */
function exactly({ pattern, ignoreCase }: Query): string {
  const quoted = RE2JS.quote(pattern);
  return ignoreCase === true ? quoted.replaceAll(/ss|ß|ẞ/gi, "(?:ss|ß|ẞ)") : quoted;
}

/** Counts of what is asked for in a text; a text without any of it scores 0. */
type Count = (words: readonly Token[]) => number;
interface Token {
  readonly text: string;
  readonly pair: string | null;
}

function wordScorer(documents: readonly LinearDocument[], pattern: string, isRanked: boolean) {
  const tokens = new Map(documents.map((document) => [document, tokensOf(document.text)]));
  const mean = documents.reduce((sum, one) => sum + (tokens.get(one)?.length ?? 0), 0) / documents.length;
  const weightOf = (holders: number) =>
    holders === 0 ? 0 : Math.log(1 + (documents.length - holders + 0.5) / (holders + 0.5));
  const bm25 = (count: Count, holders: number) => {
    const weight = weightOf(holders);
    return (words: readonly Token[]) => {
      const found = count(words);
      return (weight * found * 2.2) / (found + 1.2 * (0.25 + (0.75 * words.length) / Math.max(1, mean)));
    };
  };
  const holdersOf = (count: Count) => [...tokens.values()].filter((words) => count(words) > 0).length;
  const weights = new Map<string, number>();
  const eachOf = (phrase: readonly string[]) =>
    [...new Set(phrase)].map((word) => {
      const count: Count = (words) => words.filter(({ text, pair }) => text === word || pair === word).length;
      return bm25(count, holdersOf(count));
    });
  // What is asked for twice counts once.
  const parts = new Map<string, (words: readonly Token[]) => number>();
  for (const [, quoted, bare] of pattern.matchAll(/"([^"]*)"|(\S+)/g)) {
    if (quoted === undefined)
      for (const { name, count, holders } of countsOf(bare ?? "")) {
        parts.set(name, bm25(count, holders(holdersOf)));
        weights.set(name, weightOf(holders(holdersOf)));
      }
    const phrase = wordsOf(quoted ?? "").map(({ text }) => text);
    const each = eachOf(phrase);
    if (phrase.length > 0)
      parts.set(`"${phrase.join(" ")}"`, (words) =>
        has(words, phrase) ? each.reduce((sum, one) => sum + one(words), 0) : 0,
      );
  }
  const extra = 3 * 2.2 * [...weights.values()].reduce((sum, weight) => sum + weight, 0);
  const names = (isRanked ? namesIn(pattern) : []).map((name) => ({ ...name, each: eachOf(name.words) }));
  return (document: LinearDocument) => {
    const words = tokens.get(document) ?? [];
    const text = document.text.normalize("NFC").toLowerCase();
    const named = names.map(({ joined, each, ...name }) => {
      if (!has(words, name.words)) return 0;
      const whole = each.reduce((sum, one) => sum + one(words), extra);
      return document.kind === "message" && text.includes(joined) ? whole : whole / 2;
    });
    return [...[...parts.values()].map((part) => part(words)), ...named].reduce((sum, one) => sum + one, 0);
  };
}

/** Words that punctuation joins, and how: a text with them comes before the others, a message that joins them alike first. */
function namesIn(pattern: string): { readonly words: readonly string[]; readonly joined: string }[] {
  const names = new Map<string, readonly string[]>();
  for (const [, quoted, bare = ""] of pattern.matchAll(/"([^"]*)"|(\S+)/g)) {
    const words = wordsOf(bare);
    const isName = words.length > 1 && words.every((one) => !one.isGlued && /[\p{L}\p{N}]/u.test(one.text));
    if (quoted !== undefined || bare.endsWith("*") || !isName) continue;
    const joined = bare.normalize("NFC").slice(words[0]?.start, words.at(-1)?.end).toLowerCase();
    names.set(
      joined,
      words.map(({ text }) => text),
    );
  }
  return [...names].map(([joined, words]) => ({ joined, words }));
}

function tokensOf(text: string): Token[] {
  const words = wordsOf(text);
  return words.map((word, i) => ({
    text: word.text,
    pair: word.isGlued ? (words[i - 1]?.text ?? "") + word.text : null,
  }));
}

function has(words: readonly Token[], phrase: readonly string[]): boolean {
  return words.some((_, i) => phrase.every((word, k) => words[i + k]?.text === word));
}

interface Asked {
  readonly name: string;
  readonly count: Count;
  readonly holders: (holdersOf: (count: Count) => number) => number;
}

function countsOf(bare: string): Asked[] {
  const words = wordsOf(bare);
  const asked = words.flatMap(({ text, isGlued }, i): string[] => {
    if (isGlued) return [(words[i - 1]?.text ?? "") + text];
    return words[i + 1]?.isGlued === true ? [] : [text];
  });
  const last = words.at(-1)?.text;
  const isPrefix = bare.endsWith("*") && last !== undefined;
  const whole = (isPrefix ? asked.slice(0, -1) : asked).map(anyForm);
  return isPrefix ? [...whole, beginning(last)] : whole;
}

/** A word counts for its own form and for its stem; a document with both counts for both. */
function anyForm(word: string): Asked {
  const stem = stemOf(word);
  const own: Count = (words) => words.filter(({ text, pair }) => text === stem || pair === stem).length;
  const inflected: Count = (words) =>
    words.filter(({ text }) => stemOf(text) !== text && stemOf(text) === stem).length;
  return {
    name: word,
    count: (words) => own(words) + inflected(words),
    holders: (holdersOf) => holdersOf(own) + holdersOf(inflected),
  };
}

function beginning(prefix: string): Asked {
  const forms = (words: readonly Token[]) =>
    words
      .flatMap(({ text, pair }) => (pair === null ? [text] : [text, pair]))
      .filter((form) => form.startsWith(prefix));
  return {
    name: `${prefix}*`,
    count: (words) => forms(words).length,
    // Each form is a term of its own, and a document counts for each that it has.
    holders: (holdersOf) => (holdersOf.length === 0 ? 0 : distinctForms(holdersOf, forms)),
  };
}

function distinctForms(
  holdersOf: (count: Count) => number,
  forms: (words: readonly Token[]) => readonly string[],
): number {
  let total = 0;
  holdersOf((words) => {
    total += new Set(forms(words)).size;
    return 0;
  });
  return total;
}

function stemOf(word: string): string {
  return /^[a-z]{3,}$/.test(word) ? stemmer(word) : word;
}
