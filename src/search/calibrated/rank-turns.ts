/**
 * Scores turns of dialogue, or what was made from them: `scoreTurns` is the whole ranking, one line for each feature. Each
 * part has the same scale for every question, so that they can be added up. Only `session` and `breadth` look at the
 * other candidates. Pure.
 */
import { askedPeriods, nearnessTo } from "./asked-periods.ts";
import { asksForList, hasName, speakerPrior } from "./question-kinds.ts";
import type { QuestionTerm } from "./question-term.ts";
import { covered, type Strengths, sharesOf } from "./term-strengths.ts";
import { vectorTrust } from "./vector-trust.ts";
import { type Surrounded, type Turn, windowStrengths } from "./window-strengths.ts";

/** What each part counts for at most, beside the share of the question's words, which is 1. */
const WEIGHTS = {
  meaning: 0.5,
  reply: 0.15,
  session: 0.2,
  time: 0.25,
  answer: 0.2,
  length: 0.1,
  question: -0.05,
  breadth: -0.05,
} as const;
/** Further hits of a session that are put back more and more. */
const MOST_BREADTH = 3;

export interface Question {
  readonly text: string;
  readonly terms: readonly QuestionTerm[];
  /** Words of an average text of the collection. */
  readonly meanWords: number;
  /** When it is asked. */
  readonly now: number;
}

export interface Candidate extends Surrounded {
  /** The conversation; null if it is unknown. */
  readonly session: string | null;
  /** When it was said, in milliseconds since 1970. */
  readonly time: number;
}

/** What a score is the sum of. */
export interface ScoreParts {
  /** What the turn has of the question's terms. */
  readonly words: number;
  /** What the turns around it add to that. */
  readonly context: number;
  /** How near its meaning is. */
  readonly meaning: number;
  /** How near the meaning of the answer to it is. */
  readonly reply: number;
  /** Between people: what its whole session has of the question's terms. */
  readonly session: number;
  /** Whether it was said when the question names. */
  readonly time: number;
  /** Who speaks. */
  readonly speaker: number;
  /** Between people: it answers a question that is like the one asked. */
  readonly answer: number;
  /** Between people: it says much. */
  readonly length: number;
  /** Between people: it asks rather than tells. */
  readonly question: number;
  /** Of a question for a list: other turns of its session score more. */
  readonly breadth: number;
}

/** More than all parts made together for any of 760 questions: 1.56. */
const MOST = 2;

/** Between 0 and 1. */
export function scoreOf(parts: ScoreParts): number {
  const sum = Object.values(parts).reduce((total: number, part: number) => total + part, 0);
  return Math.min(1, Math.max(0, sum / MOST));
}

/** In the order of the candidates. */
export function scoreTurns(
  { text, terms, meanWords, now }: Question,
  candidates: readonly Candidate[],
): readonly ScoreParts[] {
  const shares = sharesOf(terms);
  const trust = vectorTrust(text);
  const meaningOf = (turn: Turn | undefined) => trust * Math.max(0, turn?.cosine ?? 0);
  const wordsOf = ({ strengths }: Turn) => covered(strengths, shares);
  const sessionOf = sessionShares(candidates, shares);
  const speakerOf = speakerPrior(text);
  const newest = candidates.reduce((latest, { time }) => Math.max(latest, time), 0);
  const periods = askedPeriods(text, now, newest);
  const arePeople = candidates.some(({ own }) => hasName(own.speaker));
  const parts = candidates.map((candidate): ScoreParts => {
    const { own, after, session, time } = candidate;
    const next = after[0]?.speaker === own.speaker ? undefined : after[0];
    const asked = arePeople ? questionBefore(candidate) : undefined;
    return {
      words: wordsOf(own),
      context: covered(windowStrengths(candidate), shares) - wordsOf(own),
      meaning: WEIGHTS.meaning * meaningOf(own),
      reply: WEIGHTS.reply * meaningOf(next),
      session: arePeople ? WEIGHTS.session * sessionOf(session) : 0,
      time: WEIGHTS.time * nearnessTo(periods, time),
      speaker: speakerOf(own.speaker),
      answer: asked === undefined ? 0 : (WEIGHTS.answer * (wordsOf(asked) + meaningOf(asked))) / 2,
      length: arePeople ? (WEIGHTS.length * own.length) / (own.length + meanWords) : 0,
      question: arePeople && own.asks ? WEIGHTS.question : 0,
      breadth: 0,
    };
  });
  return asksForList(text) ? spread(parts, candidates) : parts;
}

/** What the turns of a session have together, each term where it is strongest. */
function sessionShares(
  candidates: readonly Candidate[],
  shares: readonly number[],
): (session: string | null) => number {
  const together = new Map<string | null, Strengths>();
  for (const { session, own } of candidates) {
    const known = together.get(session);
    const raised = known?.map((strength, term) => Math.max(strength, own.strengths[term] ?? 0));
    together.set(session, raised ?? own.strengths);
  }
  const covers = new Map([...together].map(([session, strengths]) => [session, covered(strengths, shares)]));
  return (session) => (session === null ? 0 : (covers.get(session) ?? 0));
}

/** What another one asked right before this speaker's messages. */
function questionBefore({ own, before }: Surrounded): Turn | undefined {
  const other = before.find(({ speaker }) => speaker !== own.speaker);
  return other?.asks === true ? other : undefined;
}

/** A list is put together from many sessions, so those with the best matches must not take all places. */
function spread(parts: readonly ScoreParts[], candidates: readonly Candidate[]): readonly ScoreParts[] {
  const better = new Map<string, number>();
  const penalties = new Map<number, number>();
  const scores = parts.map(scoreOf);
  const inOrder = [...scores.keys()].sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b);
  for (const place of inOrder) {
    const session = candidates[place]?.session ?? null;
    if (session === null) continue;
    const count = better.get(session) ?? 0;
    better.set(session, count + 1);
    penalties.set(place, WEIGHTS.breadth * Math.min(MOST_BREADTH, count));
  }
  return parts.map((part, place) => ({ ...part, breadth: penalties.get(place) ?? 0 }));
}
