import { z } from "zod";
import { listInput } from "../../memory/inputs.ts";
import { counted } from "../../text/counted.ts";
import { toolCall } from "../advice-for-models.ts";
import { defineOperation } from "../operation.ts";
import { LIST_ALIASES } from "./memory-aliases.ts";
import { memorySchema, toMemory } from "./memory-schema.ts";
import { fullHint, memoryAnswer, REMEMBERED, renderMemory, sourceHint } from "./memory-text.ts";

type Input = z.infer<typeof listInput>;
type Output = z.infer<typeof outputSchema>;
const outputSchema = z.strictObject({
  memories: z.array(memorySchema).readonly().describe("Newest first."),
  next: z.string().nullable().describe("`cursor` of the next page; null when nothing is left."),
});

export const listMemories = defineOperation({
  name: "memory-list",
  summary: "List memories, newest first, by scope, category, state, tag or time.",
  input: listInput,
  output: outputSchema,
  tool: {
    name: "memory_list",
    description:
      "List what is remembered, newest first, narrowed down by categories, scopes, tags, states or time. To find something, memory_recall is better: it ranks.",
    defaults: { limit: 20 },
    aliases: LIST_ALIASES,
    text: render,
  },
  run: async (engine, input) => {
    const { rows, next } = await engine.memory.list(input);
    return { memories: rows.map(toMemory), next };
  },
});

function render({ memories, next }: Output, { cursor: _, ...input }: Input): string {
  if (memories.length === 0)
    return "There are no such memories. memory_stats tells how many there are of which kind.";
  const wayOn =
    next === null
      ? "That is all."
      : `There is more: call ${toolCall("memory_list", { ...input, cursor: next })}.`;
  return memoryAnswer(
    `${counted(memories.length, "memory", "memories")}, newest first. ${REMEMBERED}`,
    memories.map((memory) => renderMemory(memory)),
    [wayOn, ...sourceHint(memories), ...fullHint(memories)],
  );
}
