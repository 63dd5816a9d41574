/** The result of a recall, with and without its trace. */
import { z } from "zod";
import { RECALL_MODES } from "../../config/schema.ts";
import type { RecallResult } from "../../memory/recall/recall.ts";
import { memorySchema, toMemory } from "./memory-schema.ts";

const recalledSchema = z.strictObject({
  memory: memorySchema.describe("The memory."),
  score: z.number().describe("Relevance to the question, 0 to 1."),
  parts: z.record(z.string(), z.number()).describe("Components of the score, by name."),
});

const stageSchema = z.strictObject({
  stage: z.string().describe("Name of the stage."),
  in: z.int().describe("Candidates before the stage."),
  out: z.int().describe("Candidates after the stage."),
  milliseconds: z.number().describe("Duration of the stage."),
  dropped: z.array(z.string()).readonly().describe("Ids of the candidates that it dropped."),
  changes: z
    .array(
      z.strictObject({
        id: z.string().describe("Id of the memory."),
        from: z.number().describe("Score before the stage."),
        to: z.number().describe("Score after the stage."),
        reason: z.string().nullable().describe("Reason for the change, if there is one."),
      }),
    )
    .readonly()
    .describe("Scores that the stage changed."),
  note: z.string().nullable().describe("Why the stage did nothing, or what else it did."),
});

export const recallOutput = z.strictObject({
  memories: z.array(recalledSchema).readonly().describe("Relevant memories, best match first."),
  mode: z.enum(RECALL_MODES).describe("Ranking mode."),
  searched: z.int().describe("Number of memories that were searched."),
  notes: z
    .array(z.string())
    .readonly()
    .describe("Steps that did not work as configured, for example because a model is missing."),
  isCut: z.boolean().describe("Whether there are more matches than `limit`."),
  trace: z.array(stageSchema).readonly().describe("What each stage did; empty unless `explain` is set."),
});
export type RecallAnswer = z.infer<typeof recallOutput>;

export function toRecallAnswer({ memories, trace, ...rest }: RecallResult): RecallAnswer {
  return {
    ...rest,
    trace: trace.map(toStage),
    memories: memories.map(({ memory, score, parts }) => ({ memory: toMemory(memory), score, parts })),
  };
}

function toStage({ note, changes, ...stage }: RecallResult["trace"][number]): RecallAnswer["trace"][number] {
  const changed = changes.map(({ reason, ...change }) => ({ ...change, reason: reason ?? null }));
  return { ...stage, note: note ?? null, changes: changed };
}
