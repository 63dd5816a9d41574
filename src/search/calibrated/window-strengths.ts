/**
 * The terms that a turn of a dialogue has together with the turns around it, so that `Where did you go?` – `To the
 * lake.` is found by both. Each term counts where it is strongest, less with every turn between. Context passes only
 * from one speaker to another: notes that one person writes one after the other stay apart.
 */
import type { Strengths } from "./term-strengths.ts";

export interface Turn {
  readonly speaker: string | null;
  readonly strengths: Strengths;
  /** Of the question and the turn's nearest passage; null without vectors. */
  readonly cosine: number | null;
}

/** A turn with those of the same session around it, the nearest first. */
export interface Surrounded {
  readonly own: Turn;
  readonly before: readonly Turn[];
  readonly after: readonly Turn[];
}

/** What a term counts for that stands one, two or three turns away. */
const NEARNESS = [0.6, 0.4, 0.2];
/** What is said on both sides counts more than what is said once. */
const AGREEMENT = 0.4;

export function windowStrengths({ own, before, after }: Surrounded): Strengths {
  const around = new Array<number>(own.strengths.length).fill(0);
  raise(around, partners(own, before));
  raise(around, partners(own, after));
  return own.strengths.map((strength, term) => {
    const other = around[term] ?? 0;
    return Math.max(strength, other) + AGREEMENT * Math.min(strength, other);
  });
}

/** The turns that follow each other with a change of speaker every time. */
export function partners(own: Turn, turns: readonly Turn[]): readonly Turn[] {
  let last = own;
  let length = 0;
  for (const turn of turns) {
    if (length === NEARNESS.length || turn.speaker === last.speaker) break;
    last = turn;
    length++;
  }
  return turns.slice(0, length);
}

/** In place: this runs for every candidate of every question. */
function raise(strengths: number[], side: readonly Turn[]): void {
  for (const [distance, turn] of side.entries()) {
    const nearness = NEARNESS[distance] ?? 0;
    for (let term = 0; term < strengths.length; term++)
      strengths[term] = Math.max(strengths[term] ?? 0, nearness * (turn.strengths[term] ?? 0));
  }
}
