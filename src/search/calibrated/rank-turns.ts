/**
 * Scores turns of dialogue, or items made from them: `scoreTurns` is the whole ranking, one line for each feature. Each
 * part has the same scale for every question, so the parts can be added. Only `session` and `breadth` depend on the
 * other candidates. Pure.
 */
import { askedPeriods, nearnessTo } from "./asked-periods.ts";
import { asksForList, hasName, speakerPrior } from "./question-kinds.ts";
import type { QuestionTerm } from "./question-term.ts";
import { covered, type Strengths, sharesOf } from "./term-strengths.ts";
import { vectorTrust } from "./vector-trust.ts";
import { type Surrounded, type Turn, windowStrengths } from "./window-strengths.ts";

/** The maximum of each part, next to the share of the question's words, whose maximum is 1. */
const WEIGHTS = {
  meaning: 0.5,
  reply: 0.15,
  key: 0.5,
  session: 0.2,
  time: 0.25,
  answer: 0.2,
  length: 0.1,
  question: -0.05,
  breadth: -0.05,
} as const;
/** Number of further hits of a session that are ranked lower, each more than the last. */
const MOST_BREADTH = 3;

interface Question {
  readonly text: string;
  readonly terms: readonly QuestionTerm[];
  /** Mean number of words of a text in the collection. */
  readonly meanWords: number;
  /** The time of the question. */
  readonly now: number;
}

export interface Candidate extends Surrounded {
  /** The conversation; null if unknown. */
  readonly session: string | null;
  /** Time of the turn, in milliseconds since 1970. */
  readonly time: number;
  /** Of a fact with a key: the stems of the key, such as `editor`. */
  readonly key: readonly string[];
}

/** The parts that add up to a score. */
export interface ScoreParts {
  /** The turn's share of the question's terms. */
  readonly words: number;
  /** The share that neighbouring turns add. */
  readonly context: number;
  /** Cosine of the turn and the question. */
  readonly meaning: number;
  /** Cosine of the turn's reply and the question. */
  readonly reply: number;
  /** If the question contains the whole key of a fact: the share of the question's terms that the key has. */
  readonly key: number;
  /** Dialogue between people: the session's share of the question's terms. */
  readonly session: number;
  /** Whether the turn falls into a period that the question names. */
  readonly time: number;
  /** The prior of the speaker. */
  readonly speaker: number;
  /** Dialogue between people: the turn answers a question that is similar to the one asked. */
  readonly answer: number;
  /** Dialogue between people: the length of the turn. */
  readonly length: number;
  /** Dialogue between people: the turn is itself a question. */
  readonly question: number;
  /** For a question that asks for a list: other turns of the session score higher. */
  readonly breadth: number;
}

/** Above the highest sum of all parts that 760 questions produced: 1.56. */
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
      key: WEIGHTS.key * keyShare(candidate.key, terms, shares),
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

function keyShare(key: readonly string[], terms: readonly QuestionTerm[], shares: readonly number[]): number {
  const isAsked = key.length > 0 && key.every((stem) => terms.some((term) => term.stem === stem));
  if (!isAsked) return 0;
  return covered(
    terms.map(({ stem }) => Number(key.includes(stem))),
    shares,
  );
}

/** The terms that the turns of a session cover together, each at its greatest strength. */
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

/** The question that another speaker asked directly before this speaker's messages. */
function questionBefore({ own, before }: Surrounded): Turn | undefined {
  const other = before.find(({ speaker }) => speaker !== own.speaker);
  return other?.asks === true ? other : undefined;
}

/** A list draws on many sessions, so the sessions with the best matches must not take all places. */
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
