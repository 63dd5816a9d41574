import { z } from "zod";
import { storeInput } from "../../memory/inputs.ts";
import { defineOperation } from "../operation.ts";
import { DAY_HINT } from "../time-flags.ts";
import { STORE_ALIASES } from "./memory-aliases.ts";
import { renderMemory as renderForPeople } from "./memory-page.ts";
import { memorySchema, toMemory } from "./memory-schema.ts";
import { memoryAnswer, REMEMBERED, renderMemory } from "./memory-text.ts";

type Output = z.infer<typeof outputSchema>;
const outputSchema = z.strictObject({
  action: z
    .enum(["created", "superseded", "duplicate"])
    .describe("Stored; stored and replaced an older value; or already known, so nothing was stored."),
  memory: memorySchema.describe("The new memory, or the existing one with the same fact."),
  replaced: z.array(z.string()).readonly().describe("Ids of the memories that were replaced."),
  reason: z.string().describe("Why."),
});

export const storeMemory = defineOperation({
  name: "memory-store",
  summary:
    "Store a fact for all later conversations. Storing the same fact again changes nothing; a new value replaces the old one.",
  input: storeInput,
  output: outputSchema,
  command: {
    positional: ["text"],
    flags: {
      factKey: "key",
      validFrom: { name: "from", hint: DAY_HINT },
      validUntil: { name: "until", hint: DAY_HINT },
    },
    examples: [
      ['lcm memory store "The user prefers short answers" --category preferences'],
      ['lcm memory store "The editor is Helix" --key editor', "replaces the previous value"],
      ["echo 'The editor is Helix' | lcm memory store -", "reads the text from standard input"],
      ['lcm memory store "Port 8417 serves MCP" --source msg_0123456789abcdef_42'],
    ],
    text: ({ action, memory, replaced }, { look }) => {
      const done = {
        created: "Stored:",
        superseded: `Stored. It replaces ${replaced.join(", ")}, which is kept on record:`,
        duplicate: DONE.duplicate,
      }[action];
      return `${done}\n${renderForPeople(memory, look)}`;
    },
  },
  makesStore: true,
  tool: {
    name: "memory_store",
    description: [
      "Store a fact for all later conversations: a preference, a decision, a fact about a person or a project, a lesson.",
      "One fact per call, in one sentence that is understandable on its own. With factKey (such as editor), a new value replaces the old one, which is kept on record.",
      "List the source messages in sources if you know their ids. Storing the same fact again changes nothing.",
    ].join(" "),
    writes: "adds",
    aliases: STORE_ALIASES,
    text: render,
  },
  run: async (engine, input) => {
    const { memory, ...rest } = await engine.memory.store(input);
    return { ...rest, memory: toMemory(memory) };
  },
});

const DONE: Readonly<Record<Output["action"], string>> = {
  created: "Stored.",
  superseded: "Stored, replacing",
  duplicate: "Nothing was stored: the same fact is already known.",
};

function render({ action, memory, replaced }: Output): string {
  const done = action === "superseded" ? `${DONE[action]} ${replaced.join(", ")}.` : DONE[action];
  return memoryAnswer(`${done} ${REMEMBERED}`, [renderMemory(memory)], []);
}
