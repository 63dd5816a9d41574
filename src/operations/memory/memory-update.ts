import { z } from "zod";
import { updateInput } from "../../memory/inputs.ts";
import { defineOperation } from "../operation.ts";
import { DAY_HINT } from "../time-flags.ts";
import { CHANGE_ALIASES } from "./memory-aliases.ts";
import { renderMemory as renderForPeople } from "./memory-page.ts";
import { memorySchema, toMemory } from "./memory-schema.ts";
import { memoryAnswer, REMEMBERED, renderMemory } from "./memory-text.ts";

type Output = z.infer<typeof outputSchema>;
const outputSchema = z.strictObject({
  action: z
    .enum(["version", "revised"])
    .describe(
      "version: the text changed, so a new version with its own id replaces the old one. revised: only other fields changed.",
    ),
  memory: memorySchema.describe("The memory after the change."),
  replaced: z.string().nullable().describe("Id of the previous version, which stays on record."),
  merged: z.array(z.string()).readonly().describe("Ids of the memories that were merged into it."),
});

export const updateMemory = defineOperation({
  name: "memory-update",
  summary: "Change a memory. New text creates a new version; the old version stays on record.",
  input: updateInput,
  output: outputSchema,
  command: {
    positional: ["id", "text"],
    flags: { validUntil: { name: "until", hint: DAY_HINT, words: { none: null } } },
    examples: [
      [
        'lcm memory update mem_0123456789abcdef "The editor is Zed"',
        "a new version; the old one stays on record",
      ],
      ["lcm memory update mem_0123456789abcdef --importance 0.9 --tag editor,tools"],
      ["lcm memory update mem_0123456789abcdef --until none", "valid indefinitely"],
      ["lcm memory update mem_0123456789abcdef --restore", "restore an archived memory"],
      ['lcm memory update mem_0123 "Deploys: Tue and Fri" --merge mem_fedc', "one memory replaces both"],
    ],
    text: (output, { look }) => `${doneBy(output)}\n${renderForPeople(output.memory, look)}`,
  },
  tool: {
    name: "memory_update",
    description: [
      "Change a memory by its id: its text, category, importance, tags or end of validity. restore restores an archived memory; merge replaces several memories with one.",
      "New text creates a new version with its own id; the old version is kept on record but is no longer active.",
    ].join(" "),
    writes: "changes",
    aliases: CHANGE_ALIASES,
    text: render,
  },
  run: async (engine, input) => {
    const { memory, ...rest } = await engine.memory.update(input);
    return { ...rest, memory: toMemory(memory) };
  },
});

function render(output: Output): string {
  return memoryAnswer(`${doneBy(output)} ${REMEMBERED}`, [renderMemory(output.memory, { full: true })], []);
}

function doneBy({ replaced, merged }: Output): string {
  if (replaced === null) return "Changed.";
  if (merged.length > 0)
    return `Merged: this replaces ${[replaced, ...merged].join(", ")}, which are kept on record.`;
  return `Changed: this is the new version of ${replaced}, which is kept on record.`;
}
