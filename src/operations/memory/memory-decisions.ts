import { z } from "zod";
import { decisionInput } from "../../memory/inputs.ts";
import type { StoredDecision } from "../../store/memory-store.ts";
import { counted } from "../../text/counted.ts";
import { escapeControls } from "../../text/escape-controls.ts";
import { messageId } from "../../text/identifiers.ts";
import { indented } from "../../text/terminal/indented.ts";
import type { Look } from "../../text/terminal/look.ts";
import { defineOperation } from "../operation.ts";
import { TIME_FLAGS } from "../time-flags.ts";

type DecisionAnswer = z.infer<typeof decisionSchema>;
const decisionSchema = z.strictObject({
  at: z.string().describe("When, ISO 8601 in UTC."),
  agent: z.string().describe("Whose conversation it was."),
  stage: z
    .enum(["extract", "admit", "dedup"])
    .describe("Where it was decided: reading, weighing or comparing."),
  verdict: z.string().describe("What was decided, such as create, merge, rejected or throttled."),
  reason: z.string().describe("Why, in one sentence."),
  detail: z.record(z.string(), z.unknown()).describe("The numbers, and the words where they were not kept."),
  memory: z.string().nullable().describe("Id of the memory that came of it, or that it met."),
  scope: z.string().describe("Who may see it."),
  conversation: z.string().nullable().describe("Id of the conversation."),
  firstMessage: z.string().nullable().describe("Id of the first message that it was read from."),
  lastMessage: z.string().nullable().describe("Id of the last one."),
});

const outputSchema = z.strictObject({
  decisions: z.array(decisionSchema).readonly().describe("Newest first."),
  next: z.string().nullable().describe("`cursor` of the next page; null when nothing is left."),
});

export const listDecisions = defineOperation({
  name: "memory-decisions",
  summary: "List what capture decided about each candidate, and why, newest first.",
  input: decisionInput,
  output: outputSchema,
  command: {
    flags: TIME_FLAGS,
    examples: [
      ["lcm memory decisions --verdict rejected", "candidates that were rejected, and why"],
      ["lcm memory decisions --conversation conv_0123456789abcdef --since 2026-11-01"],
    ],
    paged: true,
    text: ({ decisions, next }, { look, suggest, again }) => {
      if (decisions.length === 0)
        return `No decisions match. Memories are captured after turns, or with: ${suggest("memory capture <conversation>")}`;
      const more = next === null ? "" : `\nThere is more: ${again({ cursor: next })}`;
      const closing = `${counted(decisions.length, "decision")}.${more}`;
      return [...decisions.map((one) => renderDecision(one, look)), closing].join("\n\n");
    },
  },
  run: async (engine, input) => {
    const { rows, next } = await engine.memory.history.decisions(input);
    return { decisions: rows.map(toDecision), next };
  },
});

function toDecision(decision: StoredDecision): DecisionAnswer {
  const { at, agent, stage, verdict, reason, memory, scope, conversation, firstSeq, lastSeq } = decision;
  const parsed: unknown = JSON.parse(decision.detail);
  const place = (seq: number | null) =>
    conversation === null || seq === null ? null : messageId(conversation, seq);
  return {
    ...{ at, agent, stage, verdict, reason, memory, scope, conversation },
    detail: Object(parsed),
    firstMessage: place(firstSeq),
    lastMessage: place(lastSeq),
  };
}

function renderDecision(decision: DecisionAnswer, look: Look): string {
  const { verdict, stage, at, memory, firstMessage, reason, detail } = decision;
  const about = [stage, look.time(at), ...[memory, firstMessage].filter((id) => id !== null)];
  const head = `${look.style("bold", verdict)}${look.style("dim", about.map((text) => ` · ${text}`).join(""))}`;
  const numbers = Object.entries(detail).map(
    ([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`,
  );
  return [
    head,
    indented(escapeControls(reason)),
    ...numbers.map((line) => indented(look.style("dim", line))),
  ].join("\n");
}
