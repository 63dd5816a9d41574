/**
 * Search by words combined with a host's own ranking. The caller that opens the engine may pass a function that
 * ranks messages semantically. Both rankings are joined by rank alone, because their scores cannot be compared.
 */
import { PalimpsestError } from "../../../errors.ts";
import type { ScopedStore } from "../../../store/store.ts";
import { isMessageId, parseMessageId } from "../../../text/identifiers.ts";
import type { Candidate } from "../candidates.ts";
import type { DocumentFilter } from "../filter.ts";
import { passes } from "./passes.ts";

export interface MeaningQuery {
  /** The query in the caller's words. */
  readonly text: string;
  /** Ids of the conversations that are searched; null for all. */
  readonly conversations: readonly string[] | null;
  /** Most ids to return. */
  readonly limit: number;
  readonly signal?: AbortSignal | undefined;
}

/** Returns ids of messages, nearest first. Unknown ids, and those that a filter excludes, are ignored. */
export type RankByMeaning = (query: MeaningQuery) => Promise<readonly string[]>;

/** Number of entries of each ranking that are joined. */
export const JOINED = 200;
/** Reduces the weight of the first ranks, so that two good ranks outweigh a single best one. The usual constant. */
const DAMPING = 60;

/** Any outcome of the host's function becomes a result or an error of this search. */
export async function askForMeaning(
  rankByMeaning: RankByMeaning,
  query: MeaningQuery,
): Promise<readonly string[]> {
  const ids: unknown = await rankByMeaning(query);
  if (Array.isArray(ids) && ids.every((id) => typeof id === "string")) return ids;
  throw new PalimpsestError("invalid-input", "rankByMeaning did not return a list of ids", {
    advice: "It must return an array of message ids, nearest first.",
  });
}

/** The named messages, in order, if they exist and pass the filter. */
export async function meantMessages(
  store: ScopedStore,
  ids: readonly string[],
  filter: DocumentFilter,
): Promise<readonly Candidate[]> {
  const refs = [...new Set(ids.filter(isMessageId))].slice(0, JOINED).map((id) => {
    const { conversation, seq } = parseMessageId(id);
    return { conversation, kind: "message" as const, number: seq };
  });
  const candidates: Candidate[] = [];
  for (const document of await store.documents(refs))
    if ("message" in document && (await passes(store, document, filter)))
      candidates.push({
        ref: document.ref,
        time: Date.parse(document.message.createdAt),
        certain: 0,
        phrases: [],
      });
  return candidates;
}

/** Pure. Sums reciprocal ranks; ties keep the order of the first ranking. */
export function joinRankings(rankings: readonly (readonly Candidate[])[]): readonly Candidate[] {
  const joined = new Map<string, { candidate: Candidate; score: number }>();
  for (const ranking of rankings)
    ranking.forEach((candidate, rank) => {
      const name = JSON.stringify(candidate.ref);
      const score = (joined.get(name)?.score ?? 0) + 1 / (DAMPING + rank + 1);
      joined.set(name, { candidate: joined.get(name)?.candidate ?? candidate, score });
    });
  return [...joined.values()]
    .sort((a, b) => b.score - a.score)
    .map(({ candidate, score }) => ({ ...candidate, certain: score, phrases: [] }));
}
