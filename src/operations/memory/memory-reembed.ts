import { z } from "zod";
import { PalimpsestError } from "../../errors.ts";
import type { ReembedProgress } from "../../memory/remember/reembed.ts";
import { defineOperation } from "../operation.ts";
import { toStats } from "./memory-stats.ts";

/** How far it has come. */
export interface EmbedStep extends ReembedProgress {
  readonly total: number;
  readonly unit: "memories";
}

const inputSchema = z.strictObject({
  prune: z
    .boolean()
    .optional()
    .describe(
      "Then remove vectors of all other models, once none of this one is missing. Default: they stay.",
    ),
});
const outputSchema = z.strictObject({
  model: z.string().describe("What the vectors were made with."),
  made: z.int().describe("Memories that got vectors now."),
  missing: z.int().describe("Memories that have none of this model yet."),
  pruned: z.int().describe("Vectors of other models that were removed now."),
  notPruned: z
    .string()
    .nullable()
    .describe("Why none was removed, where that was asked for; null where it was done or not asked for."),
  others: z.int().describe("Vectors of other models that are there."),
});

export const reembedMemories = defineOperation<
  z.infer<typeof inputSchema>,
  z.infer<typeof outputSchema>,
  EmbedStep
>({
  name: "memory-reembed",
  summary:
    "Make the vectors that are missing for the configured model. Those of other models serve until then, and stay unless they are pruned.",
  input: inputSchema,
  output: outputSchema,
  run: async (engine, { prune = false }, { signal, onProgress }) => {
    const { embeddingModel: model, ...before } = toStats(await engine.memory.stats());
    if (model === null) throw noEmbedder();
    const totals = { embed: before.withoutVectors, prune: before.total };
    const report = await engine.memory.reembed({
      prune,
      ...(signal === undefined ? {} : { signal }),
      ...(onProgress === undefined
        ? {}
        : { onProgress: (made) => onProgress({ ...made, total: totals[made.step], unit: "memories" }) }),
    });
    const { withoutVectors: missing, vectors } = toStats(await engine.memory.stats());
    const others = vectors.reduce((sum, one) => sum + (one.model === model ? 0 : one.vectors), 0);
    return { model, ...report, missing, others };
  },
});

function noEmbedder(): PalimpsestError {
  return new PalimpsestError(
    "not-supported",
    "there is no embedding model, and so there are no vectors to make",
    {
      advice: "Memories are found by their words. embeddingModel names a model: see lcm config show",
    },
  );
}
