/** Reads documents and finds the matches in them. */
import { setImmediate } from "node:timers/promises";
import type { DocumentRef, StoredDocument } from "../../store/search-store.ts";
import type { ScopedStore } from "../../store/store.ts";
import { normalised } from "../../text/language/words.ts";
import { isSaid } from "../../types.ts";
import { byTime, type Candidate, mostOf } from "./candidates.ts";
import { hasPhrase, type Matches, patternMatches, WordMatcher } from "./matches.ts";
import type { Matcher, SearchHit, SearchQuery } from "./search.ts";
import { textOf, textOfDocument } from "./searchable.ts";
import { stopIfCancelled } from "./stop-if-cancelled.ts";
import { toolsOfMessage } from "./tool-names.ts";

/** Texts read at a time: few at first, so that the first hits appear immediately. */
const FIRST_TEXTS = 8;
const MOST_TEXTS = 256;
/** Characters searched before yielding to other work. */
const BREATH = 128 * 1024;

/** A candidate with its stored content. */
interface With<Stored> {
  readonly candidate: Candidate;
  readonly stored: Stored;
}

interface Match {
  readonly candidate: Candidate;
  readonly matches: Matches;
  readonly score: number | null;
}

export class Texts {
  opened = 0;
  #lookedThrough = 0;
  #found = 0;
  readonly #store: ScopedStore;
  readonly #query: SearchQuery;
  readonly #matchesIn: FindMatches;
  #sinceBreath = 0;

  constructor(store: ScopedStore, query: SearchQuery) {
    this.#store = store;
    this.#query = query;
    this.#matchesIn = finderOf(query.matcher);
  }

