import { z } from "zod";
import { MEMORY_TIERS } from "../../memory-types.ts";
import { defineOperation } from "../operation.ts";

const tier = z.enum(MEMORY_TIERS);

const outputSchema = z.strictObject({
  dryRun: z.boolean().describe("Whether it was only told, and nothing was changed."),
  looked: z.int().describe("Memories in force that were looked at."),
  archived: z
    .array(
      z.strictObject({
        id: z.string().describe("Id of the memory that was set aside."),
        canonical: z.string().describe("Id of the one that says the same, and stays."),
        reason: z.string().describe("Why."),
      }),
    )
    .readonly()
    .describe("What was set aside. Each can be brought back."),
  passedOver: z.record(z.string(), z.int()).describe("Not compared, by reason."),
  moves: z
    .array(
      z.strictObject({
        id: z.string().describe("Id of the memory."),
        from: tier.describe("Where it was."),
        to: tier.describe("Where it is now."),
        reason: z.string().describe("Why."),
      }),
    )
    .readonly()
    .describe("Memories that fade slower or faster from now on."),
});

export const consolidateMemories = defineOperation({
  name: "memory-consolidate",
  summary:
    "Set aside what says the same as another memory, and move memories between tiers. Nothing is deleted.",
  input: z.strictObject({
    dryRun: z.boolean().exactOptional().describe("Only tell what would be done. Default false."),
    threshold: z
      .number()
      .min(0)
      .max(1)
      .exactOptional()
      .describe("How near two must be, 0 to 1. Default 0.88."),
  }),
  output: outputSchema,
  run: async (engine, input, { signal, onProgress }) => {
    const { archived, moves, ...report } = await engine.memory.consolidate({
      ...input,
      ...(signal === undefined ? {} : { signal }),
      ...(onProgress === undefined
        ? {}
        : { onProgress: ({ done }) => onProgress({ done, unit: "memories" }) }),
    });
    return {
      ...report,
      archived: archived.map(({ id, canonical, reason }) => ({ id, canonical, reason })),
      moves: moves.map(({ id, decision: { from, to, reason } }) => ({ id, from, to, reason })),
    };
  },
});
