/** Pages of what is ranked: where the next one starts, also when the order has changed since. */
import { byTime, type Candidate, mostOf } from "./candidates.ts";
import { type Cursor, type RankCursor, writeCursor } from "./cursor.ts";

export function rankCursor(cursor: Cursor | null): RankCursor | null {
  return cursor !== null && "rank" in cursor ? cursor : null;
}

/** Behind what was shown last, wherever it stands now; where it would stand, if it is gone. */
export function startBehind(ranked: readonly Candidate[], last: RankCursor | null): number {
  if (last === null) return 0;
  const { ref } = last.after;
  const place = ranked.findIndex(
    (one) =>
      one.ref.conversation === ref.conversation && one.ref.kind === ref.kind && one.ref.number === ref.number,
  );
  if (place >= 0) return place + 1;
  const next = ranked.findIndex(
    (one) => mostOf(one) < last.score || (mostOf(one) === last.score && byTime(one, last.after) > 0),
  );
  return next < 0 ? ranked.length : next;
}

export function cursorBehindRank(
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
