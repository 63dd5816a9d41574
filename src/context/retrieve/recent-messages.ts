/** Recent messages, newest first: uses the search index with a filter by time, place and speaker but no query. */
import type { z } from "zod";
import type { ScopedStore } from "../../store/store.ts";
import type { recentInput } from "../inputs.ts";
import { digestOf, filterOf, type GrepHit, limitOf, searchUntilStopped, toHit } from "./grep-messages.ts";
import type { Searcher } from "./search.ts";

export interface RecentInput extends Readonly<z.input<typeof recentInput>> {
  readonly signal?: AbortSignal | undefined;
}

type RecentEntry = Omit<GrepHit, "matches" | "score" | "snippet"> & {
  /** Its beginning; ends with `…` if cut. */
  readonly opening: string;
};

export interface RecentResult {
  readonly entries: readonly RecentEntry[];
  readonly next: string | null;
  /** The total. Erased messages and messages without words are counted but not listed. */
  readonly total: number;
  /** If nothing was found with `tool`: names of tools that may have been meant. */
  readonly nearTools: readonly string[];
}

export async function recentMessages(
  store: ScopedStore,
  searcher: Searcher,
  input: RecentInput,
  now: number,
): Promise<RecentResult> {
  const { signal } = input;
  const { hits, next, total, nearTools } = await searchUntilStopped(searcher, {
    matcher: { type: "any" },
    order: "time",
    limit: limitOf(input),
    // Only messages, unless summaries are requested: summaries would repeat them.
    filter: await filterOf(store, { kinds: ["message"], ...input }, now),
    cursor: input.cursor ?? null,
    digest: digestOf(input, { order: "time" }),
    ...(signal === undefined ? {} : { signal }),
  });
  const entries = hits.map((hit) => {
    const { matches: _, score: __, snippet, ...rest } = toHit(hit);
    return { ...rest, opening: snippet.text };
  });
  return { entries, next, total: total ?? entries.length, nearTools };
}
