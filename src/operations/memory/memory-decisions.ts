import { z } from "zod";
import { decisionInput } from "../../memory/inputs.ts";
import type { StoredDecision } from "../../store/memory-store.ts";
import { counted } from "../../text/counted.ts";
import { escapeControls } from "../../text/escape-controls.ts";
import { messageId } from "../../text/identifiers.ts";
import type { Look } from "../../text/terminal/look.ts";
import { indented } from "../../text/terminal/table.ts";
import { defineOperation } from "../operation.ts";
import { TIME_FLAGS } from "../time-flags.ts";

type DecisionAnswer = z.infer<typeof decisionSchema>;
const decisionSchema = z.strictObject({
  at: z.string().describe("Time of the decision, ISO 8601 in UTC."),
  agent: z.string().describe("Agent of the conversation."),
  stage: z.enum(["extract", "admit", "dedup"]).describe("Stage of the decision: extract, admit or dedup."),
  verdict: z.string().describe("Verdict, such as create, merge or rejected."),
  reason: z.string().describe("Reason, in one sentence."),
  detail: z.record(z.string(), z.unknown()).describe("Scores; for a rejected candidate, also its text."),
  memory: z.string().nullable().describe("Id of the memory that was created or matched."),
  scope: z.string().describe("Memory scope."),
  conversation: z.string().nullable().describe("Id of the conversation."),
  firstMessage: z.string().nullable().describe("Id of the first source message."),
  lastMessage: z.string().nullable().describe("Id of the last source message."),
});

const outputSchema = z.strictObject({
  decisions: z.array(decisionSchema).readonly().describe("The decisions, newest first."),
  next: z.string().nullable().describe("`cursor` for the next page; null on the last page."),
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
  const below = [escapeControls(reason), ...numbers.map((line) => look.style("dim", line))];
  return look.wrap([head, ...below.map(indented)].join("\n"));
}
