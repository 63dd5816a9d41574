import { z } from "zod";
import { DEFAULT_EXPAND_TOKENS, type ExpandInput, type ExpandResult } from "../context/expand.ts";
import type { Engine } from "../engine.ts";
import { PalimpsestError } from "../errors.ts";
import { messageSchema, toAnswer } from "./message-schema.ts";
import { aboutSummary, explained, renderMessage, renderSummary, WRITTEN } from "./model-text.ts";
import { defineOperation } from "./operation.ts";
import { summarySchema, toSummary } from "./summary-schema.ts";

const positive = z.int().min(1).exactOptional();
const summaryId = z.string().min(1);

type Input = z.infer<typeof inputSchema>;
const inputSchema = z.strictObject({
  summary: summaryId.exactOptional().describe("Which summary: sum_ and 16 hex digits."),
  summaryIds: z
    .array(summaryId)
    .min(1)
    .max(50)
    .exactOptional()
    .describe("Several instead, one after the other within `maxTokens`."),
  levels: positive.describe("Levels to go down; 1 gives what it was made from. Default: to the messages."),
  includeMessages: z.boolean().exactOptional().describe("False gives only summaries. Default true."),
  from: positive.describe("First message wanted: `next` of the page before. For the first summary."),
  maxTokens: positive.describe(
    "Most tokens of summaries and messages in the answer. Default 20,000; for models 4,000.",
  ),
});

const expansion = {
  conversation: z.string().describe("Id of the conversation."),
  summary: summarySchema.describe("The summary."),
  summaries: z
    .array(summarySchema)
    .describe("Finer summaries, in the order of what they cover. Those before `from` came earlier."),
  messages: z.array(messageSchema).describe("The messages that were reached, exactly as they were said."),
  next: z.int().nullable().describe("`from` of the next page; null when nothing is left."),
};
const expansionSchema = z.strictObject(expansion);
type Expansion = z.infer<typeof expansionSchema>;

type Output = z.infer<typeof outputSchema>;
const outputSchema = z.strictObject({
  ...expansion,
  others: z.array(expansionSchema).describe("The same for the further summaries of `summaryIds`."),
  left: z.array(z.string()).describe("Those of `summaryIds` that there was no room for: ask again."),
});

export const expand = defineOperation({
  name: "expand",
  summary: "From a summary back to what it stands for: the finer summaries below it, and the exact messages.",
  input: inputSchema,
  output: outputSchema,
  tool: {
    name: "lcm_expand",
    description: [
      "Open summaries: what they were made from, down to the exact messages, as much as fits into maxTokens; the answer says how to go on.",
      "levels 1 with includeMessages false gives an overview of a large one; lcm_describe tells sizes before you open anything.",
    ].join(" "),
    defaults: { maxTokens: 4_000 },
    text: (output, input) => explained(render(output, input)),
  },
  run: async (engine, { summary, summaryIds, ...input }) => {
    const [first, ...others] = idsOf(summary, summaryIds);
    const opened = await engine.context.expand({ ...input, summary: first });
    return { ...toExpansion(opened), ...(await expandOthers(engine, others, opened, input)) };
  },
});

function idsOf(summary?: string, summaryIds?: readonly string[]): [string, ...string[]] {
  const [first, ...others] = [
    ...new Set([...(summary === undefined ? [] : [summary]), ...(summaryIds ?? [])]),
  ];
  if (first !== undefined) return [first, ...others];
  throw new PalimpsestError("invalid-input", "expand: summary is missing", {
    advice:
      "It looks like sum_0123456789abcdef. Summaries are found by: lcm grep <words>, and listed by: lcm tree <conversation>",
  });
}

/** As long as there is room. Each is opened from its beginning; the room is what the ones before have left. */
async function expandOthers(
  engine: Engine,
  ids: readonly string[],
  first: ExpandResult,
  { from: _, maxTokens = DEFAULT_EXPAND_TOKENS, ...input }: Omit<ExpandInput, "summary">,
): Promise<Pick<Output, "others" | "left">> {
  const others: Expansion[] = [];
  let [before, room] = [first, maxTokens - first.tokens];
  for (const [index, summary] of ids.entries()) {
    if (before.next !== null || room <= 0) return { others, left: ids.slice(index) };
    before = await engine.context.expand({ ...input, summary, maxTokens: room });
    room -= before.tokens;
    others.push(toExpansion(before));
  }
  return { others, left: [] };
}

function toExpansion({ summary, summaries, messages, next }: ExpandResult): Expansion {
  return {
    conversation: summary.conversation,
    summary: toSummary(summary),
    summaries: summaries.map(toSummary),
    messages: messages.map(toAnswer),
    next,
  };
}

function render({ others, left, ...first }: Output, input: Input): string {
  const all = [first, ...others];
  return [
    WRITTEN,
    ...all.map((one, index) => renderExpansion(one, index === 0 ? input : { ...input, from: 1 })),
    ...wayOn(all, left, input),
  ].join("\n\n");
}

/** From coarse to fine, and each message behind the summary that covers it. */
function renderExpansion(expanded: Expansion, { from = 1, maxTokens }: Input): string {
  const { summary, summaries, messages } = expanded;
  const pieces = [
    ...[summary, ...summaries].map((one) => ({
      seq: one.firstSeq,
      rank: -one.depth - 1,
      text: one.firstSeq < from ? `${aboutSummary(one)}: continued` : renderSummary(one),
    })),
    ...messages.map((one) => ({
      seq: one.seq,
      rank: 1,
      text: renderMessage(one, maxTokens === undefined ? {} : { maxTokens }),
    })),
  ];
  return pieces
    .toSorted((a, b) => a.seq - b.seq || a.rank - b.rank)
    .map(({ text }) => text)
    .join("\n\n");
}

function wayOn(all: readonly Expansion[], left: readonly string[], input: Input): string[] {
  const { summary: _, summaryIds: __, from: ___, ...rest } = input;
  const call = (what: object) => `call lcm_expand with ${JSON.stringify({ ...what, ...rest })}`;
  const last = all.at(-1);
  const ways = [
    ...(last === undefined || last.next === null
      ? []
      : [call({ summary: last.summary.id, from: last.next })]),
    ...(left.length === 0 ? [] : [call({ summaryIds: left })]),
  ];
  if (ways.length > 0) return [`Truncated. There is more: ${ways.join(", then ")}.`];
  const isAtSummaries = all.every(({ messages }) => messages.length === 0);
  return [isAtSummaries ? "That is all at this level. Open one of them to go further down." : "That is all."];
}
