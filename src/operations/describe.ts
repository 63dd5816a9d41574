import { z } from "zod";
import type {
  Above,
  Description,
  MessageDescription,
  Neighbour,
  SummaryDescription,
} from "../context/retrieve/describe.ts";
import { textsOfParts } from "../context/retrieve/message-text.ts";
import { clip } from "../text/cut-text.ts";
import { EXCLUSION_REASONS, ROLES } from "../types.ts";
import { ALL_CONVERSATIONS, ANY_CONVERSATION } from "./aliases.ts";
import { renderDescription } from "./describe-text.ts";
import { defineOperation } from "./operation.ts";
import { summaryFactsSchema, summarySchema, toFacts, toSummary } from "./summary-schema.ts";

const number = z.int();
const fits = z
  .boolean()
  .nullable()
  .describe("Whether it fits, with everything below it, into tokenCap; null when none was given.");

const aboveSchema = z
  .array(
    z.strictObject({
      ...summaryFactsSchema.shape,
      inContext: z.boolean().describe("Whether it stands in the context now."),
    }),
  )
  .describe("Summaries that were made from it, directly or from one of these, nearest first.");

const sourceSchema = z.strictObject({
  id: z.string().describe("Of the summary or the message."),
  type: z.enum(["summary", "message"]).describe("What it is."),
  role: z.enum(ROLES).nullable().describe("Who spoke; null for a summary."),
  firstSeq: number.describe("First message that it covers."),
  lastSeq: number.describe("Last message that it covers."),
  tokens: number.describe("Its own tokens."),
  wholeTokens: number.describe("Its tokens with everything below it."),
  fits,
});

const summaryDescriptionSchema = z.strictObject({
  type: z.literal("summary").describe("A summary was described."),
  conversation: z.string().describe("Id of its conversation."),
  summary: summarySchema.describe("The summary and what it says."),
  inContext: z.boolean().describe("Whether it stands in the context now."),
  madeFrom: z.array(sourceSchema).describe("What it was made from, in order: finer summaries, or messages."),
  above: aboveSchema,
  below: z
    .array(
      z.strictObject({
        depth: number.describe("Of these summaries."),
        summaries: number.describe("How many there are below it."),
        tokens: number.describe("Their tokens."),
      }),
    )
    .describe("Summaries below it by depth, highest first; empty for a leaf."),
  wholeTokens: number.describe("Tokens of it, of all summaries below it and of all their messages."),
  fits,
});

const neighbourSchema = z.strictObject({
  id: z.string().describe("Its id."),
  role: z.enum(ROLES).describe("Who spoke."),
  tokens: number.describe("Its tokens."),
  opening: z.string().describe("Its first words."),
});

const messageDescriptionSchema = z.strictObject({
  type: z.literal("message").describe("A message was described."),
  conversation: z.string().describe("Id of its conversation."),
  id: z.string().describe("Of the message."),
  seq: number.describe("Its place in the conversation, from 1."),
  role: z.enum(ROLES).describe("Who spoke."),
  createdAt: z.string().describe("When it was said, ISO 8601 in UTC."),
  tokens: number.describe("Its tokens."),
  parts: z
    .array(
      z.strictObject({
        label: z.string().nullable().describe("What it is; null for plain words."),
        characters: number.describe("Its length."),
        opening: z.string().describe("Its first words."),
      }),
    )
    .describe("What is in it, in short. Empty once erased."),
  inContext: z
    .enum(["itself", "summary"])
    .nullable()
    .describe("Whether the context holds it as it is or inside a summary; null when it does not."),
  excluded: z.enum(EXCLUSION_REASONS).nullable().describe("Why it is not in the context, if it is not."),
  erasedAt: z.string().nullable().describe("When its content was erased, if it was."),
  above: aboveSchema,
  before: neighbourSchema.nullable().describe("The message before it."),
  after: neighbourSchema.nullable().describe("The message after it."),
});

const outputSchema = z.discriminatedUnion("type", [summaryDescriptionSchema, messageDescriptionSchema]);
export type DescribeOutput = z.infer<typeof outputSchema>;

const inputSchema = z.strictObject({
  id: z.string().min(1).describe("msg_… or sum_…"),
  tokenCap: number.min(1).exactOptional().describe("Tell what could be opened whole within these tokens."),
});
export type DescribeInput = z.infer<typeof inputSchema>;

export const describe = defineOperation({
  name: "describe",
  summary:
    "What a message or a summary is, where it came from, what was made from it, and how much it holds.",
  input: inputSchema,
  output: outputSchema,
  tool: {
    name: "lcm_describe",
    description: [
      "Look up a summary (sum_…) or a message (msg_…) by its id: what it says, what it covers, what it was made from and which summaries were made from it, and how many tokens opening it takes.",
      "With tokenCap it tells what would fit. Then open it with lcm_expand, or read words with lcm_read.",
    ].join(" "),
    aliases: { conversationId: ANY_CONVERSATION, allConversations: ALL_CONVERSATIONS },
    text: renderDescription,
  },
  run: async (engine, input) => toOutput(await engine.context.describe(input)),
});

function toOutput(description: Description): DescribeOutput {
  return description.type === "summary" ? ofSummary(description) : ofMessage(description);
}

function ofSummary({ summary, above, madeFrom, below, ...rest }: SummaryDescription): DescribeOutput {
  return {
    ...rest,
    conversation: summary.conversation,
    summary: toSummary(summary),
    madeFrom: [...madeFrom],
    above: above.map(ofAbove),
    below: [...below],
  };
}

const OPENING_LENGTH = 120;

function ofMessage({ type, message, above, inContext, before, after }: MessageDescription): DescribeOutput {
  const { conversation, id, seq, role, createdAt, tokenCount, excluded, erasedAt } = message;
  const parts = textsOfParts(message.parts).map(({ label, text }) => ({
    label,
    characters: text.length,
    opening: clip(text, OPENING_LENGTH),
  }));
  return {
    ...{ type, conversation, id, seq, role, createdAt, tokens: tokenCount, parts },
    ...{ inContext, excluded, erasedAt, above: above.map(ofAbove) },
    ...{ before: ofNeighbour(before), after: ofNeighbour(after) },
  };
}

function ofAbove({ summary, inContext }: Above) {
  return { ...toFacts(summary), inContext };
}

function ofNeighbour(neighbour: Neighbour | null) {
  return neighbour === null ? null : { ...neighbour };
}
