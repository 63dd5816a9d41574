import { z } from "zod";
import type { FileDescription } from "../../context/files/describe-file.ts";
import { fileIdIn } from "../../context/files/require-file.ts";
import { describeInput } from "../../context/inputs.ts";
import type {
  Description,
  MessageDescription,
  Neighbour,
  SummaryDescription,
} from "../../context/retrieve/describe-by-id.ts";
import { textsOfParts } from "../../context/retrieve/message-text.ts";
import type { AboveSummary } from "../../store/lineage.ts";
import { count } from "../../text/counted.ts";
import { clip } from "../../text/cut-text.ts";
import { cutToTokens } from "../../text/cut-to-tokens.ts";
import { estimateTokens } from "../../text/estimate-tokens.ts";
import { kindOfId } from "../../text/identifiers.ts";
import { EXCLUSION_REASONS, ROLES } from "../../types.ts";
import { ALL_CONVERSATIONS, ANY_CONVERSATION, renamed } from "../aliases.ts";
import { fileSchema, sliceSchema, toFile, toSlice } from "../files/file-schema.ts";
import { NO_RANGE_FLAGS, RANGE_FLAGS } from "../files/range-flags.ts";
import { defineOperation } from "../operation.ts";
import { renderDescription as renderForPeople } from "./describe-page.ts";
import { renderDescription } from "./describe-text.ts";
import { summaryFactsSchema, summarySchema, toFacts, toSummary } from "./summary-schema.ts";

const number = z.int();
const fits = z
  .boolean()
  .nullable()
  .describe("Whether it fits into tokenCap together with everything below it; null without tokenCap.");

const aboveSchema = z
  .array(
    z.strictObject({
      ...summaryFactsSchema.shape,
      inContext: z.boolean().describe("Whether it is in the context now."),
    }),
  )
  .describe("Summaries derived from it, directly or indirectly, nearest first.");

const sourceSchema = z.strictObject({
  id: z.string().describe("Id of the summary or message."),
  type: z.enum(["summary", "message"]).describe("message or summary."),
  role: z.enum(ROLES).nullable().describe("Role of the message; null for a summary."),
  firstSeq: number.describe("First message that it covers."),
  lastSeq: number.describe("Last message that it covers."),
  tokens: number.describe("Tokens of the item itself."),
  wholeTokens: number.describe("Tokens of the item with everything below it."),
  fits,
});

const summaryDescriptionSchema = z.strictObject({
  type: z.literal("summary").describe("The description is of a summary."),
  conversation: z.string().describe("Id of its conversation."),
  summary: summarySchema.describe("The summary with its text."),
  inContext: z.boolean().describe("Whether it is in the context now."),
  madeFrom: z.array(sourceSchema).describe("Its sources, in order: finer summaries, or messages."),
  above: aboveSchema,
  below: z
    .array(
      z.strictObject({
        depth: number.describe("Depth of these summaries."),
        summaries: number.describe("Number of summaries at this depth."),
        tokens: number.describe("Their tokens."),
      }),
    )
    .describe("Summaries below it by depth, highest first; empty for a leaf."),
  wholeTokens: number.describe("Tokens of the summary, all summaries below it and all their messages."),
  fits,
});

const neighbourSchema = z.strictObject({
  id: z.string().describe("Its id."),
  role: z.enum(ROLES).describe("Role of the message."),
  tokens: number.describe("Its tokens."),
  opening: z.string().describe("Start of its text."),
});

const messageDescriptionSchema = z.strictObject({
  type: z.literal("message").describe("The description is of a message."),
  conversation: z.string().describe("Id of its conversation."),
  id: z.string().describe("Id of the message."),
  seq: number.describe("Number of the message in the conversation, from 1."),
  role: z.enum(ROLES).describe("Role of the message."),
  createdAt: z.string().describe("Time of the message, ISO 8601 in UTC."),
  tokens: number.describe("Its tokens."),
  parts: z
    .array(
      z.strictObject({
        label: z.string().nullable().describe("Type of the part; null for plain text."),
        characters: number.describe("Characters of the part."),
        opening: z.string().describe("Start of its text."),
      }),
    )
    .describe("Parts of the message, shortened. Empty once erased."),
  inContext: z
    .enum(["itself", "summary"])
    .nullable()
    .describe(
      "itself: the message is in the context. summary: a summary in the context covers it. null: neither.",
    ),
  excluded: z.enum(EXCLUSION_REASONS).nullable().describe("Why it is not in the context; null if it is."),
  erasedAt: z.string().nullable().describe("When its content was erased; null if it was not."),
  above: aboveSchema,
  before: neighbourSchema.nullable().describe("The previous message."),
  after: neighbourSchema.nullable().describe("The next message."),
  files: z.array(fileSchema).describe("Files and long tool results that came with it, stored separately."),
});

