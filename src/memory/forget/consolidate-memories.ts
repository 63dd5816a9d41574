/**
 * Archives duplicates of a memory in the same scope and category. The memory that is kept names them; nothing is
 * deleted, and everything can be restored.
 */
import { isPalimpsestError } from "../../errors.ts";
import type { MemoryWrite, StoredMemory } from "../../store/memory-store.ts";
import { isoTime } from "../../text/timestamps.ts";
import { eachMemory } from "../every-memory.ts";
import type { MemoryDependencies } from "../memory-dependencies.ts";
import { type ConsolidationInput, type ConsolidationStep, planConsolidation } from "./consolidate.ts";
import { moveAllTiers, type TierMove } from "./maintain.ts";

export interface ConsolidateInput {
  /** Only report what would be done. Default false. */
  readonly dryRun?: boolean;
  /** Minimum cosine similarity of duplicates, 0 to 1. Default 0.88. */
  readonly threshold?: number;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: (progress: { readonly done: number }) => void;
}

export interface ConsolidateReport {
  readonly dryRun: boolean;
  /** Number of current memories that were checked. */
  readonly looked: number;
  readonly archived: readonly ConsolidationStep[];
  /** Number of memories that were not compared, by reason. */
  readonly passedOver: Readonly<Record<string, number>>;
  readonly moves: readonly TierMove[];
}

type Use = Pick<MemoryDependencies, "store" | "clock" | "embedder">;

export async function consolidateMemories(input: ConsolidateInput, use: Use): Promise<ConsolidateReport> {
  const { dryRun = false, signal, threshold } = input;
  const inputs = await readInputs(input, use);
  const known = new Map(inputs.map(({ memory }) => [memory.id, memory]));
  const plan = planConsolidation(inputs, use.clock(), threshold);
  const archived: ConsolidationStep[] = [];
  for (const step of plan.archive) {
    signal?.throwIfAborted();
    if (dryRun || (await setAside(step, known, use))) archived.push(step);
  }
  const { moves } = await moveAllTiers(use, { dryRun, ...(signal === undefined ? {} : { signal }) });
  const passedOver: Record<string, number> = {};
  for (const { reason } of plan.passedOver) passedOver[reason] = (passedOver[reason] ?? 0) + 1;
  return { dryRun, looked: inputs.length, archived, passedOver, moves };
}

const PAGE = 500;

type Input = ConsolidationInput & { readonly memory: StoredMemory };

async function readInputs(
  { signal, onProgress }: ConsolidateInput,
  { store, embedder }: Use,
): Promise<readonly Input[]> {
  const memories: StoredMemory[] = [];
  for await (const memory of eachMemory(store, { limit: PAGE })) {
    signal?.throwIfAborted();
    memories.push(memory);
    if (memories.length % PAGE === 0) onProgress?.({ done: memories.length });
  }
  const vectors = embedder === null ? [] : await store.memoryVectors(embedder.model, memories);
  return memories.map((memory, place) => ({ memory, vector: vectors[place]?.[0] ?? null }));
}

/** In one commit, which requires that both memories are still current. */
async function setAside(
  { id, canonical, reason }: ConsolidationStep,
  known: Map<string, StoredMemory>,
  { store, clock }: Use,
): Promise<boolean> {
  const [goes, stays] = [known.get(id), known.get(canonical)];
  if (goes === undefined || stays === undefined) return false;
  try {
    const results = await store.commit(writesOf(goes, stays, reason, isoTime(clock())));
    for (const result of results) if (result.kind === "revise") known.set(result.memory.id, result.memory);
    return true;
  } catch (error) {
    if (isPalimpsestError(error, "busy") || isPalimpsestError(error, "not-found")) return false;
    throw error;
  }
}

function writesOf(goes: StoredMemory, stays: StoredMemory, reason: string, at: string): MemoryWrite[] {
  const detail = JSON.stringify({ reason, canonical: stays.id });
  return [
    {
      kind: "revise",
      id: goes.id,
      changes: { archivedAt: at, archivedReason: `duplicate of ${stays.id}` },
      unchangedSince: goes.updatedAt,
      whileInForce: true,
      event: { at, action: "archived", detail },
    },
    {
      kind: "revise",
      id: stays.id,
      changes: {},
      unchangedSince: stays.updatedAt,
      addSources: goes.sources.map((source) => ({ ...source, kind: "support" as const })),
      whileInForce: true,
      event: { at, action: "supported", detail: JSON.stringify({ by: goes.id }) },
    },
  ];
}
