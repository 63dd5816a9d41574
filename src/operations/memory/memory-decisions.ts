import { z } from "zod";
import { decisionInput } from "../../memory/inputs.ts";
import type { StoredDecision } from "../../store/memory-store.ts";
import { messageId } from "../../text/identifiers.ts";
import { defineOperation } from "../operation.ts";

export type DecisionAnswer = z.infer<typeof decisionSchema>;
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

export const listDecisions = defineOperation({
  name: "memory-decisions",
  summary: "What capturing decided on each candidate, and why, newest first.",
  input: decisionInput,
  output: z.strictObject({
    decisions: z.array(decisionSchema).readonly().describe("Newest first."),
    next: z.string().nullable().describe("`cursor` of the next page; null when nothing is left."),
  }),
  run: async (engine, input) => {
    const { rows, next } = await engine.memory.decisions(input);
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
