/**
 * Checks every memory of a tenant once, and the data beside them. Reports, never repairs. Concurrent writes are not
 * a problem: a finding is checked again before it is reported.
 */
import { PalimpsestError } from "../../errors.ts";
import type { MemorySource } from "../../memory-types.ts";
import type { MemoryFault, MemoryRef, MemoryStore, StoredMemory } from "../../store/memory-store.ts";
import { everyPage } from "../every-memory.ts";
import { checkMemoryIndex } from "../recall/index/check-memory-index.ts";
import type { MemorySegmentMaker } from "../recall/index/memory-indexer.ts";
import { VersionCheck } from "./check-versions.ts";
import type { MemoryProblem, MemoryReport } from "./memory-problem.ts";

export interface VerifyMemoriesOptions {
  readonly findMessages: FindMessages;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: (progress: { readonly memories: number }) => void;
}

export async function verifyMemories(
  { store, segments }: { readonly store: MemoryStore; readonly segments: MemorySegmentMaker },
  { findMessages, signal, onProgress }: VerifyMemoriesOptions,
): Promise<MemoryReport> {
  const stopIfAborted = () => {
    if (signal?.aborted === true) throw new PalimpsestError("cancelled", "the check was cancelled");
  };
  const versions = new VersionCheck(store);
  const origins = new OriginCheck(store, findMessages);
  let memories = 0;
  for await (const page of everyPage(store)) {
    stopIfAborted();
    for (const memory of page) {
      versions.meet(memory);
      origins.meet(memory);
    }
    memories += page.length;
    onProgress?.({ memories });
  }
  const problems = [
    ...(await versions.end()),
    ...(await origins.end(stopIfAborted)),
    ...(await checkFaults(store)),
    ...(await checkWords(store, segments, stopIfAborted)),
  ];
  return { memories, problems };
}

/** The messages of a conversation of any agent of the tenant. */
interface KnownMessages {
  readonly last: number;
  readonly erased: readonly number[];
}

/** Undefined if there is no such conversation. */
type FindMessages = (conversation: string) => Promise<KnownMessages | undefined>;

type Origin = Pick<MemorySource, "firstSeq" | "lastSeq"> & { readonly memory: string };

/** Checks the sources of memories: the messages exist and none is erased, since that would erase the memory. */
class OriginCheck {
  readonly #store: Pick<MemoryStore, "memory">;
  readonly #findMessages: FindMessages;
  readonly #origins = new Map<string, Origin[]>();

  constructor(store: Pick<MemoryStore, "memory">, findMessages: FindMessages) {
    this.#store = store;
    this.#findMessages = findMessages;
  }

  meet({ id: memory, sources }: StoredMemory): void {
    for (const { kind, conversation, firstSeq, lastSeq } of sources) {
      if (kind !== "origin") continue;
      const known = this.#origins.get(conversation) ?? [];
      if (known.length === 0) this.#origins.set(conversation, known);
      known.push({ memory, firstSeq, lastSeq });
    }
  }

  async end(stopIfAborted: () => void): Promise<readonly MemoryProblem[]> {
    const problems: MemoryProblem[] = [];
    for (const [conversation, origins] of this.#origins) {
      stopIfAborted();
      const messages = await this.#findMessages(conversation);
      for (const origin of origins) {
        const wrong = wrongWith(origin, messages);
        if (wrong === null || !(await this.#isStill(origin, conversation))) continue;
        const { memory, firstSeq, lastSeq } = origin;
        const message = `its sources are messages ${firstSeq} to ${lastSeq} of ${conversation}, ${wrong}`;
        problems.push({ check: "origins", memory, message, repair: null });
      }
    }
    return problems;
  }

  /** An erasure also removes the origin. */
  async #isStill({ memory, firstSeq, lastSeq }: Origin, conversation: string): Promise<boolean> {
    const sources = (await this.#store.memory(memory))?.sources ?? [];
    return sources.some(
      (source) =>
        source.kind === "origin" &&
        source.conversation === conversation &&
        source.firstSeq === firstSeq &&
        source.lastSeq === lastSeq,
    );
  }
}

function wrongWith({ firstSeq, lastSeq }: Origin, messages: KnownMessages | undefined): string | null {
  if (messages === undefined) return "a conversation that does not exist";
  if (firstSeq < 1 || firstSeq > lastSeq || lastSeq > messages.last)
    return `which has only ${messages.last} messages`;
  const erased = messages.erased.find((seq) => seq >= firstSeq && seq <= lastSeq);
  return erased === undefined ? null : `of which ${erased} was erased`;
}

/** A problem found only once may be a concurrent write. */
async function checkFaults(store: MemoryStore): Promise<readonly MemoryProblem[]> {
  const found = await store.memoryFaults();
  if (found.length === 0) return [];
  const still = new Set((await store.memoryFaults()).map((fault) => JSON.stringify(fault)));
  const lasting = found.filter((fault) => still.has(JSON.stringify(fault)));
  return Promise.all(lasting.map((fault) => problemWith(fault, store)));
}

async function problemWith(fault: MemoryFault, store: MemoryStore): Promise<MemoryProblem> {
  const { ref } = fault;
  const [owner] = ref === null ? [] : await store.memoriesAt([ref]);
  const memory = owner?.id ?? null;
  if (fault.kind !== "vectors") return { check: "memories", memory, message: wrongRow(fault), repair: null };
  return {
    check: "vectors",
    memory,
    message: wrongVectors(fault),
    repair: { kind: "remake-vectors", model: fault.model, ref },
  };
}

function wrongRow(fault: Exclude<MemoryFault, { kind: "vectors" }>): string {
  const name = nameOf(fault.ref);
  return fault.kind === "stray"
    ? `there are ${fault.what} of ${name}, which does not exist`
    : `the number of ${name} was never assigned and may be assigned again`;
}

function wrongVectors({ model, ref, fault }: Extract<MemoryFault, { kind: "vectors" }>): string {
  if (ref === null) return `quantised vectors of ${model} belong to no embedding`;
  const vectors = `embeddings of ${nameOf(ref)} by ${model}`;
  if (fault === "stray") return `there are ${vectors}, which does not exist or was erased`;
  return fault === "length"
    ? `the ${vectors} differ in length from others of this model`
    : `the ${vectors} do not match their quantised form`;
}

function nameOf({ scope, number }: MemoryRef): string {
  return `memory ${number} of ${scope}`;
}

/** Compares the word index with the memories. */
async function checkWords(
  store: MemoryStore,
  maker: MemorySegmentMaker,
  stopIfAborted: () => void,
): Promise<readonly MemoryProblem[]> {
  const found = await checkMemoryIndex(store, maker, stopIfAborted);
  return found.map(({ segment, message }) => ({
    check: "words",
    memory: null,
    message,
    repair: { kind: "remake-segment", segment },
  }));
}
