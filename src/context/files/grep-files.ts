/** Searching inside files as callers ask for it. A line is found when it holds all that is looked for. */

import type { ScopedStore } from "../../store/store.ts";
import { messageId } from "../../text/identifiers.ts";
import { stemOf } from "../../text/stem.ts";
import { digestOf, filterOf, type GrepInput, limitOf, matcherOf, roomFor } from "../retrieve/grep.ts";
import { type Matches, patternMatches, WordMatcher } from "../retrieve/matches.ts";
import type { QueryTerm } from "../retrieve/parse-query.ts";
import type { Matcher } from "../retrieve/search.ts";
import type { Snippet } from "../retrieve/snippet.ts";
import { type FileHit, searchFiles } from "./search-files.ts";

export type GrepFilesInput = Pick<
  GrepInput,
  | "pattern"
  | "mode"
  | "ignoreCase"
  | "conversations"
  | "limit"
  | "maxTokens"
  | "cursor"
  | "snippetLength"
  | "signal"
>;

export interface FileGrepHit {
  /** Of the file. */
  readonly id: string;
  readonly name: string | null;
  readonly tool: string | null;
  readonly conversation: string;
  readonly message: string;
  readonly line: number;
  readonly byte: number;
  readonly snippet: Snippet;
}

export interface GrepFilesResult {
  readonly hits: readonly FileGrepHit[];
  readonly filesRead: number;
  readonly bytesRead: number;
  /** Ids of files that could not be read, because they are damaged. */
  readonly unreadable: readonly string[];
  readonly next: string | null;
}

const SNIPPET_LENGTH = 240;

export async function grepFiles(
  store: ScopedStore,
  input: GrepFilesInput,
  now: number,
): Promise<GrepFilesResult> {
  const { conversations } = await filterOf(
    store,
    input.conversations === undefined ? {} : { conversations: input.conversations },
    now,
  );
  const { hits, ...rest } = await searchFiles(store, {
    find: finder(matcherOf(input)),
    conversations,
    limit: limitOf(input),
    ...roomFor(input, ({ snippet }: FileHit) => snippet.text),
    cursor: input.cursor ?? null,
    asked: digestOf(input, { order: "time" }),
    snippetLength: input.snippetLength ?? SNIPPET_LENGTH,
    ...(input.signal === undefined ? {} : { signal: input.signal }),
  });
  const shown = hits.map(({ file, line, byte, snippet }) => ({
    ...{ id: file.id, name: file.name, tool: file.tool, conversation: file.conversation },
    ...{ message: messageId(file.conversation, file.seq), line, byte, snippet },
  }));
  return { hits: shown, ...rest };
}

function finder(matcher: Matcher): (line: string) => Matches {
  if (matcher.type === "pattern") return (line) => patternMatches(line, matcher.pattern);
  if (matcher.type === "any") return (line) => ({ text: line, spans: [] });
  const each = matcher.terms.map((term) => new WordMatcher([term]));
  const all = new WordMatcher(matcher.terms);
  const mayHold = beginnings(matcher.terms);
  const isFound = (line: string) =>
    mayHold(line) && each.every((one) => one.matchesIn(line).spans.length > 0);
  return (line) => (isFound(line) ? all.matchesIn(line) : { text: line, spans: [] });
}

/** Characters that every form of a word begins with. */
const BEGINNING = 3;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are ASCII as well
const ASCII = /^[\x00-\x7f]*$/;

/** Most lines lack the letters that a word begins with, which is told without looking at their words. */
function beginnings(terms: readonly QueryTerm[]): (line: string) => boolean {
  const words = terms
    .flatMap((term) =>
      term.type === "phrase" ? term.words : term.type === "word" ? stemOf(term.word) : term.prefix,
    )
    .filter((word) => ASCII.test(word));
  const letters = words.map((word) => word.slice(0, Math.max(1, Math.min(BEGINNING, word.length - 1))));
  // Other letters may stand for these: é for e.
  return (line) => {
    if (!ASCII.test(line)) return true;
    const lower = line.toLowerCase();
    return letters.every((some) => lower.includes(some));
  };
}
