/** Every summary has sources of one depth that exist, its facts follow from them, and its root covers them. */
import { isDeepStrictEqual } from "node:util";
import { isPalimpsestError } from "../../errors.ts";
import type { StoredMessage, StoredSummary } from "../../store/store.ts";
import { type SourceFacts, summarise } from "../../store/summary-facts.ts";
import type { ConversationCheck, IntegrityCheck, ReportProblem } from "./integrity.ts";

export const checkSummaries: IntegrityCheck = {
  name: "summaries",
  start: (_, report) => new SummaryCheck(report),
};

class SummaryCheck implements ConversationCheck {
  readonly #report: ReportProblem;
  readonly #messages = new Map<number, SourceFacts>();
  readonly #summaries = new Map<string, SourceFacts>();

  constructor(report: ReportProblem) {
    this.#report = report;
  }

  message(message: StoredMessage): void {
    this.#messages.set(message.seq, factsOfMessage(message));
  }

  /** Sources come before what was made from them: rows are ordered by depth. */
  summary(summary: StoredSummary): void {
    const { sources } = summary;
    const facts =
      sources.type === "messages"
        ? sources.seqs.map((seq) => this.#messages.get(seq))
        : sources.ids.map((id) => this.#summaries.get(id));
    this.#summaries.set(summary.id, factsOfSummary(summary));
    const found = facts.filter((fact) => fact !== undefined);
    if (found.length !== facts.length || found.length === 0)
      this.#report({ message: `${summary.id} points to sources that do not exist` });
    else this.#compare(summary, found);
  }

  #compare(summary: StoredSummary, facts: readonly SourceFacts[]): void {
    try {
      const { conversation: _, ...stored } = summary;
      const expected = summarise({ ...summary, content: summary.content ?? "" }, facts);
      if (!isDeepStrictEqual(pick(expected), pick(stored)))
        this.#report({ message: `${summary.id} does not say what follows from its sources` });
    } catch (error) {
      if (!isPalimpsestError(error)) throw error;
      this.#report({ message: `${summary.id}: ${error.message}` });
    }
  }
}

/** What follows from the sources. */
function pick(summary: Omit<StoredSummary, "conversation">) {
  const { kind, depth, firstSeq, lastSeq, earliestAt, latestAt, messageCount, merkleRoot } = summary;
  const { sourceTokenCount, descendantCount, descendantTokenCount } = summary;
  return {
    kind,
    depth,
    firstSeq,
    lastSeq,
    earliestAt,
    latestAt,
    messageCount,
    merkleRoot,
    sourceTokenCount,
    descendantCount,
    descendantTokenCount,
  };
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
    ...pick(summary),
    position: 0,
    descendantCount: summary.descendantCount + 1,
    descendantTokenCount: summary.descendantTokenCount + summary.tokenCount,
    hash: summary.merkleRoot,
  };
}
