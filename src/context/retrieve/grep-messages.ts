/** Search as callers request it: checks the input and returns the hits with the text around them. */
import type { z } from "zod";
import { PalimpsestError } from "../../errors.ts";
import { LONGEST_QUERY } from "../../search/question-words.ts";
import type { DocumentKind } from "../../store/search-store.ts";
import type { ScopedStore } from "../../store/store.ts";
import { requirePointInTime } from "../../text/asked-time.ts";
import { sha256 } from "../../text/bytes.ts";
import { messageId } from "../../text/identifiers.ts";
import { storableName } from "../../text/utf8.ts";
import type { ConversationRef, Role } from "../../types.ts";
import type { grepInput, lookInInput } from "../inputs.ts";
import { conversationsOf } from "../read/list-conversations.ts";
import { requireConversation } from "../read/read-messages.ts";
import { compileExact, compilePattern, LONGEST_PATTERN } from "./compile-pattern.ts";
import type { DocumentFilter } from "./filter.ts";
import type { MeaningFacts } from "./meaning/hybrid-search.ts";
import { joinedPhrases, parseQuery } from "./parse-query.ts";
import { Room } from "./room.ts";
import type { Matcher, SearchAnswer, Searcher, SearchHit, SearchQuery } from "./search.ts";
import { type Snippet, type SnippetOptions, snippetOf } from "./snippet.ts";

/** Searches that need only the store. */

/** Where to search, independent of the query. */
type LookIn = z.input<typeof lookInInput>;

export interface GrepInput extends Readonly<z.input<typeof grepInput>> {
  readonly signal?: AbortSignal | undefined;
  readonly onHit?: (hit: GrepHit) => void;
  /** Number of texts searched so far, if the index alone is not enough. */
  readonly onOpened?: (texts: number) => void;
}

export interface GrepHit {
  /** Id of the message or the summary. */
  readonly id: string;
  readonly kind: DocumentKind;
  readonly conversation: string;
  /** Of a message: its seq; of a summary: the first message it covers. */
  readonly seq: number;
  /** Null for a summary. */
  readonly role: Role | null;
  readonly tools: readonly string[];
  readonly createdAt: string;
  readonly tokenCount: number;
  readonly snippet: Snippet;
  /** Number of matches in it. */
  readonly matches: number;
  readonly score: number | null;
}

export interface GrepResult extends Omit<SearchAnswer, "hits" | "meaning"> {
  readonly hits: readonly GrepHit[];
  /** The coverage of the semantic search, in the mode `hybrid` of the engine itself; null otherwise. */
  readonly meaning: MeaningFacts | null;
  /** If nothing was found with `tool`: names of tools that may have been meant. */
  readonly nearTools: readonly string[];
}

const DEFAULT_LIMIT = 20;
const SNIPPET_LENGTH = 240;

export async function grepMessages(
  store: ScopedStore,
  searcher: Searcher,
  input: GrepInput,
  now: number,
): Promise<GrepResult> {
  const matcher = await matcherOf(input);
  const order = input.sort ?? (matcher.type === "words" ? "relevance" : "time");
  if (order === "relevance" && matcher.type !== "words")
    throw new PalimpsestError("invalid-input", "only mode full_text can sort by relevance", {
      advice: "Omit sort, or use the mode full_text.",
    });
  if (order === "time" && input.mode === "hybrid")
    throw new PalimpsestError("invalid-input", "mode hybrid always sorts by relevance", {
      advice: "Omit sort, or use the mode full_text.",
    });
  const limit = limitOf(input);
  const lines = input.contextLines;
  const length = snippetLengthOf(input);
  const show = (hit: SearchHit) => toHit(hit, { length, ...(lines === undefined ? {} : { lines }) });
  const { signal, onHit, onOpened } = input;
  const query: SearchQuery = {
    matcher: order === "relevance" && input.mode !== "hybrid" ? withNames(matcher, input.pattern) : matcher,
    order,
    limit,
    ...roomFor(input, (hit) => show(hit).snippet.text),
    filter: await filterOf(store, input, now),
    cursor: input.cursor ?? null,
    digest: digestOf(input, { order }),
    ...(input.mode === "hybrid" ? { meaning: input.pattern } : {}),
    ...(signal === undefined ? {} : { signal }),
    ...(onHit === undefined ? {} : { onHit: (hit) => onHit(show(hit)) }),
    ...(onOpened === undefined ? {} : { onOpened }),
  };
  const { hits, meaning = null, ...rest } = await searchUntilStopped(searcher, query);
  const searched = (await store.reach?.documents()) ?? rest.searched;
  return { hits: hits.map(show), ...rest, searched, meaning };
}

