/**
 * What held of a fact, now or at any time, without ranking by chance: by the key, or by words of the key and the text.
 * A fact holds from `validFrom` on until something took its place.
 */
import { PalimpsestError } from "../../errors.ts";
import { MEMORY_CATEGORIES, type Memory } from "../../memory-types.ts";
import type { MemoryQuery, MemoryStore, StoredMemory } from "../../store/memory-store.ts";
import { isoTime, normaliseTimestamp } from "../../text/timestamps.ts";
import { type FactInput, factInput, parseInput } from "../inputs.ts";
import type { MemoryDependencies } from "../memory-dependencies.ts";
import type { MemoryWords } from "./index/memory-words.ts";
import { wordQuery } from "./index/word-query.ts";

export interface FactAnswer {
  /** The time that was asked for. */
  readonly at: string;
  readonly facts: readonly Fact[];
  /** There are more than were asked for. */
  readonly isCut: boolean;
}

export interface Fact {
  readonly memory: Memory;
  /** Whether it held at that time. */
  readonly held: boolean;
  /** All versions, oldest first, where they were asked for. */
  readonly history: readonly Memory[];
}

const DEFAULT_LIMIT = 10;
/** Hits by words that are looked at, each with its versions. */
const WIDEST = 200;

export async function queryFacts(
  given: FactInput,
  { store, words, clock }: Pick<MemoryDependencies, "store" | "clock"> & { readonly words: MemoryWords },
): Promise<FactAnswer> {
  const input = parseInput("memory_fact_query", factInput, given);
  if ((input.query === undefined) === (input.factKey === undefined))
    throw new PalimpsestError("invalid-input", "memory_fact_query needs either a query or a factKey", {
      advice: 'For example { "factKey": "preferences:editor" }, or { "query": "which editor" }.',
    });
  const at = normaliseTimestamp(input.at) ?? isoTime(clock());
  const limit = input.limit ?? DEFAULT_LIMIT;
  const found =
    input.factKey === undefined
      ? await byWords(input, { store, words })
      : await byKey(input, input.factKey, store);
  const facts: Fact[] = [];
  for (const versions of await distinctVersions(store, found)) {
    // What was erased says nothing about any time.
    const then = versions.findLast((version) => version.erasedAt === null && heldAt(version, at));
    const shown = then ?? (input.includeHistory === true ? versions.at(-1) : undefined);
    if (shown === undefined) continue;
    facts.push({
      memory: shown,
      held: then !== undefined,
      history: input.includeHistory === true ? versions : [],
    });
  }
  return { at, facts: facts.slice(0, limit), isCut: facts.length > limit };
}

/** Pure. Half open: at the very moment of a change, the new version holds. */
export function heldAt(
  { validFrom, validUntil, invalidatedAt, archivedAt, erasedAt }: Memory,
  at: string,
): boolean {
  const time = Date.parse(at);
  const endsBy = (end: string | null) => end !== null && Date.parse(end) <= time;
  return Date.parse(validFrom) <= time && ![validUntil, invalidatedAt, archivedAt, erasedAt].some(endsBy);
}

async function byKey(
  { scope }: FactInput,
  factKey: string,
  store: MemoryStore,
): Promise<readonly StoredMemory[]> {
  const found: StoredMemory[] = [];
  for (const key of keysNamed(factKey))
    found.push(
      ...(await everyMemory(store, {
        factKey: key,
        states: ["active", "superseded", "archived"],
        ...(scope === undefined ? {} : { scopes: [scope] }),
      })),
    );
  return found;
}

/** `editor` is meant whatever its category; `preferences:editor` says which. */
function keysNamed(factKey: string): readonly string[] {
  const plain = factKey.normalize("NFKC").toLowerCase();
  return /^\w+:/.test(plain) ? [plain] : MEMORY_CATEGORIES.map((category) => `${category}:${plain}`);
}

/** More would be a text, and not a question for a fact. */
const MOST_KEY_WORDS = 8;

/** Facts whose key is asked for, then those that say any of it. */
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

/** Each chain of versions once, in the order in which it was met first. */
async function distinctVersions(
  store: MemoryStore,
  found: readonly StoredMemory[],
): Promise<readonly (readonly StoredMemory[])[]> {
  const seen = new Set<string>();
  const chains: (readonly StoredMemory[])[] = [];
  for (const { id, supersedes, supersededBy, ...rest } of found) {
    if (seen.has(id)) continue;
    const isAlone = supersedes.length === 0 && supersededBy === null;
    const versions = isAlone ? [{ id, supersedes, supersededBy, ...rest }] : await store.memoryVersions(id);
    for (const version of versions) seen.add(version.id);
    chains.push(versions);
  }
  return chains;
}

/** All of them, page by page. */
export async function everyMemory(store: MemoryStore, query: MemoryQuery): Promise<readonly StoredMemory[]> {
  const rows: StoredMemory[] = [];
  for await (const memory of eachMemory(store, query)) rows.push(memory);
  return rows;
}

export async function* eachMemory(store: MemoryStore, query: MemoryQuery): AsyncGenerator<StoredMemory> {
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<MemoryStore["memories"]>> = await store.memories({
      ...query,
      ...(cursor === null ? {} : { cursor }),
    });
    yield* page.rows;
    cursor = page.next;
  } while (cursor !== null);
}
