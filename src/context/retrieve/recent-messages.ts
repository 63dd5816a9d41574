/** What happened, newest first: the same index as searching, with nothing to look for but when, where and who. */
import type { z } from "zod";
import type { ScopedStore } from "../../store/store.ts";
import type { recentInput } from "../inputs.ts";
import { digestOf, filterOf, type GrepHit, limitOf, searchUntilStopped, toHit } from "./grep-messages.ts";
import type { Searcher } from "./search.ts";

export interface RecentInput extends Readonly<z.input<typeof recentInput>> {
  readonly signal?: AbortSignal | undefined;
}

export type RecentEntry = Omit<GrepHit, "matches" | "score" | "snippet"> & {
  /** How it begins; `…` where it goes on. */
  readonly opening: string;
};

export interface RecentResult {
  readonly entries: readonly RecentEntry[];
  readonly next: string | null;
  /** How many there are in all. What was erased and what has no words counts, and is not among the entries. */
  readonly total: number;
  /** Where nothing was found with `tool`: names of tools that may have been meant. */
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
    // What was said, unless summaries are asked for: they would tell the same again.
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
