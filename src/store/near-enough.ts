/**
 * How many vectors are examined more closely to find the nearest, on either engine: sign bits choose the vectors that are
 * estimated, estimates choose the vectors that are measured. Measured on vectors of real texts: see decision 18.
 */
const LEAST_MEASURED = 120;
const MEASURED_PER_WANTED = 4;
export const ESTIMATED_PER_MEASURED = 4;

export function measuredFor(wanted: number): number {
  return Math.max(LEAST_MEASURED, wanted * MEASURED_PER_WANTED);
}
