/** Recalls by each mode, and by words or vectors alone. */
import { RECALL_MODES } from "../src/config/schema.ts";
import type { Engine } from "../src/index.ts";
import type { RecallInput } from "../src/memory/inputs.ts";
import type { Ranking } from "../src/memory/recall/rank-pool.ts";

export const RANKINGS: readonly Ranking[] = [...RECALL_MODES, "words", "vectors"];

export function explainRanked(
  { memory }: Pick<Engine, "memory">,
  ranking: Ranking,
  input: Omit<RecallInput, "mode">,
): ReturnType<Engine["memory"]["recall"]> {
  if (ranking === "words" || ranking === "vectors")
    return memory.recall(input, { explain: true, rankedBy: ranking });
  return memory.recall({ ...input, mode: ranking }, { explain: true });
}
