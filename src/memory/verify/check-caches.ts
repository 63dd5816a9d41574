/** What is kept beside memories: it belongs to one, vectors and their signs fit, and the word index says what they say. */
import type { MemoryFault, MemoryRef, MemoryStore } from "../../store/memory-store.ts";
import { checkMemoryIndex } from "../recall/index/check-memory-index.ts";
import type { MemorySegmentMaker } from "../recall/index/memory-indexer.ts";
import type { MemoryProblem } from "./memory-problem.ts";

/** What is seen only once may be somebody's write that is half seen. */
export async function checkFaults(store: MemoryStore): Promise<readonly MemoryProblem[]> {
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

export async function checkWords(
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
