import { z } from "zod";
import type { MemoryEvent } from "../../store/memory-store.ts";
import { givenId } from "../../text/given.ts";
import { defineOperation } from "../operation.ts";
import { type MemoryAnswer, memorySchema, toMemory } from "./memory-schema.ts";
import { renderMemoryPage } from "./show-page.ts";

const eventSchema = z.strictObject({
  at: z.string().describe("Time of the event, ISO 8601 in UTC."),
  action: z.string().describe("What happened."),
  detail: z.record(z.string(), z.unknown()).describe("Reason and scores."),
});

export type ShownMemory = z.infer<typeof outputSchema>;
const outputSchema = z.strictObject({
  memory: memorySchema.describe("The memory."),
  versions: z.array(memorySchema).readonly().describe("All versions, oldest first, including this one."),
  events: z.array(eventSchema).readonly().describe("Its history, oldest first."),
});

export const showMemory = defineOperation({
  name: "memory-show",
  summary: "Show one memory in full, with its versions and history.",
  input: z.strictObject({ id: givenId.describe("mem_…, or a unique prefix.") }),
  output: outputSchema,
  command: {
    positional: ["id"],
    examples: [["lcm memory show mem_0123456789abcdef", "a unique prefix is enough"]],
    paged: true,
    text: (output, { look, suggest }) => renderMemoryPage(output, look, wayOn(output.memory, suggest)),
  },
  run: async (engine, { id }) => {
    const [memory, versions, events] = await Promise.all([
      engine.memory.get(id),
      engine.memory.history.versions(id),
      engine.memory.history.events(id),
    ]);
    return { memory: toMemory(memory), versions: versions.map(toMemory), events: events.map(toEvent) };
  },
});

function toEvent({ at, action, detail }: MemoryEvent): z.infer<typeof eventSchema> {
  const parsed: unknown = JSON.parse(detail);
  return { at, action, detail: Object(parsed) };
}

function wayOn(
  { id, state, supersededBy, sources }: MemoryAnswer,
  suggest: (words: string) => string,
): string {
  if (state === "erased") return "";
  if (state === "archived") return `restore it with: ${suggest(`memory update ${id} --restore`)}`;
  if (supersededBy !== null) return `show its replacement with: ${suggest(`memory show ${supersededBy}`)}`;
  return sources.length === 0
    ? `change it with: ${suggest(`memory update ${id} "…"`)}`
    : `read its sources with: ${suggest(`memory source ${id}`)}`;
}
