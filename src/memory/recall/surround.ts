/**
 * What was said right before and after what was found, and the turns right beside it, which may answer though they have
 * no word of the question.
 */
import { WINDOW } from "../../search/calibrated/window-strengths.ts";
import type { MemoriesAround, MemoryRef, MemoryStore, NeighbouringMemory } from "../../store/memory-store.ts";
import { nameOf, type PoolEntry } from "./gather-pool.ts";

/** Turns on each side that tell what one is about, and one more for the turns right beside it. */
const REACH = WINDOW + 1;
/** Only around the best: a turn that is lifted by its neighbours stands beside one of these, and comes in by that. */
const LEAST_SURROUNDED = 64;
/** What a cosine counts for beside the share of the question's words. */
const MEANING = 0.5;

export const ALONE: MemoriesAround = { before: [], after: [], saidAt: null };

interface Surrounded {
  readonly entries: readonly PoolEntry[];
  /** By name: what stands right beside one of the best, and was not found itself. */
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

/** How good it is by itself. */
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

/** What is around a neighbour is known from what it stands beside. */
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
