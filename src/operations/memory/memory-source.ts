import { z } from "zod";
import { escapeControls } from "../../text/escape-controls.ts";
import { givenId } from "../../text/given.ts";
import type { Look } from "../../text/terminal/look.ts";
import { indented } from "../../text/terminal/table.ts";
import { ROLES } from "../../types.ts";
import { defineOperation } from "../operation.ts";
import { ROLE_STYLES } from "../retrieve/message-page.ts";
import { placeOf, renderMemory } from "./memory-page.ts";
import { memorySchema, toMemory, toSource } from "./memory-schema.ts";

const saidSchema = z.strictObject({
  id: z.string().describe("msg_…"),
  conversation: z.string().describe("Id of the conversation."),
  seq: z.int().describe("Number of the message in the conversation."),
  role: z.enum(ROLES).describe("Role of the message."),
  createdAt: z.string().describe("Time of the message, ISO 8601 in UTC."),
  text: z.string().nullable().describe("Text of the message; null once erased."),
});

const sourceSchema = memorySchema.shape.sources.unwrap().element.extend({
  messages: z
    .array(saidSchema)
    .readonly()
    .describe("The messages, oldest first; empty if they no longer exist or belong to another agent."),
});

type Source = Output["sources"][number];
type Output = z.infer<typeof outputSchema>;
const outputSchema = z.strictObject({
  memory: memorySchema.describe("The memory."),
  sources: z.array(sourceSchema).readonly().describe("Its sources, with their messages."),
});

export const sourceOfMemory = defineOperation({
  name: "memory-source",
  summary: "Show the exact messages that a memory came from, with their ids.",
  input: z.strictObject({ id: givenId.describe("mem_…, or a unique prefix.") }),
  output: outputSchema,
  command: {
    positional: ["id"],
    examples: [["lcm memory source mem_0123456789abcdef"]],
    paged: true,
    text: (output, { look }) => render(output, look),
  },
  run: async (engine, { id }) => {
    const { memory, sources } = await engine.memory.history.source(id);
    return {
      memory: toMemory(memory),
      sources: sources.map(({ messages, ...source }) => ({ ...toSource(source), messages })),
    };
  },
});

function render({ memory, sources }: Output, look: Look): string {
  const told = sources.length === 0 ? [withoutSource(memory)] : [];
  return [renderMemory(memory, look), ...told, ...sources.map((source) => renderSource(source, look))].join(
    "\n\n",
  );
}

function withoutSource({ erasedAt }: Output["memory"]): string {
  return erasedAt === null
    ? "Stored manually; no source message."
    : "Its text was erased, and with it the references to its sources.";
}

function renderSource(source: Source, look: Look): string {
  const kind = source.kind === "origin" ? "Derived from" : "Confirmed in";
  if (source.messages.length === 0)
    return `${kind} ${placeOf(source)}, which no longer exists or belongs to another agent.`;
  return [`${kind} ${placeOf(source)}:`, ...source.messages.map((said) => renderSaid(said, look))].join(
    "\n\n",
  );
}

function renderSaid({ id, role, createdAt, text }: Source["messages"][number], look: Look): string {
  const head = `${look.style(ROLE_STYLES[role], role)}${look.style("dim", ` · ${look.time(createdAt)} · ${id}`)}`;
  return `${head}\n${indented(text === null ? look.style("dim", "(erased)") : escapeControls(text))}`;
}
