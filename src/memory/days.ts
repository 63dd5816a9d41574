/** Time between two moments in days, the unit of all formulas of memory. */
export const DAY_MS = 86_400_000;

/** Never negative: a time in the future counts as now. Without a readable time, 0. */
export function daysSince(time: string | null, now: number): number {
  const then = time === null ? Number.NaN : Date.parse(time);
  return Number.isNaN(then) ? 0 : Math.max(0, (now - then) / DAY_MS);
}
