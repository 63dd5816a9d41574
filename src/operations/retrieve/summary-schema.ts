/** The schema of a summary in results. */
import { z } from "zod";
import type { SummaryOutline } from "../../store/lineage.ts";
import type { StoredSummary } from "../../store/store.ts";
import { SUMMARY_QUALITIES } from "../../types.ts";

const number = z.int();

const summaryFacts = {
  id: z.string().describe("sum_ and 16 hex digits."),
  kind: z
    .enum(["leaf", "condensed"])
    .describe("leaf: a summary of messages. condensed: a summary of summaries."),
  depth: number.describe("0 for a leaf, else one more than its sources."),
  tokens: number.describe("Tokens of the summary."),
  messages: number.describe("Number of messages that it covers, at any depth."),
  sourceTokens: number.describe("Tokens of these messages."),
  firstSeq: number.describe("First message that it covers."),
  lastSeq: number.describe("Last message that it covers."),
  earliestAt: z.string().describe("Time of the first message, ISO 8601 in UTC."),
  latestAt: z.string().describe("Time of the last message, ISO 8601 in UTC."),
  quality: z.enum(SUMMARY_QUALITIES).describe("How it was written."),
  model: z.string().nullable().describe("Model that wrote it; null if it was written offline."),
  fidelity: z
    .number()
    .nullable()
    .describe("Weighted share of the source's anchors that it contains, 0 to 1."),
  createdAt: z.string().describe("When it was written, ISO 8601 in UTC."),
  sources: z
    .array(z.string())
    .readonly()
    .describe("Summaries that it condenses, in order; empty for a leaf."),
  fileIds: z
    .array(z.string())
    .readonly()
    .describe("Files and long tool results in the messages it covers; open them with describe."),
  erased: z.boolean().describe("Whether its text was erased because a source was erased."),
};

export const summaryFactsSchema = z.strictObject(summaryFacts);
export type SummaryFacts = z.infer<typeof summaryFactsSchema>;

export const summarySchema = z.strictObject({
  ...summaryFacts,
  text: z.string().nullable().describe("Text of the summary; null once erased."),
});
export type SummaryAnswer = z.infer<typeof summarySchema>;

export function toFacts(summary: SummaryOutline): SummaryFacts {
  const { id, kind, depth, tokenCount: tokens, messageCount: messages, sourceTokenCount } = summary;
  const { firstSeq, lastSeq, earliestAt, latestAt, quality, model, fidelity, createdAt } = summary;
  return {
    ...{ id, kind, depth, tokens, messages, sourceTokens: sourceTokenCount },
    ...{ firstSeq, lastSeq, earliestAt, latestAt, quality, model, fidelity, createdAt },
    fileIds: summary.fileIds,
    sources: summary.sourceIds,
    erased: summary.isErased,
  };
}

export function toSummary(summary: StoredSummary): SummaryAnswer {
  return { ...toFacts(outlineOf(summary)), text: summary.content };
}

function outlineOf({ sources, content, ...facts }: StoredSummary): SummaryOutline {
  const sourceIds = sources.type === "summaries" ? sources.ids : [];
  return { ...facts, sourceIds, isErased: content === null };
}
