import { z } from "zod";
import { PalimpsestError } from "../errors.ts";
import { toStats } from "./memory-stats.ts";
import { defineOperation } from "./operation.ts";

/** How far it has come. */
export interface EmbedStep {
  readonly done: number;
  readonly total: number;
  readonly unit: "memories";
}

const inputSchema = z.strictObject({});
const outputSchema = z.strictObject({
  model: z.string().describe("What the vectors were made with."),
  made: z.int().describe("Memories that got vectors now."),
  missing: z.int().describe("Memories that have none of this model yet."),
});

export const reembedMemories = defineOperation<
  z.infer<typeof inputSchema>,
  z.infer<typeof outputSchema>,
  EmbedStep
>({
  name: "memory-reembed",
  summary:
    "Make the vectors that are missing for the configured model. Those of other models serve until then.",
  input: inputSchema,
  output: outputSchema,
  run: async (engine, _, { signal, onProgress }) => {
    const { embeddingModel, withoutVectors: total } = toStats(await engine.memory.stats());
    if (embeddingModel === null) throw noEmbedder();
    const made = await engine.memory.reembed({
      ...(signal === undefined ? {} : { signal }),
      ...(onProgress === undefined
        ? {}
        : { onProgress: ({ done }) => onProgress({ done, total, unit: "memories" }) }),
    });
    const { withoutVectors: missing } = toStats(await engine.memory.stats());
    return { model: embeddingModel, made, missing };
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
