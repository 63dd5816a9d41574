/** Pages of ranked hits: finds the start of the next one, even if the order has changed since. */
import type { DocumentRef } from "../../store/search-store.ts";
import { byTime, type Candidate, mostOf } from "./candidates.ts";
import { type Cursor, type RankCursor, writeCursor } from "./cursor.ts";
import type { SearchAnswer, SearchQuery } from "./search.ts";
import type { Texts } from "./texts.ts";

export function rankCursor(cursor: Cursor | null): RankCursor | null {
  return cursor !== null && "rank" in cursor ? cursor : null;
}

/** The hits from a rank on, as far as there is room, and the cursor for the rest. */
export async function pageOf(
  { limit, hasRoom = () => true, digest }: SearchQuery,
  texts: Texts,
  ranked: readonly Candidate[],
  start: number,
): Promise<Pick<SearchAnswer, "hits" | "next">> {
  const page = ranked.slice(start, start + limit);
  const hits = await texts.hits(page);
  const tooMuch = hits.findIndex((hit) => !hasRoom(hit));
  if (tooMuch < 0) return { hits, next: cursorBehindRank(page, start + page.length, ranked.length, digest) };
  const left = hits[tooMuch]?.document.ref;
  const shown = page.findIndex(({ ref }) => left !== undefined && isSame(ref, left));
  const next = cursorBehindRank(page.slice(0, shown), start + shown, ranked.length, digest);
  return { hits: hits.slice(0, tooMuch), next };
}

function isSame(a: DocumentRef, b: DocumentRef): boolean {
  return a.conversation === b.conversation && a.kind === b.kind && a.number === b.number;
}

/**
 * After the last hit shown, at its current position. If it is gone, after its former position by score or by rank,
 * whichever is earlier, because erasing changes every score. A hit may repeat, but none is skipped.
 */
export function startBehind(ranked: readonly Candidate[], last: RankCursor | null): number {
  if (last === null) return 0;
  const { ref } = last.after;
  const place = ranked.findIndex((one) => isSame(one.ref, ref));
  if (place >= 0) return place + 1;
  const byScore = ranked.findIndex(
    (one) => mostOf(one) < last.score || (mostOf(one) === last.score && byTime(one, last.after) > 0),
  );
  const byRank = Math.max(0, last.rank - 1);
  return byScore < 0 ? byRank : Math.min(byScore, byRank);
}

function cursorBehindRank(
  page: readonly Candidate[],
  end: number,
  count: number,
  digest: string,
): string | null {
  const shown = page.at(-1);
  if (shown === undefined || count <= end) return null;
  return writeCursor(
    { rank: end, score: mostOf(shown), after: { time: shown.time, ref: shown.ref } },
    digest,
  );
}
