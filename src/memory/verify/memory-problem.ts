/** The types of a verification of memories. */
import type { MemoryRef } from "../../store/memory-store.ts";

export interface MemoryProblem {
  readonly check: "memories" | "origins" | "vectors" | "words";
  /** Id of the affected memory, if there is one. */
  readonly memory: string | null;
  readonly message: string;
  /** The repair without loss; null when only a backup helps. */
  readonly repair: MemoryRepair | null;
}

/** Repairs only rebuild data from the memories; words never change. */
export type MemoryRepair =
  | { readonly kind: "remake-segment"; readonly segment: number }
  | { readonly kind: "remake-vectors"; readonly model: string; readonly ref: MemoryRef | null };

export interface MemoryReport {
  readonly memories: number;
  readonly problems: readonly MemoryProblem[];
}

export function describeRepair(repair: MemoryRepair): string {
  if (repair.kind === "remake-segment") return `rebuild segment ${repair.segment} of the word index`;
  const { model, ref } = repair;
  return ref === null
    ? `rebuild the quantised vectors of ${model}`
    : `create the embeddings of memory ${ref.number} of ${ref.scope} by ${model} again`;
}
