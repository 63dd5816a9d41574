/** What a summary is made of: messages for a leaf, summaries of one depth for a condensed one. */
import type { Part, Role } from "../../types.ts";

export interface SourceMessage {
  readonly seq: number;
  readonly id: string;
  readonly role: Role;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly tokenCount: number;
  readonly parts: readonly Part[];
}

export interface SourceSummary {
  readonly id: string;
  readonly depth: number;
  readonly earliestAt: string;
  readonly latestAt: string;
  readonly tokenCount: number;
  readonly text: string;
}

export type SummarySource =
  | { readonly kind: "leaf"; readonly messages: readonly SourceMessage[] }
  | {
      readonly kind: "condensed";
      /** Of the summary to be made: one more than that of its sources. */
      readonly depth: number;
      readonly summaries: readonly SourceSummary[];
    };
