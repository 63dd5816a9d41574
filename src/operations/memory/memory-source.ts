import { z } from "zod";
import { ROLES } from "../../types.ts";
import { givenId } from "../given-id.ts";
import { defineOperation } from "../operation.ts";
import { memorySchema, toMemory, toSource } from "./memory-schema.ts";

const saidSchema = z.strictObject({
  id: z.string().describe("msg_…"),
  conversation: z.string().describe("Id of its conversation."),
  seq: z.int().describe("Its place in the conversation."),
  role: z.enum(ROLES).describe("Who spoke."),
  createdAt: z.string().describe("When it was said, ISO 8601 in UTC."),
  text: z.string().nullable().describe("The words; null once erased."),
});

const sourceSchema = memorySchema.shape.sources.unwrap().element.extend({
  messages: z
    .array(saidSchema)
    .readonly()
    .describe("What was said, oldest first; empty where it is not there any more, or not for this agent."),
});

export const sourceOfMemory = defineOperation({
  name: "memory-source",
  summary: "The exact words that a memory came from, with the ids of the messages.",
  input: z.strictObject({ id: givenId.describe("mem_…, or its beginning.") }),
  output: z.strictObject({
    memory: memorySchema.describe("The memory."),
    sources: z.array(sourceSchema).readonly().describe("Where it was said, with the words."),
  }),
  run: async (engine, { id }) => {
    const { memory, sources } = await engine.memory.source(id);
    return {
      memory: toMemory(memory),
      sources: sources.map(({ messages, ...source }) => ({ ...toSource(source), messages })),
    };
  },
});
