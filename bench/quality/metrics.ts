/** How well a ranking finds what it should. Pure; every function takes the ids in ranked order, and the wanted ones. */

export type Wanted = ReadonlySet<string>;

/** The share of the wanted items in the first `k`. */
export function recallAt(k: number, ranked: readonly string[], wanted: Wanted): number {
  return ranked.slice(0, k).filter((id) => wanted.has(id)).length / wanted.size;
}

/** One over the place of the first that is wanted; 0 when there is none. */
export function reciprocalRank(ranked: readonly string[], wanted: Wanted): number {
  const place = ranked.findIndex((id) => wanted.has(id));
  return place < 0 ? 0 : 1 / (place + 1);
}

/** Binary gains, against the best order there could be. */
export function ndcgAt(k: number, ranked: readonly string[], wanted: Wanted): number {
  const gained = ranked.slice(0, k).reduce((sum, id, place) => sum + (wanted.has(id) ? gainAt(place) : 0), 0);
  let ideal = 0;
  for (let place = 0; place < Math.min(k, wanted.size); place++) ideal += gainAt(place);
  return gained / ideal;
}

function gainAt(place: number): number {
  return 1 / Math.log2(place + 2);
}

/** Whether everything wanted is in the ranking cut at so many tokens; what fits only in part is not in it. */
export function isCompleteWithin(
  budget: number,
  ranked: readonly string[],
  wanted: Wanted,
  tokensOf: (id: string) => number,
): boolean {
  let [used, found] = [0, 0];
  for (const id of ranked) {
    used += tokensOf(id);
    if (used > budget) return false;
    if (wanted.has(id)) found++;
    if (found === wanted.size) return true;
  }
  return false;
}

/** Of rows of equal length, column by column. */
export function means(rows: readonly (readonly number[])[]): number[] {
  const columns = rows[0]?.length ?? 0;
  return Array.from(
    { length: columns },
    (_, i) => rows.reduce((sum, row) => sum + (row[i] ?? 0), 0) / rows.length,
  );
}
