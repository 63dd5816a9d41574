/**
 * Checks the graph of summaries: each has its original text, existing sources of one depth, facts that
 * follow from these sources, and a root over their hashes. Since its depth is above that of every source, no summary
 * is its own source. Reads the sources of one summary at a time, and sources before the summaries made from them.
 */
import { isDeepStrictEqual } from "node:util";
import { isPalimpsestError } from "../../errors.ts";
import { everyRow } from "../../store/every-row.ts";
import { type SourceFacts, summarise } from "../../store/rules/summary-facts.ts";
import { hashSummaryText } from "../../store/seal.ts";
import {
  type ScopedStore,
  type StoredMessage,
  type StoredSummary,
  SUMMARY_LINEAGE,
} from "../../store/store.ts";
import { counted } from "../../text/counted.ts";
import type { Findings, ReportProblem, StoreCheck } from "./integrity.ts";

const PAGE_ROWS = 200;

export const checkSummaries: StoreCheck = {
  name: "summaries",
  run: async (scoped, { id }, report, findings) => {
    for await (const summary of everyRow((from) => scoped.summaries(id, { from, limit: PAGE_ROWS })))
      compare(summary, await readFacts(scoped, summary), report, findings);
    const missing = await scoped.missingSummaries(id);
    if (missing > 0)
      report({
        message: `${counted(missing, "summary", "summaries")} of which only links are left`,
        repair: { kind: "forget-missing-summaries" },
      });
  },
};

function compare(
  summary: StoredSummary,
  facts: readonly (SourceFacts | undefined)[],
  report: ReportProblem,
  { chainHolds, unfit }: Findings,
): void {
  const { id, firstSeq: seq, sources } = summary;
  const text = wrongText(summary);
  if (text !== null)
    report({ seq, message: `${id} ${text}`, repair: { kind: "erase-summary", summary: id } });
  const lineage = wrongLineage(summary, facts);
  // If a message is damaged, a summary may be the only remaining copy of its content.
  const canGo = lineage !== null && chainHolds;
  if (lineage !== null)
    report({
      seq,
      message: `${id}${lineage}`,
      ...(canGo ? { repair: { kind: "drop-summary", summary: id } } : {}),
    });
  const isMadeFromUnfit = sources.type === "summaries" && sources.ids.some((source) => unfit.has(source));
  if (text !== null || canGo || isMadeFromUnfit) unfit.add(id);
}

/** The problem of its own text, or null. */
function wrongText({ content, contentHash }: StoredSummary): string | null {
  if (hashSummaryText(content) === contentHash) return null;
  if (content === null) return "has lost its text, but nothing was erased";
  return contentHash === null ? "has no hash of its text" : "was changed: its text has another hash";
}

/** The problem of the facts about its sources, or null. */
function wrongLineage(summary: StoredSummary, facts: readonly (SourceFacts | undefined)[]): string | null {
  const found = facts.filter((fact) => fact !== undefined);
  if (found.length === 0) return " has no sources";
  if (found.length < facts.length) return " points to sources that do not exist";
  try {
    const expected = summarise({ ...summary, content: summary.content ?? "" }, found);
    const wrong = SUMMARY_LINEAGE.filter((name) => !isDeepStrictEqual(expected[name], summary[name]));
    return wrong.length === 0 ? null : ` does not follow from its sources: ${wrong.join(", ")}`;
  } catch (error) {
    if (!isPalimpsestError(error)) throw error;
    return `: ${error.message}`;
  }
}

/** The facts that each source states about itself, in order; undefined for a missing one. */
async function readFacts(
  scoped: ScopedStore,
  { conversation, sources }: StoredSummary,
): Promise<(SourceFacts | undefined)[]> {
  if (sources.type === "messages") return readMessageFacts(scoped, conversation, sources.seqs);
  const found = await Promise.all(sources.ids.map((id) => scoped.summary(id)));
  return found.map((source) => (source === undefined ? undefined : factsOfSummary(source)));
}

async function readMessageFacts(
  scoped: ScopedStore,
  conversation: string,
  seqs: readonly number[],
): Promise<(SourceFacts | undefined)[]> {
  const facts = new Map<number, SourceFacts | undefined>(seqs.map((seq) => [seq, undefined]));
  const range = { to: seqs.at(-1) ?? 0, withoutContent: true };
  const messages = everyRow(
    (from) => scoped.messages(conversation, { ...range, from, payloads: "sound" }),
    seqs[0] ?? 0,
  );
  for await (const message of messages)
    if (facts.has(message.seq)) facts.set(message.seq, factsOfMessage(message));
  return [...facts.values()];
}

function factsOfMessage({ seq, createdAt, tokenCount, hash }: StoredMessage): SourceFacts {
  return {
    position: seq,
    depth: -1,
    firstSeq: seq,
    lastSeq: seq,
    earliestAt: createdAt,
    latestAt: createdAt,
    messageCount: 1,
    sourceTokenCount: tokenCount,
    descendantCount: 0,
    descendantTokenCount: 0,
    hash,
  };
}

function factsOfSummary(summary: StoredSummary): SourceFacts {
  return {
    ...summary,
    position: 0,
    descendantCount: summary.descendantCount + 1,
    descendantTokenCount: summary.descendantTokenCount + summary.tokenCount,
    hash: summary.merkleRoot,
  };
}
