/**
 * A stage of recall takes scored memories and gives scored memories, and leaves a trace of what it did: how many came
 * and went, which it dropped, whose score it changed and why. Scores lie between 0 and 1.
 */
import type { Memory } from "../../memory-types.ts";
import { clamp01 } from "../clamp.ts";
import type { Vector } from "../cosine.ts";

export interface Scored {
  readonly memory: Memory;
  readonly score: number;
  /** How near its vector is, in the unit of the fusion; null when it was found by words only. */
  readonly vectorScore: number | null;
  /** How well its words fit; null when it was found by its vector only. */
  readonly wordScore: number | null;
  /** For what compares memories with one another; null where there is none. */
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
  /** Why it did nothing, or what it did beside. */
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

/** Gives every item a new score and puts them in order. */
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

/** Leaves out what does not pass. Order stays. */
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

/** Does nothing, and says why. */
export function pass(stage: string, items: readonly Scored[], note: string): StageResult {
  return { items, trace: { stage, in: items.length, out: items.length, dropped: [], changes: [], note } };
}

/** The best first; of equal ones the newest, since what was said last is likelier to hold. */
export function inOrder(items: readonly Scored[]): readonly Scored[] {
  return items.toSorted((a, b) => b.score - a.score || byAge(a.memory, b.memory));
}

/** The newest first, then by id, so that the same input always gives the same order. */
export function byAge(a: Memory, b: Memory): number {
  if (a.createdAt !== b.createdAt) return a.createdAt > b.createdAt ? -1 : 1;
  return a.id < b.id ? -1 : 1;
}
