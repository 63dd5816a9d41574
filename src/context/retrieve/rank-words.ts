/** Documents in the order of their words. */
import { bestFirst, type Candidate } from "./candidates.ts";
import type { Matcher, SearchQuery } from "./search.ts";
import type { SelectedSegment } from "./select-documents.ts";
import type { Texts } from "./texts.ts";

/** The best first: at least as many as wanted, if there are as many. */
export async function rankByWords(
  { matcher }: Pick<SearchQuery, "matcher">,
  segments: readonly SelectedSegment[],
  texts: Texts,
  wanted: number,
): Promise<readonly Candidate[]> {
  if (!hasPhrases(matcher)) return bestFirst(segments, wanted);
  return texts.prove(bestFirst(segments, Number.POSITIVE_INFINITY), wanted);
}

export function hasPhrases(matcher: Matcher): boolean {
  return matcher.type === "words" && matcher.terms.some((term) => term.type === "phrase");
}
