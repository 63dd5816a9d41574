/** Time between two moments in days, which is what every formula of memory counts in. */
export const DAY_MS = 86_400_000;

/** Never negative: what comes from the future is as new as can be. Without a readable time, 0. */
export function daysSince(time: string | null, now: number): number {
  const then = time === null ? Number.NaN : Date.parse(time);
  return Number.isNaN(then) ? 0 : Math.max(0, (now - then) / DAY_MS);
}
