/**
 * The terms that a turn of a dialogue has together with the turns around it, so that `Where did you go?` – `To the
 * lake.` is found by both. Each term counts at its greatest strength, less with every turn in between. People write
 * several messages in a row, so context also passes within such a burst, but only if another person speaks nearby:
 * consecutive notes of one person stay separate.
 */
import type { Strengths } from "./term-strengths.ts";

export interface Turn {
  readonly speaker: string | null;
  readonly strengths: Strengths;
  /** Cosine of the question and the turn's nearest passage; null without embeddings. */
  readonly cosine: number | null;
  /** Number of words. */
  readonly length: number;
  /** Whether the turn is a question. */
  readonly asks: boolean;
}

/** A turn with its neighbours from the same session, nearest first. */
export interface Surrounded {
  readonly own: Turn;
  readonly before: readonly Turn[];
  readonly after: readonly Turn[];
}

/** Number of neighbouring turns on each side. */
export const WINDOW = 4;
/** The weight of a term in the same burst; reduced by `STEP` for each change of speaker. */
const NEAREST = 0.8;
const STEP = 0.2;
/** The distance that a further message of the same speaker adds. */
const SAME_SPEAKER = 0.5;
/** Bonus for a term that both sides have. */
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

/** Works in place, because it runs for every candidate of every question. */
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
