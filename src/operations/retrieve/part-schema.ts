/** The parts of a message: one schema for each type. */
import { z } from "zod";
import type { Part, PartOf, PartType } from "../../types.ts";

const text = z.string().describe("The text.");
const hash = z.string().nullable().describe("Hash set by the host, if any.");

const SCHEMAS = {
  text: z.strictObject({
    type: z.literal("text").describe("Words."),
    text,
    synthetic: z
      .literal(true)
      .exactOptional()
      .describe("Present if the host wrote it, not a person or model."),
  }),
  reasoning: z.strictObject({ type: z.literal("reasoning").describe("Reasoning of the model."), text }),
  tool: z.strictObject({
    type: z.literal("tool").describe("A tool call, or its result."),
    callId: z.string().nullable().describe("Pairs a call with its result."),
    name: z.string().nullable().describe("Name of the tool, if the message contains it."),
    status: z.enum(["pending", "running", "completed", "error"]).describe("Status of the call."),
    input: z.string().nullable().describe("Arguments of the call as the model wrote them; null on a result."),
    output: z.string().nullable().describe("Result of the tool; null on a call."),
  }),
  patch: z.strictObject({
    type: z.literal("patch").describe("A change of files."),
    hash,
    files: z.array(z.string()).readonly().describe("Paths of the files."),
  }),
  file: z.strictObject({
    type: z.literal("file").describe("An image or another file."),
    mime: z.string().nullable().describe("Media type, if known."),
    name: z.string().nullable().describe("File name, if known."),
    url: z.string().nullable().describe("Its address, or a data: URL with the content."),
  }),
  subtask: z.strictObject({
    type: z.literal("subtask").describe("A task that was delegated to a sub-agent."),
    prompt: z.string().describe("Instructions for the sub-agent."),
    description: z.string().nullable().describe("Short name of the task."),
    agent: z.string().nullable().describe("Name of the sub-agent."),
  }),
  compaction: z.strictObject({
    type: z.literal("compaction").describe("A summary with which the host replaced earlier messages."),
    auto: z.boolean().describe("Whether the host compacted automatically."),
    text,
  }),
  step_start: z.strictObject({ type: z.literal("step_start").describe("Start of a step of the agent.") }),
  step_finish: z.strictObject({
    type: z.literal("step_finish").describe("End of a step of the agent."),
    reason: z.string().nullable().describe("Why the step ended."),
  }),
  snapshot: z.strictObject({ type: z.literal("snapshot").describe("A snapshot of the files."), hash }),
  agent: z.strictObject({
    type: z.literal("agent").describe("A reference to another agent."),
    name: z.string().nullable().describe("Name of the agent."),
  }),
  retry: z.strictObject({
    type: z.literal("retry").describe("A retried model call."),
    attempt: z.number().nullable().describe("Number of the attempt."),
    error: z.string().nullable().describe("Error of the previous attempt."),
  }),
  failure: z.strictObject({
    type: z.literal("failure").describe("A failed model call."),
    error: z.string().describe("Error of the call."),
  }),
  other: z.strictObject({
    type: z.literal("other").describe("A block of an unknown type."),
    blockType: z.string().describe("Type name of the block."),
    text,
  }),
} satisfies { readonly [Type in PartType]: z.ZodType<PartOf<Type>> };

type PartSchema = (typeof SCHEMAS)[keyof typeof SCHEMAS];

export const partSchema: z.ZodType<Part> = z.discriminatedUnion(
  "type",
  Object.values(SCHEMAS) as [PartSchema, ...PartSchema[]],
);
