/** What a message or a summary came from and what was made from it, as far as it is told without any text. */
import type { Role } from "../types.ts";
import type { StoredSummary } from "./store.ts";

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
