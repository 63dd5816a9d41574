/** An in-process store of memories with only what the word index uses. */

import { PalimpsestError } from "../../errors.ts";
import { UNTOUCHED } from "../../memory-types.ts";
import type {
  MemoryIndex,
  MemoryIndexWrite,
  MemoryRef,
  MemoryRun,
  MemorySegment,
  MemoryWrite,
  MemoryWriteResult,
  StoredMemory,
} from "../../store/memory-store.ts";
import type { IndexStore } from "../recall/index/index-store.ts";

export type FakeText = Partial<
  Pick<StoredMemory, "abstract" | "overview" | "content" | "tags" | "createdAt">
>;

const AT = "2026-03-01T10:00:00.000Z";

export class FakeMemoryStore implements IndexStore {
  readonly #memories = new Map<string, StoredMemory[]>();
  #segments: readonly MemorySegment[] = [];
  #nextSegment = 1;
  /** Number of memories that were read. */
  reads = 0;

  add(text: FakeText, scope = "global"): MemoryRef {
    const own = this.#memories.get(scope) ?? [];
    this.#memories.set(scope, own);
    const number = own.length + 1;
    own.push(fakeMemory({ scope, number }, text));
    return { scope, number };
  }

  /** Also removes the segment, as a store must. */
  erase({ scope, number }: MemoryRef): void {
    const own = this.#memories.get(scope) ?? [];
    own[number - 1] = { ...fakeMemory({ scope, number }, { abstract: "" }), erasedAt: AT };
    this.#dropSegment({ scope, number });
  }

  retag({ scope, number }: MemoryRef, tags: readonly string[]): void {
    const own = this.#memories.get(scope) ?? [];
    const memory = own[number - 1];
    if (memory !== undefined) own[number - 1] = { ...memory, tags };
    this.#dropSegment({ scope, number });
  }

  /** Replaces the content of every segment. */
  damage(change: (content: Uint8Array) => Uint8Array): void {
    this.#segments = this.#segments.map((segment) => ({ ...segment, content: change(segment.content) }));
  }

  every(): readonly StoredMemory[] {
    return [...this.#memories.values()].flat();
  }

  async memoriesAt(refs: readonly MemoryRef[]): Promise<readonly StoredMemory[]> {
    this.reads += refs.length;
    return refs.flatMap(({ scope, number }) => this.#memories.get(scope)?.[number - 1] ?? []);
  }

  async memoryIndex(): Promise<MemoryIndex> {
    const segments = this.#segments.map(({ id, scope, first, last }) => ({ id, scope, first, last }));
    return { segments, unindexed: runsOf(this.every().filter((memory) => !this.#isIndexed(memory))) };
  }

  async memorySegments(ids: readonly number[]): Promise<readonly MemorySegment[]> {
    return this.#segments.filter(({ id }) => ids.includes(id));
  }

  async commit(writes: readonly MemoryWrite[]): Promise<readonly MemoryWriteResult[]> {
    return writes.map((write) => {
      if (write.kind !== "memory-index") throw new Error(`this store cannot ${write.kind}`);
      return this.#writeIndex(write);
    });
  }

  #writeIndex({ replaces, segment }: MemoryIndexWrite): MemoryWriteResult {
    const left = this.#segments.filter(({ id }) => !replaces.includes(id));
    if (left.length + replaces.length !== this.#segments.length) throw busy();
    if (segment === null) {
      this.#segments = left;
      return { kind: "memory-index", segment: null };
    }
    const { erased, ...run } = segment;
    const own = this.every().filter((memory) => isIn(run, memory));
    if (own.filter(({ erasedAt }) => erasedAt !== null).length !== erased) throw busy();
    if (own.some((memory) => left.some((other) => isIn(other, memory)))) throw busy();
    const id = this.#nextSegment++;
    this.#segments = [...left, { ...run, id }];
    return { kind: "memory-index", segment: id };
  }

  #dropSegment(memory: MemoryRef): void {
    this.#segments = this.#segments.filter((segment) => !isIn(segment, memory));
  }

  #isIndexed(memory: MemoryRef): boolean {
    return this.#segments.some((segment) => isIn(segment, memory));
  }
}

function busy(): PalimpsestError {
  return new PalimpsestError("busy", "the word index has changed");
}

function isIn({ scope, first, last }: MemoryRun, memory: MemoryRef): boolean {
  return scope === memory.scope && first <= memory.number && memory.number <= last;
}

function runsOf(refs: readonly MemoryRef[]): readonly MemoryRun[] {
  const runs: MemoryRun[] = [];
  for (const { scope, number } of refs) {
    const before = runs.at(-1);
    if (before?.scope === scope && before.last + 1 === number)
      runs[runs.length - 1] = { ...before, last: number };
    else runs.push({ scope, first: number, last: number });
  }
  return runs;
}

/** A memory with everything filled in. */
export function fakeMemory({ scope, number }: MemoryRef, text: FakeText): StoredMemory {
  const { abstract = "", overview = "", content = "", tags = [], createdAt = AT } = text;
  return {
    id: `mem_${number.toString(16).padStart(16, "0")}`,
    scope,
    number,
    abstract,
    overview,
    content,
    tags,
    createdAt,
    category: "entities",
    tier: "working",
    importance: 0.5,
    confidence: 0.5,
    temporalType: "static",
    speaker: null,
    factKey: null,
    support: [],
    relations: [],
    sources: [],
    origin: "manual",
    updatedAt: createdAt,
    validFrom: createdAt,
    validUntil: null,
    supersedes: [],
    ...UNTOUCHED,
  };
}
