/** The sources of a message or summary and the summaries derived from it, without any text. */
import type { Role } from "../types.ts";
import type { StoredMessage, StoredSummary } from "./store.ts";

/** The message or summary to start from. */
export type LineageOf = { readonly seq: number } | { readonly summary: string };

export interface Lineage {
  /** Whether it is in the context itself. */
  readonly inContext: boolean;
  /** The summaries that were made from it, at any depth, nearest first, then oldest first. */
  readonly above: readonly AboveSummary[];
  /** Its sources, in order. Empty for a message. */
  readonly madeFrom: LineageSources;
  /** How much of each depth is below it, highest depth first. Empty for a leaf and for a message. */
  readonly below: readonly SummaryLevel[];
}

/** A summary without its text, and without the messages of a leaf. */
export interface SummaryOutline
  extends Omit<StoredSummary, "content" | "contentHash" | "sources" | "merkleRoot"> {
  /** The summaries among its sources, in order; empty for a leaf. */
  readonly sourceIds: readonly string[];
  readonly isErased: boolean;
}

export interface AboveSummary {
  readonly summary: SummaryOutline;
  readonly inContext: boolean;
}

/** The sources of a leaf are messages; those of any other summary are summaries. */
export interface LineageSources {
  readonly messages: readonly MessageSource[];
  readonly summaries: readonly SummarySource[];
}

interface MessageSource {
  readonly seq: number;
  readonly role: Role;
  readonly tokenCount: number;
}

export interface SummarySource {
  readonly id: string;
  readonly firstSeq: number;
  readonly lastSeq: number;
  readonly tokenCount: number;
  /** With all summaries and messages below it. */
  readonly wholeTokenCount: number;
}

/** Summaries of one depth, and their tokens. */
export interface SummaryLevel {
  readonly depth: number;
  readonly summaries: number;
  readonly tokens: number;
}

/** A summary with all facts about it. */
export interface DescribedSummary extends Lineage {
  readonly summary: StoredSummary;
}

export interface DescendQuery {
  /** `sum_…` */
  readonly summary: string;
  /** Levels to go down: 1 returns its direct sources. Default: down to the messages. */
  readonly levels?: number;
  /** First message wanted: `next` of the previous answer. Default: the first that the summary covers. */
  readonly from?: number;
  /**
   * Most tokens of the answer: the summary, those below it, and the messages. The first item is always returned, so that
   * reading can continue; `cut` lists the items longer than the limit.
   */
  readonly maxTokens: number;
  /** False: only summaries. Default true. */
  readonly includeMessages?: boolean;
}

export interface Descended {
  readonly summary: StoredSummary;
  /**
   * The summaries on the way down, in the order of what they cover. Those that begin before `from` came with an earlier
   * answer; they show where the messages belong, and are not counted again.
   */
  readonly summaries: readonly StoredSummary[];
  /** The messages that were reached, in order. */
  readonly messages: readonly StoredMessage[];
  /** The seq to continue from; null when nothing is left. */
  readonly next: number | null;
  /** Tokens of the new items in the answer, without those that are cut off: never more than `maxTokens`. */
  readonly tokens: number;
  /** Items longer than the limit, though returned whole: how many of their tokens may be shown. */
  readonly cut: readonly { readonly id: string; readonly tokens: number }[];
}

/** A lineage as a store's thread returns it: the messages, of which there are hundreds, as one text. */
export interface PackedLineage extends Omit<Lineage, "madeFrom"> {
  /** JSON. */
  readonly messages: string;
  readonly summaries: readonly SummarySource[];
}

export function unpackLineage({ messages, summaries, ...lineage }: PackedLineage): Lineage {
  const sources: [seq: number, role: Role, tokenCount: number][] = JSON.parse(messages);
  const inOrder = sources.map(([seq, role, tokenCount]) => ({ seq, role, tokenCount })).sort(bySeq);
  return { ...lineage, madeFrom: { messages: inOrder, summaries } };
}

const bySeq = (a: MessageSource, b: MessageSource) => a.seq - b.seq;

export type PackedDescription = PackedLineage & Pick<DescribedSummary, "summary">;

export function unpackDescription({ summary, ...lineage }: PackedDescription): DescribedSummary {
  return { summary, ...unpackLineage(lineage) };
}
