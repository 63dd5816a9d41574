/** Expand a summary into the finer summaries below it and the exact messages it covers. */
import type { z } from "zod";
import type { Descended } from "../../store/lineage.ts";
import type { ScopedStore, StoredSummary } from "../../store/store.ts";
import { isSummaryId } from "../../text/identifiers.ts";
import type { Message } from "../../types.ts";
import type { expandInput } from "../inputs.ts";
import { noSummary } from "../read/not-found.ts";
import { toCheckedMessage } from "../read/read-messages.ts";
import { requireSummaryId } from "../read/wrong-kind.ts";

export type ExpandInput = z.input<typeof expandInput>;

export interface ExpandResult extends Omit<Descended, "messages"> {
  /** The exact messages that were reached, in order. */
  readonly messages: readonly Message[];
}

export const DEFAULT_EXPAND_TOKENS = 20_000;

export async function expandSummary(store: ScopedStore, input: ExpandInput): Promise<ExpandResult> {
  const { maxTokens = DEFAULT_EXPAND_TOKENS, ...query } = input;
  if (typeof input.summary === "string") requireSummaryId(input.summary);
  const found = isSummaryId(input.summary) ? await store.descend({ ...query, maxTokens }) : undefined;
  if (found === undefined) throw await noSummary(store, input.summary);
  const { conversation } = found.summary;
  return { ...found, messages: found.messages.map((message) => toCheckedMessage(conversation, message)) };
}

export async function requireSummary(store: ScopedStore, id: string): Promise<StoredSummary> {
  if (typeof id === "string") requireSummaryId(id);
  const summary = typeof id === "string" && isSummaryId(id) ? await store.summary(id) : undefined;
  if (summary === undefined) throw await noSummary(store, id);
  return summary;
}
