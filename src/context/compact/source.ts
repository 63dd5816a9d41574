/** The sources of a summary: messages for a leaf, summaries of one depth for a condensed one. */
import type { StoredOriginal } from "../../store/store.ts";
import type { Part, Role } from "../../types.ts";

export interface SourceMessage {
  readonly seq: number;
  readonly role: Role;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly tokenCount: number;
  readonly parts: readonly Part[];
}

/** A stored message whose parts are not read yet. */
export type UnreadMessage = StoredOriginal;

export interface SourceSummary {
  readonly id: string;
  readonly depth: number;
  readonly earliestAt: string;
  readonly latestAt: string;
  readonly tokenCount: number;
  readonly text: string;
}

interface CondensedSource {
  readonly kind: "condensed";
  /** Depth of the new summary: one more than that of its sources. */
  readonly depth: number;
  readonly summaries: readonly SourceSummary[];
}

export type SummarySource =
  | { readonly kind: "leaf"; readonly messages: readonly SourceMessage[] }
  | CondensedSource;

/** The same before its messages are read. */
export type UnreadSource =
  | { readonly kind: "leaf"; readonly messages: readonly UnreadMessage[] }
  | (CondensedSource & { readonly fileIds: readonly string[] });
