/**
 * A score between 0 and 1. A value that is not a number becomes the fallback, so that one bad value cannot spoil a
 * ranking.
 */
export function clamp01(value: number, fallback = 0): number {
  return Number.isFinite(value) ? Math.min(1, Math.max(0, value)) : fallback;
}
