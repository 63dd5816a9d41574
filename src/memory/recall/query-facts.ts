/** The value of a fact, now or at any time, without semantic ranking: by its key, or by words of key and text. */
import { PalimpsestError } from "../../errors.ts";
import type { Memory } from "../../memory-types.ts";
import type { MemoryStore, StoredMemory } from "../../store/memory-store.ts";
import { compareValues } from "../../store/rules/fact-order.ts";
import { requireGiven } from "../../text/given.ts";
import { isoTime, normaliseTimestamp } from "../../text/timestamps.ts";
import { storedKeys } from "../dedup/given-key.ts";
import { everyMemory } from "../every-memory.ts";
import { type FactInput, factInput } from "../inputs.ts";
import type { MemoryDependencies } from "../memory-dependencies.ts";
import { holderAt, READABLE, SameKey } from "./holds-at.ts";
import type { MemoryWords } from "./index/memory-words.ts";
import { wordQuery } from "./index/word-query.ts";

export interface FactAnswer {
  /** The requested time. */
  readonly at: string;
  readonly facts: readonly Fact[];
  /** Whether there are more than the limit. */
  readonly isCut: boolean;
}

interface Fact {
  readonly memory: Memory;
  /** Whether it was valid at that time. */
  readonly held: boolean;
  /** All versions, oldest first, if requested. */
  readonly history: readonly Memory[];
}

const DEFAULT_LIMIT = 10;
/** Maximum word hits that are checked, each with its versions. */
const WIDEST = 200;

export async function queryFacts(
  given: FactInput,
  { store, words, clock }: Pick<MemoryDependencies, "store" | "clock"> & { readonly words: MemoryWords },
): Promise<FactAnswer> {
  const input = requireGiven("memory_fact_query", factInput, given);
  if ((input.query === undefined) === (input.factKey === undefined))
    throw new PalimpsestError("invalid-input", "memory_fact_query needs either a query or a factKey", {
      advice: 'For example { "factKey": "editor" }, or { "query": "which editor" }.',
    });
  const at = normaliseTimestamp(input.at) ?? isoTime(clock());
  const limit = input.limit ?? DEFAULT_LIMIT;
  const found =
    input.factKey === undefined
      ? await byWords(input, { store, words })
      : await byKey(input, input.factKey, store);
  const facts: Fact[] = [];
  const sameKey = new SameKey(store);
  for (const { own, all } of await distinctFacts(store, sameKey, found)) {
    const met = holderAt(own, at) ?? holderAt(all, at);
    const then = met === undefined ? undefined : holderAt(await sameKey.of(met), at);
    const shown = then ?? (input.includeHistory === true ? latestOf(all) : undefined);
    if (shown === undefined || facts.some(({ memory }) => memory.id === shown.id)) continue;
    facts.push({
      memory: shown,
      held: then !== undefined,
      history: input.includeHistory === true ? all : [],
    });
  }
  return { at, facts: facts.slice(0, limit), isCut: facts.length > limit };
}

function latestOf(versions: readonly StoredMemory[]): StoredMemory | undefined {
  return versions.toSorted((one, other) => compareValues(one, other, null)).at(-1);
}

async function byKey(
  { scope }: FactInput,
  factKey: string,
  store: MemoryStore,
): Promise<readonly StoredMemory[]> {
  const among = scope === undefined ? {} : { scopes: [scope] };
  const factKeys = await storedKeys(store, factKey, among);
  return everyMemory(store, { ...among, factKeys, states: READABLE });
}

/** A longer text is not a question for a fact. */
const MOST_KEY_WORDS = 8;

/** Facts whose key matches, then those whose text matches. */
async function byWords(
  input: FactInput,
  { store, words }: { readonly store: MemoryStore; readonly words: MemoryWords },
): Promise<readonly StoredMemory[]> {
  const { query = "", scope } = input;
  const asked = query.match(/[\p{L}\p{N}_-]+/gu) ?? [];
  const keys = asked.length > MOST_KEY_WORDS ? [] : new Set([query, ...asked]);
  const keyed: StoredMemory[] = [];
  for (const key of keys) keyed.push(...(await byKey(input, key, store)));
  const { hits } = await words.search(wordQuery(query), {
    limit: WIDEST,
    ...(scope === undefined ? {} : { scopes: [scope] }),
  });
  return [...keyed, ...(await store.memoriesAt(hits.map(({ ref }) => ref)))];
}

interface Versions {
  /** Versions that may have been valid: those of the matched key, if there is one. */
  readonly own: readonly StoredMemory[];
  /** With everything that they replaced, under any key; oldest first. */
  readonly all: readonly StoredMemory[];
}

/** Unique facts in the order of their first match: all memories of one key with their versions, or one chain of versions. */
async function distinctFacts(
  store: MemoryStore,
  sameKey: SameKey,
  found: readonly StoredMemory[],
): Promise<readonly Versions[]> {
  const seen = new Set<string>();
  const facts: Versions[] = [];
  for (const memory of found) {
    if (seen.has(memory.id)) continue;
    const own = await sameKey.of(memory);
    const all = await withVersions(store, own);
    for (const { id, factKey } of all) if (factKey === null || factKey === memory.factKey) seen.add(id);
    facts.push({ own: memory.factKey === null ? all : own, all });
  }
  return facts;
}

async function withVersions(
  store: MemoryStore,
  memories: readonly StoredMemory[],
): Promise<readonly StoredMemory[]> {
  const all = new Map<string, StoredMemory>();
  for (const memory of memories) {
    const isAlone = memory.supersedes.length === 0 && memory.supersededBy === null;
    if (all.has(memory.id)) continue;
    const versions = isAlone ? [memory] : await store.memoryVersions(memory.id);
    for (const version of versions) all.set(version.id, version);
  }
  return [...all.values()].toSorted(
    (one, other) => Date.parse(one.createdAt) - Date.parse(other.createdAt) || one.number - other.number,
  );
}
