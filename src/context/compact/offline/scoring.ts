/**
 * The numbers by which the offline summariser chooses, in one place. They lie on a plateau that was found with
 * `bench/summary-quality.ts` and with public question sets whose evidence should survive: a fifth more or less of any
 * one of them changes little. All are ratios, and none depends on a language.
 */
import type { CueName } from "../../../text/language/cues.ts";
import type { Speaker } from "./statement.ts";

/** Worth of a sentence by its place in a conversation; what its words add comes on top. */
export const STANDING = {
  /** The first sentence of what a person says is what they want. */
  userOpening: 1.8,
  user: 1.5,
  answerOpening: 0.7,
  answer: 0.4,
  /** Said by the agent right after something failed: what it makes of it. */
  afterFailure: 0.9,
  /** Said by the agent between two calls. */
  aside: 0.2,
  /** What it sets off as code. */
  block: 0.3,
  thinking: 0.05,
  failure: 2,
  outcome: 0.2,
  /** What a change to a file brought in. */
  change: 2,
  /** A sentence in what a tool printed. */
  line: 0.05,
  system: 0.02,
};

/** Worth of a line of a summary by its speaker: it has been chosen once already. */
export const LINE_STANDING: Readonly<Record<Speaker, number>> = {
  user: 1.5,
  "": 0.8,
  assistant: 0.7,
  tool: 1.6,
  system: 0.15,
  thinking: 0.05,
};

/** What a mark adds when a person makes it. */
export const CUE_VALUE: Readonly<Record<CueName, number>> = {
  constraint: 5,
  decision: 2.5,
  correction: 1.5,
  notable: 1.5,
  open: 0.8,
  error: 0.8,
  finding: 0.8,
};

/** How much marks, anchors and terms count by who wrote them: a rule set by a person binds, one in a log does not. */
export const VOICE: Readonly<Record<Speaker, number>> = {
  user: 1.2,
  "": 0.9,
  assistant: 0.6,
  tool: 0.45,
  system: 0.1,
  thinking: 0.15,
};

export const SCORING = {
  /** Value of anchors that were not said yet, by the power of their summed weight. */
  anchorValue: 1,
  anchorPower: 0.65,
  /** Value of terms that stand for the whole source. */
  termValue: 1.7,
  /** Below 1 long statements are not punished for all of their length. */
  costPower: 0.5,
  /** Each further statement of one moment is worth less, so that no message fills the summary. */
  momentDecay: 0.98,
  /** How fast a speaker who fills the summary gives way to the others. */
  balance: 0.6,
  /** Share of its own value that a statement loses when all of its terms were said already. */
  repetition: 0.5,
  /** Fewer terms and anchors than this make a statement an exclamation. */
  fullTerms: 5,
  /** What is left of a statement that only announces something. */
  announcement: 0.3,
  /** What is left of a line that a tool printed: it can be printed again. */
  printed: 0.2,
  /**
   * Share of its value that the oldest statement of messages and of summaries loses to age, and how much marks count:
   * the longer a summary will stand, the more it is made of rules and decisions, and of how things are at its end.
   */
  leaf: { fading: 0.15, marks: 1, newest: 0 },
  condensed: { fading: 0.8, marks: 1.6, newest: 1 },
  /** The part of the source that counts as newest, and whose last statement gains `newest` times its value. */
  newestShare: 0.15,
  /** Of that loss, what rules, decisions, corrections and what somebody asked to keep lose. */
  lastingFading: 0.6,
  /** Tokens of a line's time and speaker. */
  lineCost: 4,
};