const fileDescriptionSchema = z.strictObject({
  type: z.literal("file").describe("The description is of a file."),
  ...fileSchema.shape,
  content: sliceSchema.nullable().describe("The requested content; null if none was requested."),
});

const outputSchema = z.discriminatedUnion("type", [
  summaryDescriptionSchema,
  messageDescriptionSchema,
  fileDescriptionSchema,
]);
export type DescribeOutput = z.infer<typeof outputSchema>;

export type DescribeInput = z.infer<typeof describeInput>;

export const describe = defineOperation({
  name: "describe",
  summary:
    "Describe a message, summary or file: what it is, its sources, what was derived from it, and its content.",
  input: describeInput,
  output: outputSchema,
  command: {
    positional: ["id"],
    flags: { ...NO_RANGE_FLAGS, tokenCap: { value: "tokens" }, maxBytes: { value: "bytes" } },
    also: RANGE_FLAGS,
    examples: [
      ["lcm describe sum_0123456789abcdef --token-cap 4000"],
      ["lcm describe msg_0123456789abcdef_42", "with the files it contains"],
      ["lcm describe file_0123456789abcdef", "a file"],
      ["lcm describe file_0123456789abcdef --lines 100-140", "with these lines"],
      ["lcm describe '[LCM Tool Output: file_0123456789abcdef |' --expand-file"],
    ],
    paged: true,
    text: (output, { look, suggest, input }) =>
      capAnswer(renderForPeople(output, look, suggest), input.tokenCap),
  },
  tool: {
    name: "lcm_describe",
    isDelegated: true,
    description: [
      "Describe a summary (sum_…) or a message (msg_…) by its id: its text, what it covers, its sources, the summaries derived from it, and how many tokens it takes to open.",
      "tokenCap limits the answer and shows what could be opened in full within it. Then open it with lcm_expand, or read its text with lcm_read.",
      "If [LCM File: file_… or [LCM Tool Output: file_… is in your context, its content is stored here: expandFile returns it exactly; startLine and endLine (or startByte and endByte) select a part.",
    ].join(" "),
    aliases: {
      conversationId: ANY_CONVERSATION,
      allConversations: ALL_CONVERSATIONS,
      expandFileMaxBytes: renamed("maxBytes"),
    },
    text: (output, input) => capAnswer(renderDescription(output, input), input.tokenCap),
  },
  run: async (engine, { expandFile, ...input }) => {
    // `expandFile: false` is also accepted for ids that are not files.
    const expand = expandFile === undefined || (!expandFile && !isOfFile(input.id)) ? {} : { expandFile };
    return toOutput(await engine.context.describe({ ...input, ...expand }));
  },
});

function isOfFile(id: string): boolean {
  return kindOfId(fileIdIn(id)) === "file";
}

function toOutput(description: Description): DescribeOutput {
  if (description.type === "summary") return ofSummary(description);
  return description.type === "file" ? ofFile(description) : ofMessage(description);
}

function ofFile({ type, file, content }: FileDescription): DescribeOutput {
  return { type, ...toFile(file), content: content === null ? null : toSlice(content) };
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

function ofMessage(description: MessageDescription): DescribeOutput {
  const { type, message, above, inContext, before, after, files } = description;
  const { conversation, id, seq, role, createdAt, tokenCount, excluded, erasedAt } = message;
  const parts = textsOfParts(message.parts).map(({ label, text }) => ({
    label,
    characters: text.length,
    opening: clip(text, OPENING_LENGTH),
  }));
  return {
    ...{ type, conversation, id, seq, role, createdAt, tokens: tokenCount, parts },
    ...{ inContext, excluded, erasedAt, above: above.map(ofAbove) },
    ...{ before: ofNeighbour(before), after: ofNeighbour(after), files: files.map(toFile) },
  };
}

function ofAbove({ summary, inContext }: AboveSummary) {
  return { ...toFacts(summary), inContext };
}

function ofNeighbour(neighbour: Neighbour | null) {
  return neighbour === null ? null : { ...neighbour };
}

/** Limits an answer to this many tokens. A cut is stated in its last line. */
function capAnswer(text: string, tokenCap: number | undefined): string {
  if (tokenCap === undefined) return text;
  const tokens = estimateTokens(text);
  if (tokens <= tokenCap) return text;
  const note = `\n(cut to ${count(tokenCap)} of ${count(tokens)} tokens)`;
  const room = Math.max(0, tokenCap - estimateTokens(note) - 1);
  return cutToTokens(`${cutToTokens(text, room, estimateTokens)}${note}`, tokenCap, estimateTokens);
}
