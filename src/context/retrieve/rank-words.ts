/** Ranks documents by words. */
import { bestFirst, byTime, type Candidate, mostOf } from "./candidates.ts";
import type { Matcher, SearchQuery } from "./search.ts";
import type { SelectedSegment } from "./select-documents.ts";
import type { Texts } from "./texts.ts";

/** Best first: at least as many as wanted, if there are enough. */
export async function rankByWords(
  { matcher }: Pick<SearchQuery, "matcher">,
  segments: readonly SelectedSegment[],
  texts: Texts,
  wanted: number,
): Promise<readonly Candidate[]> {
  if (hasPhrases(matcher)) return texts.prove(bestFirst(segments, Number.POSITIVE_INFINITY), wanted);
  if (!hasNames(matcher)) return bestFirst(segments, wanted);
  return rankNamesFirst(segments, texts, wanted);
}

/** Texts read to check for a name. Common words joined by a dash occur in very many. */
const MOST_OPENED = 1_000;

/** Documents with a name from the query, then the others by words. */
async function rankNamesFirst(
  segments: readonly SelectedSegment[],
  texts: Texts,
  wanted: number,
): Promise<readonly Candidate[]> {
  const likely = bestFirst(segments, MOST_OPENED)
    .slice(0, MOST_OPENED)
    .filter(({ phrases }) => phrases.some((score) => score > 0));
  const named = (await texts.prove(likely, wanted)).filter((one) => mostOf(one) > one.certain);
  const places = new Set(named.map(({ ref }) => placeOf(ref)));
  const others = bestFirst(segments, wanted + named.length, "certain").filter(
    ({ ref }) => !places.has(placeOf(ref)),
  );
  return [...named, ...others].sort((a, b) => mostOf(b) - mostOf(a) || byTime(a, b));
}

function placeOf({ conversation, kind, number }: Candidate["ref"]): string {
  return `${conversation} ${kind} ${number}`;
}

/** Phrases that decide about a match. */
export function hasPhrases(matcher: Matcher): boolean {
  return (
    matcher.type === "words" &&
    matcher.terms.some((term) => term.type === "phrase" && term.joined === undefined)
  );
}

function hasNames(matcher: Matcher): boolean {
  return (
    matcher.type === "words" &&
    matcher.terms.some((term) => term.type === "phrase" && term.joined !== undefined)
  );
}
