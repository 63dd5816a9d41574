import { z } from "zod";
import { captureInput } from "../../memory/inputs.ts";
import { counted } from "../../text/counted.ts";
import { oneLine } from "../../text/escape-controls.ts";
import type { Look } from "../../text/terminal/look.ts";
import { table } from "../../text/terminal/table.ts";
import { conversationName } from "../conversations/conversation-schema.ts";
import { defineOperation } from "../operation.ts";
import { renderMemory } from "./memory-page.ts";
import { memorySchema, toMemory } from "./memory-schema.ts";

const decisionSchema = z.strictObject({
  verdict: z.string().describe("Verdict, such as create, merge or rejected."),
  reason: z.string().describe("Reason, in one sentence."),
  abstract: z.string().describe("Text of the candidate."),
  memory: z.string().nullable().describe("Id of the memory that was created or matched."),
});

type Output = z.infer<typeof outputSchema>;
const outputSchema = z.strictObject({
  conversation: z.string().describe("Id of the conversation."),
  from: z.int().describe("First message that was read now or is pending; 0 if there is none."),
  to: z.int().describe("Last message that was read now or is pending."),
  status: z
    .enum(["captured", "waiting", "nothing", "throttled"])
    .describe(
      "captured: messages were read. waiting: they are pending until more arrive. nothing: there are no new ones. throttled: the hourly limit is reached.",
    ),
  how: z.enum(["model", "rules"]).describe("Whether a model or rules captured the memories."),
  stored: z
    .array(memorySchema)
    .readonly()
    .describe("Memories that were created, and those that were confirmed."),
  decisions: z.array(decisionSchema).readonly().describe("The verdict on each candidate, with the reason."),
});

export const captureMemories = defineOperation({
  name: "memory-capture",
  summary: "Capture memories from a conversation now, starting where the last capture ended.",
  input: captureInput.extend({ conversation: conversationName }),
  output: outputSchema,
  command: {
    positional: ["conversation"],
    examples: [
      ["lcm memory capture my-session"],
      ["lcm memory capture my-session --flush", "even if there are only a few new messages"],
    ],
    working: "reading messages",
    text: (output, { look, again }) =>
      [
        statusLine(output, again({ flush: true })),
        ...output.stored.map((memory) => renderMemory(memory, look)),
        ...(output.decisions.length === 0 ? [] : [decisionTable(output.decisions, look)]),
      ].join("\n\n"),
  },
  run: async (engine, { conversation, flush }, { signal }) => {
    const { stored, ...report } = await engine.memory.capture({
      conversation,
      ...(flush === undefined ? {} : { flush }),
      signal,
    });
    return { ...report, stored: stored.map(toMemory) };
  },
});

function statusLine({ status, from, to, how, conversation, stored }: Output, flush: string): string {
  if (status === "nothing") return `All messages of ${conversation} have been read already.`;
  if (status === "throttled")
    return `Messages ${from} to ${to} are pending: the hourly limit is reached (captureMaxPerHour).`;
  if (status === "waiting")
    return `Messages ${from} to ${to} are pending until more messages arrive. Capture them now with: ${flush}`;
  const by = how === "model" ? "The model" : "The rules";
  const found = stored.length === 0 ? "nothing to keep" : counted(stored.length, "memory", "memories");
  return `${by} found ${found} in messages ${from} to ${to} of ${conversation}.`;
}

function decisionTable(decisions: Output["decisions"], look: Look): string {
  const rows = decisions.map(({ verdict, reason, abstract, memory }) => [
    verdict,
    memory ?? "",
    reason,
    oneLine(abstract),
  ]);
  const columns = [
    { title: "verdict" },
    { title: "memory" },
    { title: "why" },
    { title: "about", flexible: true },
  ] as const;
  return `decided:\n${table(columns, rows, look)}`;
}
