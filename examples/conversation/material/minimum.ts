/**
 * Time of minimum light: an even quartic is fitted around a centre, and the centre with the smallest residual
 * wins. Also the ways in which the pipeline of the story treats a night's rows before the fit.
 */
import { LEAP_SECONDS, type Sample } from "./night.ts";

export interface Point {
  readonly time: number;
  readonly counts: number;
}

const WINDOW_MINUTES = 60;

/** As found: `INSERT OR REPLACE` with key (night, seq), stamps believed. */
export function asFound(samples: readonly Sample[]): Point[] {
  const bySeq = new Map(samples.map((s) => [s.seq, s]));
  return [...bySeq.values()].map((s) => ({ time: s.stamp, counts: s.counts }));
}

/** Key (night, boot, seq): every row kept, stamps believed. */
export function everyRow(samples: readonly Sample[]): Point[] {
  return samples.map((s) => ({ time: s.stamp, counts: s.counts }));
}

/** Stamps rebuilt: a boot that ends its early rows with a step back of 8 s was 18 s ahead until there. */
export function rebuilt(samples: readonly Sample[]): { points: Point[]; shifted: number; unknown: number } {
  const points: Point[] = [];
  let shifted = 0;
  let unknown = 0;
  for (const rows of Map.groupBy(samples, (s) => s.boot).values()) {
    const step = rows.findIndex((s, i) => i > 0 && s.stamp < (rows[i - 1]?.stamp ?? 0));
    const isFirst = rows[0]?.boot === samples[0]?.boot;
    rows.forEach((s, i) => {
      if (step > 0 && i < step) shifted++;
      if (step < 0 && !isFirst) unknown++;
      else points.push({ time: s.stamp - (i < step ? LEAP_SECONDS * 1000 : 0), counts: s.counts });
    });
  }
  return { points, shifted, unknown };
}

/** Milliseconds of the minimum, and its formal error in seconds. */
export function fitMinimum(
  points: readonly Point[],
  guess: number,
): { time: number; error: number; used: number } {
  const near = points.filter((p) => Math.abs(p.time - guess) <= WINDOW_MINUTES * 60_000);
  let best = { centre: guess, chi: Number.POSITIVE_INFINITY };
  for (const step of [5000, 500, 100]) {
    const from = best.centre;
    for (let k = -12; k <= 12; k++) {
      const chi = residual(near, from + k * step);
      if (chi < best.chi) best = { centre: from + k * step, chi };
    }
  }
  const variance = best.chi / (near.length - 4);
  const wide = 20_000;
  const curvature =
    (residual(near, best.centre + wide) + residual(near, best.centre - wide) - 2 * best.chi) / wide ** 2;
  return { time: best.centre, error: Math.sqrt((2 * variance) / curvature) / 1000, used: near.length };
}

/** Sum of squares left by the best a + b·u² + c·u⁴ around this centre. */
function residual(points: readonly Point[], centre: number): number {
  const sums = [0, 0, 0, 0, 0];
  const right = [0, 0, 0];
  for (const p of points) {
    const u2 = ((p.time - centre) / 3_600_000) ** 2;
    let power = 1;
    for (let k = 0; k < 5; k++) {
      sums[k] = (sums[k] ?? 0) + power;
      if (k < 3) right[k] = (right[k] ?? 0) + power * p.counts;
      power *= u2;
    }
  }
  const [a, b, c] = solve3(sums, right);
  return points.reduce((total, p) => {
    const u2 = ((p.time - centre) / 3_600_000) ** 2;
    return total + (p.counts - a - b * u2 - c * u2 * u2) ** 2;
  }, 0);
}

/** The normal equations of an even quartic: their matrix has s[i + j] in row i, column j. */
function solve3(s: readonly number[], r: readonly number[]): [number, number, number] {
  const m = [0, 1, 2].map((i) => [...[0, 1, 2].map((j) => s[i + j] ?? 0), r[i] ?? 0]);
  for (let column = 0; column < 3; column++) {
    const pivot = m[column] ?? [];
    for (let row = 0; row < 3; row++) {
      const target = m[row];
      if (row === column || !target) continue;
      const factor = (target[column] ?? 0) / (pivot[column] ?? 1);
      for (let k = column; k < 4; k++) target[k] = (target[k] ?? 0) - factor * (pivot[k] ?? 0);
    }
  }
  const at = (i: number): number => (m[i]?.[3] ?? 0) / (m[i]?.[i] ?? 1);
  return [at(0), at(1), at(2)];
}

/** How many rows the old key lost: rows whose counter came back after a reset. */
export function rowsLost(samples: readonly Sample[]): number {
  return samples.length - new Set(samples.map((s) => s.seq)).size;
}
