/** Whether memories are found by what they mean, as the configuration wants it. */
import type { Engine } from "../../engine.ts";
import { counted } from "../../text/counted.ts";
import { toStats } from "../memory/memory-stats.ts";
import { type Finding, ok, warn } from "./finding.ts";

export async function checkMemories({ memory }: Engine): Promise<Finding> {
  const { byState, embeddingModel, withoutVectors } = toStats(await memory.maintenance.stats());
  const amount = counted(byState.active, "memory", "memories");
  if (embeddingModel === null) return ok("memories", `${amount}, found by words: embeddingModel is off`);
  if (withoutVectors === 0)
    return ok("memories", `${amount}, found by words and by meaning (${embeddingModel})`);
  const message = `${counted(withoutVectors, "memory has", "memories have")} no vectors of ${embeddingModel}, and so are found by words only`;
  return warn("memories", message, "Make them with: lcm memory reembed");
}
