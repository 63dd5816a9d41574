/** Finds known memories that may equal a candidate: by key, by words, semantically, as the profile, or because the candidate retracts them. */
import type { NewMemory, StoredMemory } from "../../store/memory-store.ts";
import { everyMemory } from "../every-memory.ts";
import type { MemoryDependencies } from "../memory-dependencies.ts";
import { saysTheSame } from "./says-the-same.ts";
import { deniesSomething, takesBack } from "./takes-back.ts";
import { ALWAYS_MERGED, JUDGED } from "./verdict.ts";
import type { Candidate } from "./writes-of.ts";

export interface FoundMatch {
  readonly memory: StoredMemory;
  /** Null when it was not found semantically. */
  readonly cosine: number | null;
}

type Use = Pick<MemoryDependencies, "store">;

/** Current memories of its scope, the most relevant first. */
export async function findMatches(
  candidate: Candidate,
  most: number,
  use: Use,
): Promise<readonly FoundMatch[]> {
  const { memory } = candidate;
  const [byKey, wrong, near, byWords, own] = await Promise.all([
    sameKey(memory, use),
    takenBack(memory, use),
    nearest(candidate, most, use),
    sameWords(memory, use),
    ALWAYS_MERGED.has(memory.category)
      ? everyMemory(use.store, { scopes: [memory.scope], categories: [memory.category] })
      : [],
  ]);
  const found = new Map<string, FoundMatch>();
  const cosines = new Map(near.map((match) => [match.memory.id, match.cosine]));
  for (const one of [...byKey, ...wrong, ...own, ...near.map((match) => match.memory), ...byWords])
    if (isInForce(one)) found.set(one.id, { memory: one, cosine: cosines.get(one.id) ?? null });
  return [...found.values()];
}

async function sameKey({ factKey, scope }: NewMemory, { store }: Use): Promise<readonly StoredMemory[]> {
  return factKey === null ? [] : (await store.memories({ factKey, scopes: [scope] })).rows;
}

/** Statements of the same conversation that this one retracts. Those of other conversations are found semantically. */
async function takenBack(
  { abstract, scope, sources }: NewMemory,
  { store }: Use,
): Promise<readonly StoredMemory[]> {
  if (!deniesSomething(abstract)) return [];
  const heard = await Promise.all(
    sources.map(({ conversation, lastSeq }) => store.memoriesFrom(conversation, { from: 1, to: lastSeq })),
  );
  return heard.flat().filter((known) => known.scope === scope && takesBack(abstract, known.abstract));
}

async function nearest(
  { memory, vectors }: Candidate,
  most: number,
  { store }: Use,
): Promise<readonly { readonly memory: StoredMemory; readonly cosine: number }[]> {
  const vector = vectors?.vectors[0];
  if (vectors === undefined || vector === undefined) return [];
  const near = await store.nearestMemories({
    model: vectors.model,
    vector,
    limit: most,
    scopes: [memory.scope],
    least: JUDGED.least,
  });
  const rows = await store.memoriesAt(near.map(({ ref }) => ref));
  return rows.flatMap((row) => {
    const cosine = near.find(({ ref }) => ref.scope === row.scope && ref.number === row.number)?.cosine;
    return cosine === undefined ? [] : [{ memory: row, cosine }];
  });
}

/** Current memories of its scope with the same words. */
async function sameWords(memory: NewMemory, use: Use): Promise<readonly StoredMemory[]> {
  return (await sayingTheSame(memory, use)).filter((row) => isSameWording(row, memory));
}

/** Current memories of its scope whose abstract says the same. */
export async function sayingTheSame(
  { abstract, scope }: NewMemory,
  { store }: Use,
): Promise<readonly StoredMemory[]> {
  const { rows } = await store.memories({ saying: abstract, scopes: [scope] });
  return rows.filter((row) => saysTheSame(row.abstract, abstract));
}

function isInForce({ invalidatedAt, archivedAt, erasedAt }: StoredMemory): boolean {
  return invalidatedAt === null && archivedAt === null && erasedAt === null;
}

/** The same words at every level, ignoring case and the full stop. */
export function isSameWording(a: StoredMemory, b: NewMemory): boolean {
  return (["abstract", "overview", "content"] as const).every((level) => plain(a[level]) === plain(b[level]));
}

function plain(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\s.!。！]+/g, " ")
    .trim();
}
