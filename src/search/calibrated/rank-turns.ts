/**
 * Scores turns of dialogue, or what was made from them, by words, meaning and speaker at once. Each part has the same
 * scale for every question – the share of the question's weight that is covered, and the cosine as it is – so that
 * they can be added up without looking at other candidates: a score does not depend on what else was found. Pure.
 */
import type { QuestionTerm } from "./question-term.ts";
import { speakerPrior } from "./speaker-prior.ts";
import { covered, sharesOf } from "./term-strengths.ts";
import { vectorTrust } from "./vector-trust.ts";
import { partners, type Surrounded, type Turn, windowStrengths } from "./window-strengths.ts";

/** A memory that covers half of the question is worth as much as one whose cosine is 1. From .4 to .7 does as well. */
const MEANING = 0.5;
/** What the answer that follows means tells of the turn it answers. */
const REPLY = 0.3;

export interface Question {
  readonly text: string;
  readonly terms: readonly QuestionTerm[];
}

/** What a score is the sum of. */
export interface ScoreParts {
  /** What the memory has of the question's terms. */
  readonly words: number;
  /** What the turns around it add to that. */
  readonly context: number;
  readonly meaning: number;
  readonly reply: number;
  readonly speaker: number;
}

/** What all parts make together at most. */
const MOST = 2;

/** Between 0 and 1. */
export function scoreOf({ words, context, meaning, reply, speaker }: ScoreParts): number {
  return (words + context + meaning + reply + speaker) / MOST;
}

/** Scores one turn at a time, with what stands around it. */
export function turnScorer({ text, terms }: Question): (candidate: Surrounded) => ScoreParts {
  const priorOf = speakerPrior(text);
  const shares = sharesOf(terms);
  const meaning = MEANING * vectorTrust(text);
  return (candidate) => {
    const words = covered(candidate.own.strengths, shares);
    return {
      words,
      context: covered(windowStrengths(candidate), shares) - words,
      meaning: meaning * likeness(candidate.own),
      reply: meaning * REPLY * likeness(partners(candidate.own, candidate.after)[0]),
      speaker: priorOf(candidate.own.speaker),
    };
  };
}

/** Below 0 there is no meaning, only noise. */
function likeness(turn: Turn | undefined): number {
  return Math.max(0, turn?.cosine ?? 0);
}
