/**
 * Searches by words, semantically and by neighbouring messages together. The best of each come first, ranked like
 * memories; all other messages that contain the words follow, ranked by words, so that nothing is missed.
 */
import { isPalimpsestError, messageOf } from "../../../errors.ts";
import type { Log } from "../../../log.ts";
import { StemmedTexts } from "../../../search/calibrated/stemmed-texts.ts";
import type { ScopedStore } from "../../../store/store.ts";
import { type Candidate, mostOf } from "../candidates.ts";
import type { CurrentIndex, IndexSnapshot } from "../current-index.ts";
import type { Cursor } from "../cursor.ts";
import { pageOf, rankCursor, startBehind } from "../rank-pages.ts";
import { rankByWords } from "../rank-words.ts";
import { alwaysChanging, TRIES } from "../read-as-wanted.ts";
import type { SearchAnswer, SearchQuery } from "../search.ts";
import type { SegmentView } from "../segment-reader.ts";
import { rangesOfEvery, type SelectedDocuments, selectDocuments } from "../select-documents.ts";
import { stopIfCancelled } from "../stop-if-cancelled.ts";
import { Texts } from "../texts.ts";
import { gatherDocuments, POOL, type QuestionVector } from "./gather-documents.ts";
import { nameOf } from "./loaded-documents.ts";
import type { MessageEmbedder } from "./message-embedder.ts";
import { tellingTerms } from "./question-terms.ts";
import { type AskedQuestion, rankDocuments } from "./rank-documents.ts";
import { SaidAround } from "./said-around.ts";

/** A search by words that also has a semantic query. */
type HybridQuery = SearchQuery & {
  readonly matcher: Extract<SearchQuery["matcher"], { readonly type: "words" }>;
  readonly meaning: string;
};

/** The coverage of the semantic search. */
export interface MeaningFacts {
  /** The embedding model. */
  readonly model: string;
  /** Messages without embeddings: they were found only by their words. */
  readonly notEmbedded: number;
  /** Why there was no semantic search; null if there was. */
  readonly problem: string | null;
}

/** The index at one moment, with all its documents. */
interface Read {
  readonly snapshot: IndexSnapshot;
  readonly selected: SelectedDocuments;
  readonly views: ReadonlyMap<number, SegmentView>;
}

export class HybridSearch {
  readonly #store: ScopedStore;
  readonly #index: CurrentIndex;
  readonly #messages: MessageEmbedder;
  readonly #log: Log;
  readonly #clock: () => number;
  readonly #stems = new StemmedTexts();

  constructor(
    store: ScopedStore,
    index: CurrentIndex,
    messages: MessageEmbedder,
    { log, clock }: { readonly log: Log; readonly clock: () => number },
  ) {
    this.#store = store;
    this.#index = index;
    this.#messages = messages;
    this.#log = log;
    this.#clock = clock;
  }

  /** Clears the cache. Call it after an erasure. */
  forget(): void {
    this.#stems.forget();
  }

  async search(query: HybridQuery, cursor: Cursor | null): Promise<SearchAnswer> {
    const [read, { values, problem }, notEmbedded] = await Promise.all([
      this.#read(query),
      this.#embed(query),
      this.#notEmbedded(query),
    ]);
    const vector = values === null ? null : { models: this.#modelsAsked(notEmbedded), values };
    const texts = new Texts(this.#store, query);
    const { head, opened } = await this.#best(query, read, vector, texts);
    const last = rankCursor(cursor);
    const wanted = (last?.rank ?? 0) + query.limit + 1;
    const ranked =
      wanted <= head.length ? head : [...head, ...(await behindHead(head, query, read, texts, wanted))];
    const start = startBehind(ranked, last);
    return {
      ...(await pageOf(query, texts, ranked, start)),
      total: null,
      searched: read.selected.searched,
      opened: opened + texts.opened,
      meaning: { model: this.#messages.embedder.model, notEmbedded, problem },
    };
  }

  /** Counted over the messages in the scope of the search. */
  async #notEmbedded({ filter: { kinds, conversations } }: HybridQuery): Promise<number> {
    return kinds?.has("message") === false ? 0 : this.#messages.waiting(conversations);
  }

  /** Embeddings of earlier models are used as long as some of the current model are missing. */
  #modelsAsked(notEmbedded: number): readonly string[] {
    const { model, comparable } = this.#messages.embedder;
    return notEmbedded === 0 ? [model] : [model, ...comparable];
  }

  /** Repeated if the index changed during the read. */
  async #read(query: HybridQuery): Promise<Read> {
    for (let tries = 1; tries <= TRIES; tries++) {
      stopIfCancelled(query.signal);
      const selection = { ...query.matcher, isRanked: true };
      const snapshot = await this.#index.open(query.signal, rangesOfEvery(selection, query.filter));
      const selected = await selectDocuments(snapshot, selection, query.filter);
      const views = await snapshot.views(snapshot.segments.map(({ id }) => id));
      if (selected !== undefined && views !== undefined) return { snapshot, selected, views };
    }
    throw alwaysChanging();
  }

  /** If the model does not respond, only words are used, and the result reports it. */
  async #embed({
    meaning,
    signal,
  }: HybridQuery): Promise<{ readonly values: Float32Array | null; readonly problem: string | null }> {
    const { embedder } = this.#messages;
    try {
      const [values] = await embedder.embed([plainWords(meaning)], {
        purpose: "query",
        ...(signal === undefined ? {} : { signal }),
      });
      return { values: values ?? null, problem: null };
    } catch (error) {
      if (isPalimpsestError(error, "cancelled")) throw error;
      this.#log.warn({ model: embedder.model, problem: messageOf(error) }, "a question was not embedded");
      return { values: null, problem: messageOf(error) };
    }
  }

  async #best(
    query: HybridQuery,
    { snapshot, selected, views }: Read,
    vector: QuestionVector | null,
    texts: Texts,
  ): Promise<{ readonly head: readonly Candidate[]; readonly opened: number }> {
    const { matcher, filter, signal } = query;
    const byWords = (await rankByWords(query, selected.segments, texts, POOL)).slice(0, POOL);
    const pool = await gatherDocuments(
      {
        byWords: byWords.map(({ ref }) => ref),
        vector,
        filter,
        aroundIn: (conversations) => new SaidAround(views.values(), conversations),
        ...(signal === undefined ? {} : { signal }),
      },
      this.#store,
    );
    const question: AskedQuestion = {
      text: plainWords(query.meaning),
      ...tellingTerms(matcher.terms, selected.weights),
      meanWords: snapshot.statistics.meanWords,
      now: this.#clock(),
    };
    return { head: await rankDocuments(question, pool.documents, this.#stems), opened: pool.opened };
  }
}

/** Without operators of the search by words. */
function plainWords(question: string): string {
  return question.replaceAll(/["*]/g, " ");
}

/** All other matches by words, in the order of their word scores, with scores below those of the best. */
async function behindHead(
  head: readonly Candidate[],
  query: HybridQuery,
  { selected }: Read,
  texts: Texts,
  wanted: number,
): Promise<readonly Candidate[]> {
  const shown = new Set(head.map(({ ref }) => nameOf(ref)));
  const least = head.at(-1)?.certain ?? 1;
  const ranked = await rankByWords(query, selected.segments, texts, wanted);
  return ranked
    .filter(({ ref }) => !shown.has(nameOf(ref)))
    .map((candidate) => {
      const score = mostOf(candidate);
      return { ...candidate, certain: (least * score) / (1 + score), phrases: [] };
    });
}
