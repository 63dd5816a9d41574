/**
 * The terms that a turn of a dialogue has together with the turns around it, so that `Where did you go?` – `To the
 * lake.` is found by both. Each term counts where it is strongest, less with every turn between. People write several
 * messages in a row, so context also passes within such a burst, but only if somebody else speaks nearby: notes that
 * one person writes one after the other stay apart.
 */
import type { Strengths } from "./term-strengths.ts";

export interface Turn {
  readonly speaker: string | null;
  readonly strengths: Strengths;
  /** Of the question and the turn's nearest passage; null without vectors. */
  readonly cosine: number | null;
  /** Words. */
  readonly length: number;
  /** Whether it is a question. */
  readonly asks: boolean;
}

/** A turn with those of the same session around it, the nearest first. */
export interface Surrounded {
  readonly own: Turn;
  readonly before: readonly Turn[];
  readonly after: readonly Turn[];
}

/** Turns on each side that are looked at. */
export const WINDOW = 4;
/** What a term counts for that stands in the same burst; less by `STEP` for each change of speaker. */
const NEAREST = 0.8;
const STEP = 0.2;
/** What a further message of the same speaker is as a distance. */
const SAME_SPEAKER = 0.5;
/** What is said on both sides counts more than what is said once. */
const AGREEMENT = 0.4;

export function windowStrengths({ own, before, after }: Surrounded): Strengths {
  if (![...before, ...after].some(({ speaker }) => speaker !== own.speaker)) return own.strengths;
  const around = new Array<number>(own.strengths.length).fill(0);
  raise(around, own, before);
  raise(around, own, after);
  return own.strengths.map((strength, term) => {
    const other = around[term] ?? 0;
    return Math.max(strength, other) + AGREEMENT * Math.min(strength, other);
  });
}

/** In place: this runs for every candidate of every question. */
function raise(strengths: number[], own: Turn, side: readonly Turn[]): void {
  let [last, changes, run] = [own.speaker, 0, 0];
  for (const turn of side) {
    if (turn.speaker === last) run++;
    else [last, changes, run] = [turn.speaker, changes + 1, 0];
    const nearness = NEAREST - STEP * (changes + SAME_SPEAKER * run);
    if (nearness <= 0) break;
    for (let term = 0; term < strengths.length; term++)
      strengths[term] = Math.max(strengths[term] ?? 0, nearness * (turn.strengths[term] ?? 0));
  }
}
