/** The sources of a message or summary and the summaries derived from it, without any text. */
import type { Role } from "../types.ts";
import type { StoredMessage, StoredSummary } from "./store.ts";

/** Where to look up and down from. */
export type LineageOf = { readonly seq: number } | { readonly summary: string };

export interface Lineage {
  /** Whether it stands in the context as itself. */
  readonly inContext: boolean;
  /** The summaries that were made from it, at any depth, nearest first and then oldest first. */
  readonly above: readonly AboveSummary[];
  /** What it was made from, in order. Empty for a message. */
  readonly madeFrom: LineageSources;
  /** How much of each depth lies below it, deepest number first. Empty for a leaf and for a message. */
  readonly below: readonly SummaryLevel[];
}

/** A summary without its text, and without the messages of a leaf. */
export interface SummaryOutline
  extends Omit<StoredSummary, "content" | "contentHash" | "sources" | "merkleRoot"> {
  /** Summaries that it was made from, in order; empty for a leaf. */
  readonly sourceIds: readonly string[];
  readonly isErased: boolean;
}

export interface AboveSummary {
  readonly summary: SummaryOutline;
  readonly inContext: boolean;
}

/** Of a leaf there are messages, of any other summary there are summaries. */
export interface LineageSources {
  readonly messages: readonly MessageSource[];
  readonly summaries: readonly SummarySource[];
}

export interface MessageSource {
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

export const NO_LINEAGE: Lineage = {
  inContext: false,
  above: [],
  madeFrom: { messages: [], summaries: [] },
  below: [],
};

/** A summary with everything that is told about it. */
export interface DescribedSummary extends Lineage {
  readonly summary: StoredSummary;
}

export interface DescendQuery {
  /** `sum_…` */
  readonly summary: string;
  /** Levels to go down: 1 gives what the summary was made from. Default: all the way to the messages. */
  readonly levels?: number;
  /** First message wanted: `next` of the answer before. Default: the first that the summary covers. */
  readonly from?: number;
  /**
   * Most tokens of the answer: the summary, those below it, and the messages. What stands at its beginning comes in
   * any case, so that there is always a way on; `cut` says where it is longer than there is room.
   */
  readonly maxTokens: number;
  /** False: only summaries. Default true. */
  readonly includeMessages?: boolean;
}

export interface Descended {
  readonly summary: StoredSummary;
  /**
   * The summaries below it that were passed, in the order of what they cover. Those that begin before `from` came
   * with an earlier answer; they are here to say where the messages belong, and are not counted again.
   */
  readonly summaries: readonly StoredSummary[];
  /** The messages that were reached, in order. */
  readonly messages: readonly StoredMessage[];
  /** The seq to go on from; null when nothing is left. */
  readonly next: number | null;
  /** Tokens of what is new in the answer, without those that are cut off: never more than `maxTokens`. */
  readonly tokens: number;
  /** What is longer than there was room for, though it is here whole: how many of its tokens may be shown. */
  readonly cut: readonly { readonly id: string; readonly tokens: number }[];
}

/** A lineage as it leaves a store's thread: the messages, of which there are hundreds, as one text. */
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
