/**
 * The graph of summaries: each has sources that exist and share one depth, what it says about them follows from
 * them, and its root covers their hashes. A depth above that of every source also means that nothing is its own
 * source. Reads the sources of one summary at a time.
 */
import { isDeepStrictEqual } from "node:util";
import { isPalimpsestError } from "../../errors.ts";
import { everyRow } from "../../store/every-row.ts";
import type { ScopedStore, StoredMessage, StoredSummary } from "../../store/store.ts";
import { type SourceFacts, summarise } from "../../store/summary-facts.ts";
import type { ReportProblem, StoreCheck } from "./integrity.ts";

const PAGE_ROWS = 200;

export const checkSummaries: StoreCheck = {
  name: "summaries",
  run: async (scoped, { id }, report) => {
    for await (const summary of everyRow((from) => scoped.summaries(id, { from, limit: PAGE_ROWS })))
      compare(summary, await readFacts(scoped, summary), report);
  },
};

function compare(
  summary: StoredSummary,
  facts: readonly (SourceFacts | undefined)[],
  report: ReportProblem,
): void {
  const { id, firstSeq: seq } = summary;
  const found = facts.filter((fact) => fact !== undefined);
  if (found.length === 0) report({ seq, message: `${id} has no sources` });
  else if (found.length < facts.length) report({ seq, message: `${id} points to sources that do not exist` });
  else
    try {
      const expected = summarise({ ...summary, content: summary.content ?? "" }, found);
      const wrong = DERIVED.filter((name) => !isDeepStrictEqual(expected[name], summary[name]));
      if (wrong.length > 0)
        report({ seq, message: `${id} does not follow from its sources: ${wrong.join(", ")}` });
    } catch (error) {
      if (!isPalimpsestError(error)) throw error;
      report({ seq, message: `${id}: ${error.message}` });
    }
}

/** What follows from the sources. */
const DERIVED = [
  "kind",
  "depth",
  "firstSeq",
  "lastSeq",
  "earliestAt",
  "latestAt",
  "messageCount",
  "sourceTokenCount",
  "descendantCount",
  "descendantTokenCount",
  "merkleRoot",
] as const satisfies readonly (keyof StoredSummary)[];

/** What each source says of itself, in order; undefined where there is none. */
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
