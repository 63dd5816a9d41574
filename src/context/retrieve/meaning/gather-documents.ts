/**
 * Gathers all candidates of an answer: matches by words, semantically near messages, and their neighbours.
 * Filters apply here; if they exclude too many of the near ones, it searches further.
 */
import { WINDOW } from "../../../search/calibrated/window-strengths.ts";
import type { NearMessage } from "../../../store/message-vectors.ts";
import type { DocumentRef } from "../../../store/search-store.ts";
import type { ScopedStore } from "../../../store/store.ts";
import type { DocumentFilter } from "../filter.ts";
import { stopIfCancelled } from "../stop-if-cancelled.ts";
import { type LoadedDocument, LoadedDocuments, nameOf } from "./loaded-documents.ts";
import { passes } from "./passes.ts";
import type { RefsAround, SaidAround } from "./said-around.ts";

export interface QuestionVector {
  /** The models whose embeddings are used. A message with embeddings of several models uses the first one. */
  readonly models: readonly string[];
  readonly values: Float32Array;
}

interface GatherQuery {
  readonly byWords: readonly DocumentRef[];
  /** Null: only words count. */
  readonly vector: QuestionVector | null;
  readonly filter: DocumentFilter;
  /** The turns around messages of these conversations. */
  readonly aroundIn: (conversations: ReadonlySet<string>) => SaidAround;
  readonly signal?: AbortSignal | undefined;
}

export interface PooledDocument {
  readonly own: LoadedDocument;
  /** Null if there is no embedding, or none was requested. */
  readonly cosine: number | null;
  /** The turns around it, nearest first. */
  readonly before: readonly LoadedDocument[];
  readonly after: readonly LoadedDocument[];
}

interface Pool {
  readonly documents: readonly PooledDocument[];
  readonly opened: number;
}

/** Candidates of each kind. On the sets used to tune memories, half as many give the same results. */
export const POOL = 60;
const WIDEST = 15_360;

export async function gatherDocuments(query: GatherQuery, store: ScopedStore): Promise<Pool> {
  const loaded = new LoadedDocuments(store);
  const near = await nearestPassing(query, store, loaded);
  const found = await loaded.load([...query.byWords, ...[...near.values()].map(({ ref }) => ref)]);
  const said = query.aroundIn(new Set(found.map(({ ref }) => ref.conversation)));
  const first = await withAround(found, said, loaded);
  const beside = await besidesPassing(first, query.filter, store);
  const all = [...first, ...(await withAround(beside, said, loaded))];
  stopIfCancelled(query.signal);
  return { documents: await withCosines(all, near, query.vector, store), opened: loaded.opened };
}

/** By document name. */
type NearMessages = ReadonlyMap<string, NearMessage>;

/** Until enough pass the filter, or nothing is left. */
async function nearestPassing(
  { vector, filter, signal }: GatherQuery,
  store: ScopedStore,
  loaded: LoadedDocuments,
): Promise<NearMessages> {
  const isAsked = vector !== null && filter.kinds?.has("message") !== false;
  for (let limit = POOL; isAsked; limit *= 4) {
    stopIfCancelled(signal);
    const near = await nearestOfModels(vector, limit, filter, store);
    const byName = new Map(near.map((one) => [nameOf(one.ref), one]));
    const documents = await loaded.load(near.map(({ ref }) => ref));
    const passing = await thosePassing(documents, filter, store, POOL);
    if (passing.length >= POOL || near.length < limit || limit >= WIDEST)
      return new Map(passing.map(({ name, ref }) => [name, byName.get(name) ?? { ref, cosine: 0 }]));
  }
  return new Map();
}

async function nearestOfModels(
  { models, values }: QuestionVector,
  limit: number,
  { conversations }: DocumentFilter,
  store: ScopedStore,
): Promise<readonly NearMessage[]> {
  const near = new Map<string, NearMessage>();
  for (const model of models) {
    const only = conversations === null ? {} : { conversations: [...conversations] };
    for (const one of await store.nearestMessages({ model, vector: values, limit, ...only }))
      if (!near.has(nameOf(one.ref))) near.set(nameOf(one.ref), one);
  }
  const found = [...near.values()];
  return models.length === 1 ? found : found.sort((a, b) => b.cosine - a.cosine).slice(0, limit);
}

async function thosePassing(
  documents: readonly LoadedDocument[],
  filter: DocumentFilter,
  store: ScopedStore,
  most: number,
): Promise<readonly LoadedDocument[]> {
  const passing: LoadedDocument[] = [];
  for (const one of documents) {
    if (passing.length === most) break;
    if ("message" in one.document && (await passes(store, one.document, filter))) passing.push(one);
  }
  return passing;
}

type Placed = Omit<PooledDocument, "cosine">;

async function withAround(
  documents: readonly LoadedDocument[],
  said: SaidAround,
  loaded: LoadedDocuments,
): Promise<readonly Placed[]> {
  const places: readonly RefsAround[] = documents.map(({ ref }) => said.of(ref));
  await loaded.load(places.flatMap(({ before, after }) => [...before, ...after]));
  const placed: Placed[] = [];
  for (const [place, own] of documents.entries()) {
    const { before = [], after = [] } = places[place] ?? {};
    placed.push({ own, before: await spoken(before, loaded), after: await spoken(after, loaded) });
  }
  return placed;
}

/** Documents that contain words. */
async function spoken(
  refs: readonly DocumentRef[],
  loaded: LoadedDocuments,
): Promise<readonly LoadedDocument[]> {
  return (await loaded.load(refs)).filter(({ said }) => said.trim() !== "").slice(0, WINDOW);
}

/** Direct neighbours of the found documents that were not found themselves. */
async function besidesPassing(
  placed: readonly Placed[],
  filter: DocumentFilter,
  store: ScopedStore,
): Promise<readonly LoadedDocument[]> {
  const found = new Set(placed.map(({ own }) => own.name));
  const beside = new Map<string, LoadedDocument>();
  for (const { before, after } of placed)
    for (const one of [before[0], after[0]])
      if (one !== undefined && !found.has(one.name)) beside.set(one.name, one);
  return thosePassing([...beside.values()], filter, store, beside.size);
}

/** Adds cosines to documents that were found only by words. */
async function withCosines(
  placed: readonly Placed[],
  near: NearMessages,
  vector: QuestionVector | null,
  store: ScopedStore,
): Promise<readonly PooledDocument[]> {
  const missing = placed.map(({ own }) => own).filter(({ name }) => !near.has(name));
  const measured = new Map<string, number>();
  for (const model of vector?.models ?? []) {
    const refs = missing.map(({ ref }) => ref);
    for (const [place, passages] of (await store.messageVectors(model, refs)).entries()) {
      const name = missing[place]?.name ?? "";
      const cosine = nearestOf(passages, vector?.values);
      if (cosine !== null && !measured.has(name)) measured.set(name, cosine);
    }
  }
  return placed.map((one) => ({
    ...one,
    cosine: near.get(one.own.name)?.cosine ?? measured.get(one.own.name) ?? null,
  }));
}

/** The cosine of the nearest passage. Embeddings have length 1. */
function nearestOf(passages: readonly Float32Array[], question: Float32Array | undefined): number | null {
  if (passages.length === 0 || question === undefined) return null;
  return Math.max(
    ...passages.map((passage) => passage.reduce((sum, value, i) => sum + value * (question[i] ?? 0), 0)),
  );
}
