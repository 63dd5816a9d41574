/**
 * Gathers candidates by words and semantically, with both scores for each. Replaced,
 * archived or filtered memories are left out here; if too few remain, it searches further, so that no candidate is missed
 * because of others that rank before it.
 */
import { type MemoryCategory, type MemoryState, stateOf } from "../../memory-types.ts";
import type {
  MemoriesAround,
  MemoryRef,
  MemoryStore,
  NearMemory,
  StoredMemory,
} from "../../store/memory-store.ts";
import { heldAt, READABLE, SameKey } from "./holds-at.ts";
import type { MemoryWords } from "./index/memory-words.ts";
import { wordQuery } from "./index/word-query.ts";
import type { WordHit, WordHits } from "./index/word-search.ts";
import { ALONE, alone, refsOf, surround } from "./surround.ts";
import { hasTags } from "./tags.ts";

interface PoolQuery {
  /** The query for the word search, which may be expanded. */
  readonly words: string;
  /** One per model in use, the current one first. Empty: only words count. */
  readonly vectors: readonly QuestionVector[];
  readonly wanted: number;
  readonly filter: MemoryFilter;
  /** Also gathers the messages right before and after each hit. */
  readonly withNeighbours: boolean;
}

export interface QuestionVector {
  readonly model: string;
  readonly values: Float32Array;
}

export interface MemoryFilter {
  readonly scopes: readonly string[] | null;
  readonly categories: readonly MemoryCategory[] | null;
  readonly tags: readonly string[];
  /** Null: any conversation. */
  readonly conversations: ReadonlySet<string> | null;
  readonly since: string | null;
  readonly before: string | null;
  /** Null: now. */
  readonly at: string | null;
  /** Also archived and replaced memories. */
  readonly archived: boolean;
}

export interface PoolEntry {
  readonly memory: StoredMemory;
  /** Null without an embedding, or when none was requested. */
  readonly cosine: number | null;
  readonly words: WordHit;
  /** The surrounding messages; empty unless requested. */
  readonly around: MemoriesAround;
}

export interface Pool {
  readonly entries: readonly PoolEntry[];
  readonly statistics: WordHits["statistics"];
}

/** Candidates per search, with their neighbours. On the measured sets, 40 find no more. */
const POOL = 24;
const WIDEST = 6_144;

export async function gatherPool(
  query: PoolQuery,
  use: { readonly store: MemoryStore; readonly words: MemoryWords },
): Promise<Pool> {
  for (let size = POOL; ; size *= 4) {
    const { pool, isExhausted } = await gather(query, Math.max(size, query.wanted), use);
    if (isExhausted || pool.entries.length >= query.wanted || size >= WIDEST) return pool;
  }
}

async function gather(
  { words: text, vectors, wanted, filter, withNeighbours }: PoolQuery,
  size: number,
  { store, words }: { readonly store: MemoryStore; readonly words: MemoryWords },
): Promise<{ readonly pool: Pool; readonly isExhausted: boolean }> {
  const scopes = filter.scopes === null ? {} : { scopes: filter.scopes };
  const nearestBy = ({ model, values }: QuestionVector) =>
    store.nearestMemories({ model, vector: values, limit: size, states: statesIn(filter), ...scopes });
  const [found, ...nearest] = await Promise.all([
    words.search(wordQuery(text), { limit: size, ...scopes }),
    ...vectors.map(nearestBy),
  ]);
  // The current model comes first, and its score is used.
  const near = nearest.flat();
  const cosines = new Map(near.toReversed().map(({ ref, cosine }) => [nameOf(ref), cosine]));
  const byWords = new Set(found.hits.map(({ ref }) => nameOf(ref)));
  const onlyNear = uniqueRefs(near).filter((ref) => !byWords.has(nameOf(ref)));
  const hits = [...found.hits, ...(await found.scoreAlso(onlyNear))];
  const load = (loaded: readonly WordHit[]) => loadEntries(loaded, { cosines, vectors, filter }, store);
  const loaded = await load(hits);
  const { entries, beside } = withNeighbours ? await surround(loaded, wanted, store) : alone(loaded);
  const more = beside.size === 0 ? [] : await load(await found.scoreAlso(refsOf(beside)));
  const neighbours = more.map((entry) => ({
    ...entry,
    around: beside.get(nameOf(entry.memory))?.around ?? ALONE,
  }));
  const isExhausted = found.hits.length < size && near.length < size;
  return { pool: { entries: [...entries, ...neighbours], statistics: found.statistics }, isExhausted };
}

