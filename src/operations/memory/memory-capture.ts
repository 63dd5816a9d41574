import { z } from "zod";
import { conversationName } from "../conversation-schema.ts";
import { defineOperation } from "../operation.ts";
import { memorySchema, toMemory } from "./memory-schema.ts";

const decisionSchema = z.strictObject({
  verdict: z.string().describe("What was decided, such as create, merge or rejected."),
  reason: z.string().describe("Why, in one sentence."),
  abstract: z.string().describe("What it was about."),
  memory: z.string().nullable().describe("Id of the memory that came of it, or that it met."),
});

export const captureMemories = defineOperation({
  name: "memory-capture",
  summary: "Take what is worth keeping out of a conversation now, from where the last time ended.",
  input: z.strictObject({
    conversation: conversationName,
    flush: z.boolean().exactOptional().describe("Also when there is little to read yet. Default false."),
  }),
  output: z.strictObject({
    conversation: z.string().describe("Id of the conversation."),
    from: z.int().describe("First message that was read now, or waits to be; 0 when there is none."),
    to: z.int().describe("The last one."),
    status: z
      .enum(["captured", "waiting", "nothing", "throttled"])
      .describe("Read; waiting for more to be said; nothing new; or too many readings within the hour."),
    how: z.enum(["model", "rules"]).describe("Whether a model read it, or rules did."),
    stored: z
      .array(memorySchema)
      .readonly()
      .describe("Memories that came of it, and those that were said again."),
    decisions: z.array(decisionSchema).readonly().describe("What was decided on each candidate, and why."),
  }),
  run: async (engine, { conversation, flush }, { signal }) => {
    const { stored, ...report } = await engine.memory.capture({
      conversation,
      ...(flush === undefined ? {} : { flush }),
      ...(signal === undefined ? {} : { signal }),
    });
    return { ...report, stored: stored.map(toMemory) };
  },
});
