/**
 * The constants of the offline summariser, in one place. They were tuned with
 * `bench/summary-quality.ts` and with public question sets whose evidence should survive. A change of any one of them by
 * 20 % has little effect. All are ratios, and none depends on a language.
 */
import type { CueName } from "../../../text/language/cues.ts";
import type { Speaker } from "./statement.ts";

/** Worth of a sentence by its place in a conversation; its text adds to it. */
export const STANDING = {
  /** The first sentence of a user message is usually the request. */
  userOpening: 1.8,
  user: 1.5,
  answerOpening: 0.7,
  answer: 0.4,
  /** Agent text directly after a failure: its conclusion. */
  afterFailure: 0.9,
  /** Agent text between two calls. */
  aside: 0.2,
  /** A code block in agent text. */
  block: 0.3,
  thinking: 0.05,
  failure: 2,
  outcome: 0.2,
  /** A summarised change to a file. */
  change: 2,
  /** A sentence in tool output. */
  line: 0.05,
  system: 0.02,
};

/** Worth of a line of a summary by its speaker: it has already been selected once. */
export const LINE_STANDING: Readonly<Record<Speaker, number>> = {
  user: 1.5,
  "": 0.8,
  assistant: 0.7,
  tool: 1.6,
  system: 0.15,
  thinking: 0.05,
};

/** Value of a mark in a user message. */
export const CUE_VALUE: Readonly<Record<CueName, number>> = {
  constraint: 5,
  decision: 2.5,
  correction: 1.5,
  notable: 1.5,
  open: 0.8,
  error: 0.8,
  finding: 0.8,
};

/** Weight of marks, anchors and terms by speaker: a person's rule is binding, a rule in a log is not. */
export const VOICE: Readonly<Record<Speaker, number>> = {
  user: 1.2,
  "": 0.9,
  assistant: 0.6,
  tool: 0.45,
  system: 0.1,
  thinking: 0.15,
};

export const SCORING = {
  /** Value of anchors not yet mentioned, as a power of their summed weight. */
  anchorValue: 1,
  anchorPower: 0.65,
  /** Value of terms that are representative of the whole source. */
  termValue: 1.7,
  /** Below 1, long statements are not penalised for their full length. */
  costPower: 0.5,
  /** Each further statement of one moment is worth less, so that no message fills the summary. */
  momentDecay: 0.98,
  /** How fast a dominant speaker loses value against the others. */
  balance: 0.6,
  /** Share of its own value that a statement loses if all of its terms were already mentioned. */
  repetition: 0.5,
  /** A statement with fewer terms and anchors is an exclamation. */
  fullTerms: 5,
  /** Remaining value of a line that only leads to a list, and of what the agent announces. */
  lead: 0.3,
  /** Remaining value of a line that a tool printed: it can be printed again. */
  printed: 0.2,
  /**
   * Share of its value that the oldest statement of messages and of summaries loses to age, and the weight of marks:
   * the longer a summary stays in the context, the more it consists of rules, decisions and the final state.
   */
  leaf: { fading: 0.15, marks: 1, newest: 0 },
  condensed: { fading: 0.8, marks: 1.6, newest: 1 },
  /** The part of the source that counts as newest, and whose last statement gains `newest` times its value. */
  newestShare: 0.15,
  /** Share of that loss that applies to rules, decisions, corrections and content that somebody asked to keep. */
  lastingFading: 0.6,
  /** Tokens of a line's time and speaker. */
  lineCost: 4,
};
