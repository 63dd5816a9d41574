/** What recalling answers, with and without how it came about. */
import { z } from "zod";
import { RECALL_MODES } from "../../config/schema.ts";
import type { RecallResult } from "../../memory/recall/recall.ts";
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
  dropped: z.array(z.string()).readonly().describe("Ids of what it left out."),
  changes: z
    .array(
      z.strictObject({
        id: z.string().describe("Id of the memory."),
        from: z.number().describe("Its score before."),
        to: z.number().describe("Its score afterwards."),
        reason: z.string().nullable().describe("Why, where it is told."),
      }),
    )
    .readonly()
    .describe("Scores that it changed."),
  note: z.string().nullable().describe("Why it did nothing, or what it did beside."),
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
