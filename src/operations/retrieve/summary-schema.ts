/** A summary as operations give it. */
import { z } from "zod";
import type { SummaryOutline } from "../../store/lineage.ts";
import type { StoredSummary } from "../../store/store.ts";
import { SUMMARY_QUALITIES } from "../../types.ts";

const number = z.int();

const summaryFacts = {
  id: z.string().describe("sum_ and 16 hex digits."),
  kind: z.enum(["leaf", "condensed"]).describe("Made from messages, or from summaries."),
  depth: number.describe("0 for a leaf, else one more than its sources."),
  tokens: number.describe("Its tokens."),
  messages: number.describe("Messages that it covers, at any depth."),
  sourceTokens: number.describe("Their tokens."),
  firstSeq: number.describe("First message that it covers."),
  lastSeq: number.describe("Last message that it covers."),
  earliestAt: z.string().describe("When the first was said, ISO 8601 in UTC."),
  latestAt: z.string().describe("When the last was said, ISO 8601 in UTC."),
  quality: z.enum(SUMMARY_QUALITIES).describe("How it was made."),
  model: z.string().nullable().describe("Model that wrote it; null when it was made offline."),
  fidelity: z.number().nullable().describe("Weighted share of the source's anchors that it holds, 0 to 1."),
  createdAt: z.string().describe("When it was made, ISO 8601 in UTC."),
  sources: z
    .array(z.string())
    .readonly()
    .describe("Summaries that it was made from, in order; empty for a leaf."),
  fileIds: z
    .array(z.string())
    .readonly()
    .describe("Files and long results in what it covers: describe opens them."),
  erased: z.boolean().describe("Whether its text is gone because something it was made from was erased."),
};

export const summaryFactsSchema = z.strictObject(summaryFacts);
export type SummaryFacts = z.infer<typeof summaryFactsSchema>;

export const summarySchema = z.strictObject({
  ...summaryFacts,
  text: z.string().nullable().describe("What it says; null once erased."),
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
