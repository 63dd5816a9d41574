/**
 * Adds the turns before and after each hit, and the adjacent turns, which may be the answer without
 * a word of the question.
 */
import { WINDOW } from "../../search/calibrated/window-strengths.ts";
import type { MemoriesAround, MemoryRef, MemoryStore, NeighbouringMemory } from "../../store/memory-store.ts";
import { nameOf, type PoolEntry } from "./gather-pool.ts";

/** Context turns on each side, and one more for the adjacent turns. */
const REACH = WINDOW + 1;
/** Only around the best hits: a turn that its neighbours raise is adjacent to one of them. */
const LEAST_SURROUNDED = 64;
/** The weight of the cosine relative to the word coverage. */
const MEANING = 0.5;

export const ALONE: MemoriesAround = { before: [], after: [], saidAt: null };

interface Surrounded {
  readonly entries: readonly PoolEntry[];
  /** By name: turns adjacent to one of the best hits that were not found themselves. */
  readonly beside: ReadonlyMap<string, Beside>;
}

interface Beside {
  readonly ref: MemoryRef;
  readonly around: MemoriesAround;
}

export function alone(entries: readonly PoolEntry[]): Surrounded {
  return { entries, beside: new Map() };
}

export async function surround(
  entries: readonly PoolEntry[],
  wanted: number,
  store: MemoryStore,
): Promise<Surrounded> {
  const inOrder = entries.toSorted((a, b) => promiseOf(b) - promiseOf(a));
  const count = Math.max(LEAST_SURROUNDED, 2 * wanted);
  const best = await withAround(inOrder.slice(0, count), store);
  return { entries: [...best, ...inOrder.slice(count)], beside: neighboursOf(best, entries) };
}

/** Its score without neighbours. */
function promiseOf({ cosine, words: { coverage } }: PoolEntry): number {
  return coverage + MEANING * Math.max(0, cosine ?? 0);
}

async function withAround(entries: readonly PoolEntry[], store: MemoryStore): Promise<readonly PoolEntry[]> {
  const placed = entries.flatMap((entry) => {
    const source = entry.memory.sources.find(({ kind }) => kind === "origin");
    return source === undefined ? [] : [{ entry, place: { ...source, scope: entry.memory.scope } }];
  });
  if (placed.length === 0) return entries;
  const around = await store.memoriesAround(
    placed.map(({ place }) => place),
    REACH,
  );
  const known = new Map(placed.map(({ entry }, place) => [entry.memory.id, around[place] ?? ALONE]));
  return entries.map((entry) => ({ ...entry, around: known.get(entry.memory.id) ?? ALONE }));
}

/** The neighbours of a neighbour are known from the hit next to it. */
function neighboursOf(
  entries: readonly PoolEntry[],
  found: readonly PoolEntry[],
): ReadonlyMap<string, Beside> {
  const names = new Set(found.map(({ memory }) => nameOf(memory)));
  const beside = new Map<string, Beside>();
  const add = (neighbour: NeighbouringMemory | undefined, around: MemoriesAround) => {
    if (neighbour !== undefined && !names.has(nameOf(neighbour.ref)))
      beside.set(nameOf(neighbour.ref), { ref: neighbour.ref, around });
  };
  for (const { memory, around } of entries) {
    const own = { ...memory, ref: memory };
    const { before, after, saidAt } = around;
    add(before[0], { before: before.slice(1), after: [own, ...after], saidAt });
    add(after[0], { before: [own, ...before], after: after.slice(1), saidAt });
  }
  return beside;
}

export function refsOf(beside: ReadonlyMap<string, Beside>): readonly MemoryRef[] {
  return [...beside.values()].map(({ ref }) => ref);
}