/** During a change of the model, a memory may be found with the embeddings of several. */
function uniqueRefs(near: readonly NearMemory[]): readonly MemoryRef[] {
  return [...new Map(near.map(({ ref }) => [nameOf(ref), ref])).values()];
}

async function loadEntries(
  hits: readonly WordHit[],
  {
    cosines,
    vectors,
    filter,
  }: { readonly cosines: ReadonlyMap<string, number> } & Pick<PoolQuery, "vectors" | "filter">,
  store: MemoryStore,
): Promise<readonly PoolEntry[]> {
  const refs = hits.map(({ ref }) => ref);
  const unmeasured = refs.filter((ref) => !cosines.has(nameOf(ref)));
  const [memories, measured] = await Promise.all([
    store.memoriesAt(refs),
    measureCosines(unmeasured, vectors, store),
  ]);
  const rows = new Map(memories.map((memory) => [nameOf(memory), memory]));
  const entries = hits.flatMap((words) => {
    const name = nameOf(words.ref);
    const memory = rows.get(name);
    if (memory === undefined || !passes(memory, filter)) return [];
    return [{ memory, words, cosine: cosines.get(name) ?? measured.get(name) ?? null, around: ALONE }];
  });
  return filter.at === null ? entries : holders(entries, filter.at, store);
}

/** Of each key only the memory that was valid at that time. */
async function holders(
  entries: readonly PoolEntry[],
  at: string,
  store: MemoryStore,
): Promise<readonly PoolEntry[]> {
  const sameKey = new SameKey(store);
  const held = await Promise.all(entries.map(({ memory }) => sameKey.heldAt(memory, at)));
  return entries.filter((_, place) => held[place] === true);
}

/** Hits of the word search are also compared with the question, by the first model that embedded them. */
async function measureCosines(
  refs: readonly MemoryRef[],
  [present, ...older]: readonly QuestionVector[],
  store: MemoryStore,
): Promise<ReadonlyMap<string, number>> {
  if (present === undefined || refs.length === 0) return new Map();
  const measured = await store.memoryCosines(present.model, present.values, refs);
  const known = new Map(
    refs.flatMap((ref, place) => {
      const cosine = measured[place] ?? null;
      return cosine === null ? [] : [[nameOf(ref), cosine] as const];
    }),
  );
  const unknown = refs.filter((ref) => !known.has(nameOf(ref)));
  return new Map([...known, ...(await measureCosines(unknown, older, store))]);
}

export function nameOf({ scope, number }: MemoryRef): string {
  return `${scope}#${number}`;
}

function statesIn({ archived, at }: MemoryFilter): readonly MemoryState[] {
  return archived || at !== null ? READABLE : ["active"];
}

function passes(memory: StoredMemory, filter: MemoryFilter): boolean {
  const isThere = filter.at === null ? statesIn(filter).includes(stateOf(memory)) : heldAt(memory, filter.at);
  return (
    isThere &&
    memory.erasedAt === null &&
    filter.categories?.includes(memory.category) !== false &&
    cameFrom(memory, filter.conversations) &&
    (filter.since === null || memory.createdAt >= filter.since) &&
    (filter.before === null || memory.createdAt < filter.before) &&
    hasTags(
      { tags: memory.tags, text: `${memory.abstract}\n${memory.overview}\n${memory.content}` },
      filter.tags,
    )
  );
}

function cameFrom({ sources }: StoredMemory, conversations: ReadonlySet<string> | null): boolean {
  return conversations === null || sources.some(({ conversation }) => conversations.has(conversation));
}
