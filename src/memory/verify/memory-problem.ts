/** The words of verifying memories. */
import type { MemoryRef } from "../../store/memory-store.ts";

export interface MemoryProblem {
  readonly check: "memories" | "origins" | "vectors" | "words";
  /** Id of the memory it concerns, if it concerns one. */
  readonly memory: string | null;
  readonly message: string;
  /** What would mend it without loss; null when only a backup can. */
  readonly repair: MemoryRepair | null;
}

/** Only of what can be made again from the memories: their words are never touched. */
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