/** Words joined by punctuation rank first as a phrase. */
function withNames(matcher: Matcher, pattern: string): Matcher {
  return matcher.type === "words"
    ? { ...matcher, terms: [...matcher.terms, ...joinedPhrases(pattern)] }
    : matcher;
}

/** A search cancelled by its caller ends like every other cancelled operation. */
export async function searchUntilStopped(
  searcher: Searcher,
  query: SearchQuery,
): Promise<SearchAnswer & Pick<GrepResult, "nearTools">> {
  try {
    const answer = await searcher.search(query);
    const isNothing = answer.hits.length === 0 && query.cursor === null;
    return { ...answer, nearTools: isNothing ? await searcher.nearTools(query) : [] };
  } catch (error) {
    if (query.signal?.aborted !== true || error instanceof PalimpsestError) throw error;
    throw new PalimpsestError("cancelled", "the search was cancelled", { cause: error });
  }
}

const DIGEST_LENGTH = 12;

/** Uses times as given: `90m` means another time on each page, but the same search. */
export function digestOf(
  { pattern = "", mode = "full_text", ignoreCase = false, ...input }: Partial<GrepInput>,
  { order }: { readonly order: SearchQuery["order"] },
): string {
  const { conversations = [], kinds = [], roles = [], tool, since, before } = input;
  const places = [conversations.map((one) => JSON.stringify(one)), kinds, roles].map((list) =>
    list.toSorted(),
  );
  const asked = [pattern, mode, ignoreCase, order, places, tool ?? null, since ?? null, before ?? null];
  return sha256(JSON.stringify(asked)).slice(0, DIGEST_LENGTH);
}

export async function matcherOf({
  pattern,
  mode = "full_text",
  ignoreCase = false,
}: GrepInput): Promise<Matcher> {
  if (typeof pattern !== "string" || pattern === "")
    throw new PalimpsestError("invalid-input", "missing search pattern");
  requireShort(pattern, mode === "full_text" || mode === "hybrid" ? LONGEST_QUERY : LONGEST_PATTERN);
  switch (mode) {
    case "full_text":
      refuseRegex(pattern);
      return { type: "words", terms: parseQuery(pattern) };
    case "hybrid":
      return { type: "words", terms: parseQuery(pattern) };
    case "regex":
      return { type: "pattern", pattern: await compilePattern(pattern, { ignoreCase }) };
    case "exact":
      return { type: "pattern", pattern: await compileExact(pattern, { ignoreCase }) };
  }
}

function requireShort(pattern: string, most: number): void {
  if (pattern.length <= most) return;
  throw new PalimpsestError(
    "invalid-input",
    `the pattern has ${pattern.length} characters; the limit is ${most}`,
    {
      advice: "Search for a distinctive part of it.",
    },
  );
}

