import { z } from "zod";
import { listInput } from "../../memory/inputs.ts";
import { counted } from "../../text/counted.ts";
import { defineOperation } from "../operation.ts";
import { TIME_FLAGS } from "../time-flags.ts";
import { toolCall } from "../tool-call.ts";
import { LIST_ALIASES } from "./memory-aliases.ts";
import { noMemories, renderMemory as renderForPeople } from "./memory-page.ts";
import { MEMORY_STATES, memorySchema, toMemory } from "./memory-schema.ts";
import { fullHint, memoryAnswer, REMEMBERED, renderMemory, sourceHint } from "./memory-text.ts";

type Input = z.infer<typeof listInput>;
type Output = z.infer<typeof outputSchema>;
const outputSchema = z.strictObject({
  memories: z.array(memorySchema).readonly().describe("The memories, newest first."),
  next: z.string().nullable().describe("`cursor` for the next page; null on the last page."),
});

export const listMemories = defineOperation({
  name: "memory-list",
  summary: "List memories, newest first, by scope, category, state, tag or time.",
  input: listInput,
  output: outputSchema,
  command: {
    flags: { ...TIME_FLAGS, factKey: "key", states: { words: { all: MEMORY_STATES } } },
    examples: [
      ["lcm memory list --category preferences"],
      ["lcm memory list --state archived", "archived memories"],
      ["lcm memory list --key editor --state all", "all values, earlier ones too"],
      ['lcm memory list --key "preferences:*"', "all keys with this prefix"],
    ],
    paged: true,
    text: ({ memories, next }, view) => {
      if (memories.length === 0) return noMemories(view);
      const more = next === null ? "" : `\nThere is more: ${view.again({ cursor: next })}`;
      const closing = `${counted(memories.length, "memory", "memories")}.${more}`;
      return [...memories.map((one) => renderForPeople(one, view.look)), closing].join("\n\n");
    },
  },
  tool: {
    name: "memory_list",
    description:
      "List memories, newest first, narrowed down by categories, scopes, tags, states or time. To find something, memory_recall is better: it ranks.",
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
  if (memories.length === 0) return "No memories match. memory_stats counts memories by kind.";
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
