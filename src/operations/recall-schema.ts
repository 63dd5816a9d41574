/** What recalling answers, with and without how it came about. */
import { z } from "zod";
import { RECALL_MODES } from "../config/schema.ts";
import type { RecallResult } from "../memory/recall/recall.ts";
import { memorySchema, toMemory } from "./memory-schema.ts";

const recalledSchema = z.strictObject({
  memory: memorySchema.describe("The memory."),
  score: z.number().describe("How well it fits, 0 to 1."),
  parts: z.record(z.string(), z.number()).describe("What made the score, by name."),
});

const stageSchema = z.strictObject({
  stage: z.string().describe("Name of the stage."),
  in: z.int().describe("Candidates that came in."),
  out: z.int().describe("Candidates that went on."),
  milliseconds: z.number().describe("How long it took."),
  dropped: z
    .array(
      z.strictObject({ id: z.string().describe("Id of the memory."), reason: z.string().describe("Why.") }),
    )
    .readonly()
    .describe("What it left out."),
  changes: z
    .array(
      z.strictObject({
        id: z.string().describe("Id of the memory."),
        before: z.number().describe("Its score before."),
        after: z.number().describe("Its score afterwards."),
      }),
    )
    .readonly()
    .describe("Scores that it changed."),
});

export const recallOutput = z.strictObject({
  memories: z.array(recalledSchema).readonly().describe("What matters, best first."),
  mode: z.enum(RECALL_MODES).describe("How it was ranked."),
  searched: z.int().describe("Memories that were looked through."),
  notes: z.array(z.string()).readonly().describe("What did not go as configured, such as a missing model."),
  isCut: z.boolean().describe("Whether more would have fitted than was asked for."),
  trace: z.array(stageSchema).readonly().describe("What each stage did; empty unless explained."),
});
export type RecallAnswer = z.infer<typeof recallOutput>;

export function toRecallAnswer({ memories, ...rest }: RecallResult): RecallAnswer {
  return {
    ...rest,
    memories: memories.map(({ memory, score, parts }) => ({ memory: toMemory(memory), score, parts })),
  };
}