  /** The candidates that really match, in order. */
  async *hitsAmong(candidates: CandidateGroups, areCertain: boolean): AsyncGenerator<readonly SearchHit[]> {
    if (!areCertain) yield* this.#hitsReadAhead(candidates);
    else for await (const batch of inBatches(candidates, this.#query.limit + 1)) yield this.hits(batch);
  }

  /** For candidates that almost certainly match: each is read completely. */
  async hits(candidates: readonly Candidate[]): Promise<readonly SearchHit[]> {
    this.opened += candidates.length;
    const hits: Promise<SearchHit>[] = [];
    for (const { candidate, stored } of await this.#documents(candidates)) {
      const text = await this.#breathe(textOfDocument(stored));
      const match = isBlank(stored, text) ? null : this.#match(candidate, text);
      if (match !== null) hits.push(this.#hitOf(match, stored));
    }
    return Promise.all(hits);
  }

  /** The best candidates by their real scores, at least as many as wanted if there are enough. */
  async prove(candidates: readonly Candidate[], wanted: number): Promise<readonly Candidate[]> {
    const proven: Candidate[] = [];
    let next = 0;
    for await (const batch of inBatches(inOneGroup(candidates))) {
      for (const { candidate, stored } of await this.#texts(batch)) {
        const phrases = provenPhrases(candidate, this.#query.matcher, await this.#breathe(stored()));
        const scored = { ...candidate, phrases };
        if (mostOf(scored) > 0) proven.push(scored);
      }
      proven.sort((a, b) => mostOf(b) - mostOf(a) || byTime(a, b));
      next += batch.length;
      const [rest, least] = [candidates[next], proven[wanted - 1]];
      if (rest === undefined || (least !== undefined && mostOf(rest) < mostOf(least))) break;
    }
    return proven;
  }

  /** Reads the next texts while the current ones are searched. */
  async *#hitsReadAhead(candidates: CandidateGroups): AsyncGenerator<readonly SearchHit[]> {
    let reading: Promise<readonly With<() => string>[]> | undefined;
    const { limit, onHit } = this.#query;
    // A caller with `onHit` needs the first hits soon. Otherwise as many texts are read as the result may need.
    const first = onHit === undefined ? Math.min(MOST_TEXTS, limit + 1) : FIRST_TEXTS;
    for await (const batch of inBatches(candidates, first, (size) => this.#nextSize(size))) {
      const next = this.#texts(batch);
      // Avoids an unhandled rejection if it is never awaited.
      next.catch(() => {});
      if (reading !== undefined) yield this.#hitsIn(await reading);
      reading = next;
    }
    if (reading !== undefined) yield this.#hitsIn(await reading);
  }

  /** Twice as many as before, unless fewer are likely to contain all remaining hits. */
  #nextSize(size: number): number {
    const missing = this.#query.limit + 1 - this.#found;
    const likely = Math.ceil((missing * (this.#lookedThrough + 1)) / (this.#found + 1));
    const areRead = this.opened - this.#lookedThrough;
    return Math.max(FIRST_TEXTS, Math.min(2 * size, likely - areRead));
  }

  /** Few of the texts match, and only those are read completely. */
  async #hitsIn(texts: readonly With<() => string>[]): Promise<readonly SearchHit[]> {
    const found = new Map<Candidate, Match>();
    for (const { candidate, stored } of texts) {
      const match = this.#match(candidate, await this.#breathe(stored()));
      if (match !== null) found.set(candidate, match);
    }
    this.#lookedThrough += texts.length;
    this.#found += found.size;
    if (found.size === 0) return [];
    const documents = await this.#documents([...found.keys()], { withoutContent: true });
    return Promise.all(
      documents.flatMap(({ candidate, stored }) => {
        const match = found.get(candidate);
        return match === undefined ? [] : [this.#hitOf(match, stored)];
      }),
    );
  }

  #match(candidate: Candidate, text: string): Match | null {
    const { matcher, order, meaning } = this.#query;
    if (matcher.type === "pattern" && !matcher.pattern.test(text)) return null;
    const matches = this.#matchesIn(text);
    if (matcher.type === "words" && matches.spans.length === 0 && meaning === undefined) return null;
    return {
      candidate,
      matches,
      score: order === "relevance" ? provenScore(candidate, matcher, text) : null,
    };
  }

  async #hitOf({ candidate, matches, score }: Match, document: StoredDocument): Promise<SearchHit> {
    const tools =
      "message" in document
        ? await toolsOfMessage(this.#store, document.ref.conversation, document.message)
        : [];
    return { document, time: candidate.time, score, matches, tools };
  }

  async #breathe(text: string): Promise<string> {
    this.#sinceBreath += text.length;
    if (this.#sinceBreath < BREATH) return text;
    this.#sinceBreath = 0;
    await setImmediate();
    return text;
  }

  async #texts(candidates: readonly Candidate[]): Promise<readonly With<() => string>[]> {
    stopIfCancelled(this.#query.signal);
    if (this.opened > 0) this.#query.onOpened?.(this.opened);
    this.opened += candidates.length;
    const texts = await this.#store.texts(candidates.map(({ ref }) => ref));
    return join(candidates, texts).map(({ candidate, stored }) => ({
      candidate,
      stored: () => textOf(stored),
    }));
  }

  async #documents(
    candidates: readonly Candidate[],
    options: { readonly withoutContent?: boolean } = {},
  ): Promise<readonly With<StoredDocument>[]> {
    stopIfCancelled(this.#query.signal);
    const refs = candidates.map(({ ref }) => ref);
    const documents = await this.#store.documents(refs, options);
    return join(candidates, documents.filter(isFindable));
  }
}

/** Excludes documents erased meanwhile, and text that no participant wrote. */
function isFindable(document: StoredDocument): boolean {
  return "message" in document ? isSaid(document.message.excluded) : document.summary.content !== null;
}

function join<Stored extends { readonly ref: DocumentRef }>(
  candidates: readonly Candidate[],
  stored: readonly Stored[],
): With<Stored>[] {
  const byRef = new Map(stored.map((one) => [nameOf(one.ref), one]));
  return candidates.flatMap((candidate) => {
    const one = byRef.get(nameOf(candidate.ref));
    return one === undefined ? [] : [{ candidate, stored: one }];
  });
}

/** It has no text, neither of a participant nor for the model. */
function isBlank(document: StoredDocument, text: string): boolean {
  return "message" in document && document.message.tokenCount === 0 && text.trim() === "";
}

function nameOf({ conversation, kind, number }: Candidate["ref"]): string {
  return `${conversation} ${kind} ${number}`;
}

/** Candidates in order. Each group may require reading the index. */
export type CandidateGroups = AsyncIterable<Iterable<Candidate>>;

export async function* inOneGroup(candidates: Iterable<Candidate>): AsyncGenerator<Iterable<Candidate>> {
  yield candidates;
}

/** Small batches first, then larger ones. */
async function* inBatches(
  groups: CandidateGroups,
  first = FIRST_TEXTS,
  sizeAfter = (size: number) => 2 * size,
): AsyncGenerator<readonly Candidate[]> {
  let size = first;
  let batch: Candidate[] = [];
  for await (const group of groups)
    for (const candidate of group) {
      batch.push(candidate);
      if (batch.length < size) continue;
      yield batch;
      batch = [];
      size = Math.min(MOST_TEXTS, sizeAfter(size));
    }
  if (batch.length > 0) yield batch;
}

type FindMatches = (text: string) => Matches;

function finderOf(matcher: Matcher): FindMatches {
  switch (matcher.type) {
    case "words": {
      const words = new WordMatcher(matcher.terms);
      return (text) => words.matchesIn(text);
    }
    case "pattern":
      return (text) => patternMatches(text, matcher.pattern);
    case "any":
      return (text) => ({ text, spans: [] });
  }
}

function provenScore(candidate: Candidate, matcher: Matcher, text: string): number {
  return mostOf({ ...candidate, phrases: provenPhrases(candidate, matcher, text) });
}

/** What each phrase of the query really adds. A name in a different spelling adds half, and so does one in a summary. */
function provenPhrases({ ref, phrases }: Candidate, matcher: Matcher, text: string): readonly number[] {
  if (matcher.type !== "words" || phrases.length === 0) return [];
  return matcher.terms
    .filter((term) => term.type === "phrase")
    .map(({ words, joined }, i) => {
      const added = phrases[i] ?? 0;
      if (added === 0 || !hasPhrase(text, words)) return 0;
      const isWhole =
        ref.kind === "message" &&
        normalised(text)
          .toLowerCase()
          .includes(joined ?? "");
      return joined === undefined || isWhole ? added : added / 2;
    });
}
