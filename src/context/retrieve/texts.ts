/** Opens documents and looks for the matches in them. */
import { setImmediate } from "node:timers/promises";
import type { StoredDocument } from "../../store/search-store.ts";
import type { ScopedStore } from "../../store/store.ts";
import { byTime, type Candidate, mostOf } from "./candidates.ts";
import { hasPhrase, type Matches, patternMatches, wordMatches } from "./matches.ts";
import type { Matcher, SearchHit, SearchQuery } from "./search.ts";
import { textOfDocument } from "./searchable.ts";
import { stopIfCancelled } from "./stop-if-cancelled.ts";
import { toolsOfMessage } from "./tool-names.ts";

/** Texts that are opened at a time: few at first, so that the first hits show at once. */
const FIRST_TEXTS = 8;
const MOST_TEXTS = 128;
/** Characters that are looked through before others get a turn. */
const BREATH = 128 * 1024;

interface Opened {
  readonly candidate: Candidate;
  readonly document: StoredDocument;
}

export class Texts {
  opened = 0;
  readonly #store: ScopedStore;
  readonly #query: SearchQuery;
  #sinceBreath = 0;

  constructor(store: ScopedStore, query: SearchQuery) {
    this.#store = store;
    this.#query = query;
  }

  /** Those of the candidates that really match, in their order. */
  async *hitsAmong(
    candidates: Iterable<Candidate>,
    areCertain: boolean,
  ): AsyncGenerator<readonly SearchHit[]> {
    if (!areCertain) yield* this.#hitsReadAhead(candidates);
    else for (const batch of inBatches(candidates, this.#query.limit + 1)) yield this.hits(batch);
  }

  /** While some are looked through, the next are read. */
  async *#hitsReadAhead(candidates: Iterable<Candidate>): AsyncGenerator<readonly SearchHit[]> {
    let reading: Promise<readonly Opened[]> | undefined;
    for (const batch of inBatches(candidates)) {
      const next = this.#open(batch);
      // Nobody may come to wait for it.
      next.catch(() => {});
      if (reading !== undefined) yield this.#hitsIn(await reading);
      reading = next;
    }
    if (reading !== undefined) yield this.#hitsIn(await reading);
  }

  async hits(candidates: readonly Candidate[]): Promise<readonly SearchHit[]> {
    return this.#hitsIn(await this.#open(candidates));
  }

  /** The best candidates by what they really score, at least as many as wanted if there are as many. */
  async prove(candidates: readonly Candidate[], wanted: number): Promise<readonly Candidate[]> {
    const proven: { candidate: Candidate; score: number }[] = [];
    let next = 0;
    for (const batch of inBatches(candidates)) {
      for (const { candidate, document } of await this.#open(batch)) {
        const score = provenScore(candidate, this.#query.matcher, await this.#textOf(document));
        if (score > 0) proven.push({ candidate, score });
      }
      proven.sort((a, b) => b.score - a.score || byTime(a.candidate, b.candidate));
      next += batch.length;
      const rest = candidates[next];
      const least = proven[wanted - 1]?.score;
      if (rest === undefined || (least !== undefined && mostOf(rest) < least)) break;
    }
    return proven.map(({ candidate }) => candidate);
  }

  async #hitsIn(opened: readonly Opened[]): Promise<readonly SearchHit[]> {
    const hits: SearchHit[] = [];
    for (const { candidate, document } of opened) {
      const hit = this.#hit(candidate, document, await this.#textOf(document));
      if (hit !== null) hits.push({ ...hit, tools: await this.#toolsOf(document) });
    }
    return hits;
  }

  #hit(candidate: Candidate, document: StoredDocument, text: string): Omit<SearchHit, "tools"> | null {
    const { matcher, order } = this.#query;
    if (matcher.type === "any" && isBlank(document, text)) return null;
    if (matcher.type === "pattern" && !matcher.pattern.test(text)) return null;
    const matches = matchesOf(matcher, text);
    if (matcher.type === "words" && matches.spans.length === 0) return null;
    const score = order === "relevance" ? provenScore(candidate, matcher, text) : null;
    return { document, time: candidate.time, score, matches };
  }

  async #toolsOf(document: StoredDocument): Promise<readonly string[]> {
    if (!("message" in document)) return [];
    return toolsOfMessage(this.#store, document.ref.conversation, document.message);
  }

  async #textOf(document: StoredDocument): Promise<string> {
    const text = textOfDocument(document);
    this.#sinceBreath += text.length;
    if (this.#sinceBreath < BREATH) return text;
    this.#sinceBreath = 0;
    await setImmediate();
    return text;
  }

  /** What was erased meanwhile is not there any more. */
  async #open(candidates: readonly Candidate[]): Promise<readonly Opened[]> {
    stopIfCancelled(this.#query.signal);
    this.opened += candidates.length;
    const documents = await this.#store.documents(candidates.map(({ ref }) => ref));
    const byRef = new Map(documents.map((document) => [nameOf(document.ref), document]));
    return candidates.flatMap((candidate) => {
      const document = byRef.get(nameOf(candidate.ref));
      const isThere = document !== undefined && ("message" in document || document.summary.content !== null);
      return isThere ? [{ candidate, document }] : [];
    });
  }
}

/** Nobody said anything in it, and no model reads anything of it. */
function isBlank(document: StoredDocument, text: string): boolean {
  return "message" in document && document.message.tokenCount === 0 && text.trim() === "";
}

function nameOf({ conversation, kind, number }: Candidate["ref"]): string {
  return `${conversation} ${kind} ${number}`;
}

/** Small batches first, then larger ones. */
function* inBatches(candidates: Iterable<Candidate>, first = FIRST_TEXTS): Generator<readonly Candidate[]> {
  let size = first;
  let batch: Candidate[] = [];
  for (const candidate of candidates) {
    batch.push(candidate);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
    size = Math.min(MOST_TEXTS, 2 * size);
  }
  if (batch.length > 0) yield batch;
}

function matchesOf(matcher: Matcher, text: string): Matches {
  switch (matcher.type) {
    case "words":
      return wordMatches(text, matcher.terms);
    case "pattern":
      return patternMatches(text, matcher.pattern);
    case "any":
      return { text, spans: [] };
  }
}

function provenScore({ certain, phrases }: Candidate, matcher: Matcher, text: string): number {
  if (matcher.type !== "words") return certain;
  const asked = matcher.terms.filter((term) => term.type === "phrase");
  return asked.reduce((sum, { words }, i) => {
    const added = phrases[i] ?? 0;
    return added > 0 && hasPhrase(text, words) ? sum + added : sum;
  }, certain);
}