/** Syntax that is only meaningful in a pattern and would be read as plain words here. */
const LOOKS_LIKE_REGEX = /\.[*+]|\\[bdswBDSW]|\[\^?[\w-]+\]|\(\?|\w\|\w|^\^\w|\w\$$/;

function refuseRegex(pattern: string): void {
  if (!LOOKS_LIKE_REGEX.test(pattern.replace(/"[^"]*"/g, ""))) return;
  throw new PalimpsestError(
    "invalid-input",
    "this looks like a regular expression, but the mode full_text matches only words",
    {
      advice:
        'Look for a pattern with: lcm grep <pattern> mode=regex; for text as it is written with: lcm grep <text> mode=exact; or put words in "quotes".',
    },
  );
}

export function limitOf({ limit = DEFAULT_LIMIT }: { readonly limit?: number }): number {
  return limit;
}

export function snippetLengthOf({
  snippetLength = SNIPPET_LENGTH,
}: Pick<GrepInput, "snippetLength">): number {
  return snippetLength;
}

/** The `hasRoom` of a search whose result is limited in tokens. */
export function roomFor<Hit>(
  { maxTokens }: Pick<GrepInput, "maxTokens">,
  textOf: (hit: Hit) => string,
): { readonly hasRoom?: (hit: Hit) => boolean } {
  if (maxTokens === undefined) return {};
  const room = new Room(maxTokens);
  return { hasRoom: (hit) => room.takes(textOf(hit)) };
}

export async function filterOf(store: ScopedStore, input: LookIn, now: number): Promise<DocumentFilter> {
  const { kinds, roles, tool, since, before } = input;
  refuseForSummaries(input);
  const from =
    since === undefined ? Number.NEGATIVE_INFINITY : Date.parse(requirePointInTime("since", since, now));
  const to =
    before === undefined ? Number.POSITIVE_INFINITY : Date.parse(requirePointInTime("before", before, now));
  if (from >= to) throw new PalimpsestError("invalid-input", "`since` must be earlier than `before`");
  return {
    conversations: await conversationsIn(store, input),
    kinds: kinds === undefined ? null : new Set(kinds),
    speakers: roles === undefined ? null : new Set(roles),
    tool: tool === undefined ? null : storableName(tool),
    since: from,
    before: to,
  };
}

/** Null: all of them. */
async function conversationsIn(
  store: ScopedStore,
  { conversations, project }: LookIn,
): Promise<ReadonlySet<string> | null> {
  const named =
    conversations === undefined ? (store.reach?.conversations() ?? null) : await idsOf(store, conversations);
  if (project === undefined) return named;
  const started = await conversationsOf(store, project);
  return named === null ? started : named.intersection(started);
}

/** Summaries have no speaker and no tool calls: nothing could be found. */
function refuseForSummaries({ kinds, roles, tool }: LookIn): void {
  if (kinds === undefined || kinds.includes("message")) return;
  const given = Object.entries({ roles, tool }).find(([, value]) => value !== undefined)?.[0];
  if (given === undefined) return;
  throw new PalimpsestError(
    "invalid-input",
    `${given} applies only to messages, but only summaries are searched`,
    {
      advice: `Omit ${given}, or search messages as well.`,
    },
  );
}

async function idsOf(
  store: ScopedStore,
  references: readonly ConversationRef[],
): Promise<ReadonlySet<string>> {
  const found = await Promise.all(references.map((reference) => requireConversation(store, reference)));
  return new Set(found.map(({ id }) => id));
}

export function toHit(
  { document, tools, score, matches }: SearchHit,
  options: SnippetOptions = { length: SNIPPET_LENGTH },
): GrepHit {
  const snippet = snippetOf(matches, options);
  const { conversation, kind } = document.ref;
  const found = { kind, conversation, snippet, matches: matches.spans.length, score };
  if ("message" in document) {
    const { seq, role, createdAt, tokenCount } = document.message;
    return { ...found, id: messageId(conversation, seq), seq, role, tools, createdAt, tokenCount };
  }
  const { id, firstSeq, latestAt, tokenCount } = document.summary;
  return { ...found, id, seq: firstSeq, role: null, tools, createdAt: latestAt, tokenCount };
}
