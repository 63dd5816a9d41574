/** What a message contains, part by part: one schema for each type. */
import { z } from "zod";
import type { Part, PartOf, PartType } from "../../types.ts";

const text = z.string().describe("The words.");
const hash = z.string().nullable().describe("Hash that the host gave, if any.");

const SCHEMAS = {
  text: z.strictObject({
    type: z.literal("text").describe("Words."),
    text,
    synthetic: z
      .literal(true)
      .exactOptional()
      .describe("Present when the host wrote it, not a person or model."),
  }),
  reasoning: z.strictObject({ type: z.literal("reasoning").describe("What the model thought."), text }),
  tool: z.strictObject({
    type: z.literal("tool").describe("A call of a tool, or what it answered."),
    callId: z.string().nullable().describe("Pairs a call with its result."),
    name: z.string().nullable().describe("Name of the tool, where the message says it."),
    status: z.enum(["pending", "running", "completed", "error"]).describe("How far the call has come."),
    input: z.string().nullable().describe("Arguments of the call as the model wrote them; null on a result."),
    output: z.string().nullable().describe("What the tool answered; null on a call."),
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
    url: z.string().nullable().describe("Where it is, or a data: URL that holds it."),
  }),
  subtask: z.strictObject({
    type: z.literal("subtask").describe("Work that was handed to a sub-agent."),
    prompt: z.string().describe("What the sub-agent was told."),
    description: z.string().nullable().describe("Short name of the work."),
    agent: z.string().nullable().describe("Which agent was asked."),
  }),
  compaction: z.strictObject({
    type: z.literal("compaction").describe("A summary that a host put in place of earlier messages."),
    auto: z.boolean().describe("Whether the host did it by itself."),
    text,
  }),
  step_start: z.strictObject({ type: z.literal("step_start").describe("A step of the agent begins.") }),
  step_finish: z.strictObject({
    type: z.literal("step_finish").describe("A step of the agent ends."),
    reason: z.string().nullable().describe("Why it ended."),
  }),
  snapshot: z.strictObject({ type: z.literal("snapshot").describe("A state of the files."), hash }),
  agent: z.strictObject({
    type: z.literal("agent").describe("Another agent is named."),
    name: z.string().nullable().describe("Its name."),
  }),
  retry: z.strictObject({
    type: z.literal("retry").describe("A call to the model was repeated."),
    attempt: z.number().nullable().describe("Which attempt it was."),
    error: z.string().nullable().describe("What went wrong before."),
  }),
  failure: z.strictObject({
    type: z.literal("failure").describe("The call to the model failed."),
    error: z.string().describe("What went wrong."),
  }),
  other: z.strictObject({
    type: z.literal("other").describe("A block that no reader knows."),
    blockType: z.string().describe("What the block calls itself."),
    text,
  }),
} satisfies { readonly [Type in PartType]: z.ZodType<PartOf<Type>> };

type PartSchema = (typeof SCHEMAS)[keyof typeof SCHEMAS];

export const partSchema: z.ZodType<Part> = z.discriminatedUnion(
  "type",
  Object.values(SCHEMAS) as [PartSchema, ...PartSchema[]],
);
