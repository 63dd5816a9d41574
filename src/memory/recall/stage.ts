/**
 * A stage of recall takes and returns scored memories with a trace: how many came
 * in and out, which it dropped, which scores it changed and why. Scores are between 0 and 1.
 */
import { type Memory, saidAt } from "../../memory-types.ts";
import { clamp01 } from "../clamp.ts";
import type { Vector } from "../cosine.ts";

export interface Scored {
  readonly memory: Memory;
  readonly score: number;
  /** The vector score of the fusion; null when it was found by words only. */
  readonly vectorScore: number | null;
  /** The word score; null when it was found by its vector only. */
  readonly wordScore: number | null;
  /** For comparing memories with each other; null if there is none. */
  readonly vector: Vector | null;
}

interface ScoreChange {
  readonly id: string;
  readonly from: number;
  readonly to: number;
  readonly reason?: string;
}

export interface StageTrace {
  readonly stage: string;
  readonly in: number;
  readonly out: number;
  readonly dropped: readonly string[];
  readonly changes: readonly ScoreChange[];
  /** Why it did nothing, or an additional note. */
  readonly note?: string;
}

export interface StageResult {
  readonly items: readonly Scored[];
  readonly trace: StageTrace;
}

interface Rescored {
  readonly score: number;
  readonly reason?: string;
}

/** Gives every item a new score and sorts them. */
export function rescore(
  stage: string,
  items: readonly Scored[],
  scoreOf: (item: Scored) => Rescored,
): StageResult {
  const changes: ScoreChange[] = [];
  const rescored = items.map((item) => {
    const { score, reason } = scoreOf(item);
    const to = clamp01(score);
    if (to === item.score) return item;
    changes.push({ id: item.memory.id, from: item.score, to, ...(reason === undefined ? {} : { reason }) });
    return { ...item, score: to };
  });
  const trace = { stage, in: items.length, out: items.length, dropped: [], changes };
  return { items: inOrder(rescored), trace };
}

/** Drops items that do not pass and keeps the order. */
export function keep(
  stage: string,
  items: readonly Scored[],
  passes: (item: Scored, index: number) => boolean,
): StageResult {
  const kept: Scored[] = [];
  const dropped: string[] = [];
  for (const [index, item] of items.entries()) {
    if (passes(item, index)) kept.push(item);
    else dropped.push(item.memory.id);
  }
  return { items: kept, trace: { stage, in: items.length, out: kept.length, dropped, changes: [] } };
}

/** Changes nothing and records why. */
export function pass(stage: string, items: readonly Scored[], note: string): StageResult {
  return { items, trace: { stage, in: items.length, out: items.length, dropped: [], changes: [], note } };
}

/** Best first; newest first among equal ones, since the latest statement is more likely valid. */
export function inOrder(items: readonly Scored[]): readonly Scored[] {
  return items.toSorted((a, b) => b.score - a.score || byAge(a.memory, b.memory));
}

/** The newest first, then by id, so that the same input always gives the same order. */
function byAge(a: Memory, b: Memory): number {
  const [said, other] = [saidAt(a), saidAt(b)];
  if (said !== other) return said > other ? -1 : 1;
  return a.id < b.id ? -1 : 1;
}
