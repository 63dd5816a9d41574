/**
 * Chooses the conversations for a question: the named ones, else those of the named summaries, else those
 * in which its words occur most.
 */

import { PalimpsestError } from "../../errors.ts";
import { questionWords } from "../../search/question-words.ts";
import type { ScopedStore } from "../../store/store.ts";
import type { Context } from "../context.ts";
import { requireSummary } from "../retrieve/expand-summary.ts";
import type { AskInput } from "./ask.ts";

type ReachInput = Pick<AskInput, "prompt" | "query" | "summaryIds" | "conversations" | "signal">;

/** The conversation and messages that a summary covers. */
export interface SummaryPlace {
  readonly id: string;
  readonly conversation: string;
  readonly firstSeq: number;
  readonly lastSeq: number;
}

export interface Reach {
  readonly conversations: ReadonlySet<string>;
  readonly summaries: readonly SummaryPlace[];
}

/** Most conversations that a search adds. */
const MOST_FOUND = 5;
const HITS = 50;

export async function chooseReach(
  question: ReachInput,
  { context, store }: { readonly context: Context; readonly store: ScopedStore },
): Promise<Reach> {
  const summaries = await Promise.all((question.summaryIds ?? []).map((id) => placeOf(id, store)));
  if (question.conversations !== undefined) {
    const named = await Promise.all(question.conversations.map((one) => context.conversations.get(one)));
    const conversations = new Set(named.map(({ id }) => id));
    const outside = summaries.find(({ conversation }) => !conversations.has(conversation));
    if (outside !== undefined)
      throw new PalimpsestError("not-found", `summary ${outside.id} is not in these conversations`);
    return { conversations, summaries };
  }
  if (summaries.length > 0)
    return { conversations: new Set(summaries.map(({ conversation }) => conversation)), summaries };
  return { conversations: await findConversations(question, context), summaries };
}

async function placeOf(id: string, store: ScopedStore): Promise<SummaryPlace> {
  const { conversation, firstSeq, lastSeq } = await requireSummary(store, id);
  return { id, conversation, firstSeq, lastSeq };
}

/** Each hit counts more the better its rank. */
async function findConversations(
  { prompt, query, signal }: ReachInput,
  context: Context,
): Promise<ReadonlySet<string>> {
  const pattern = query ?? questionWords(prompt);
  if (pattern === "") return new Set();
  const { hits } = await context.grep({ pattern, limit: HITS, ...(signal === undefined ? {} : { signal }) });
  const weights = new Map<string, number>();
  hits.forEach(({ conversation }, rank) => {
    weights.set(conversation, (weights.get(conversation) ?? 0) + 1 / (rank + 1));
  });
  const best = [...weights].toSorted(([, a], [, b]) => b - a).slice(0, MOST_FOUND);
  return new Set(best.map(([id]) => id));
}
