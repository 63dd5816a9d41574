/** Checks whether semantic search of memories works as configured. */
import type { Engine } from "../../engine.ts";
import { counted } from "../../text/counted.ts";
import { toStats } from "../memory/memory-stats.ts";
import { type Finding, ok, warn } from "./finding.ts";

export async function checkMemories({ memory }: Engine): Promise<Finding> {
  const { byState, embeddingModel, withoutVectors } = toStats(await memory.maintenance.stats());
  const amount = counted(byState.active, "memory", "memories");
  if (embeddingModel === null) return ok("memories", `${amount}, searched by words: embeddingModel is off`);
  if (withoutVectors === 0)
    return ok("memories", `${amount}, searched by words and semantically (${embeddingModel})`);
  const message = `${counted(withoutVectors, "memory has", "memories have")} no embeddings yet (${embeddingModel}) and can only be searched by words`;
  return warn("memories", message, "Create them with: lcm memory reembed");
}
