/** Derives from the form of a question who gave the answer and whether the answer is a list. */
import { stemOf } from "../../text/language/stem.ts";
import { termsOf } from "../terms.ts";
import type { QuestionTerm } from "./question-term.ts";

const ROLES: ReadonlySet<string> = new Set(["", "user", "assistant", "system", "tool"]);

/** Named speakers are people in a dialogue. */
export function hasName(speaker: string | null): speaker is string {
  return speaker !== null && !ROLES.has(speaker);
}

export function isQuestion(text: string): boolean {
  return /[?？]["'”’)\s]*$/.test(text);
}

/**
 * Removes the names of speakers: the speaker of a turn decides, not the person it addresses. Keeps all terms if the
 * question consists of names only.
 */
export function termsWithoutNames(
  terms: readonly QuestionTerm[],
  speakers: readonly (string | null)[],
): readonly QuestionTerm[] {
  const names = new Set([...new Set(speakers)].filter(hasName).flatMap((name) => termsOf(name).map(stemOf)));
  const others = terms.filter(({ stem }) => !names.has(stem));
  return others.length > 0 ? others : terms;
}

/** The present perfect asks about all events so far: `which countries has she visited`, `how many times`. */
const ASKS_FOR_LIST = /\b(?:what|which|where|whom?)\b[^?.]*\b(?:has|have)\b|\bhow many\b/i;

export function asksForList(question: string): boolean {
  return ASKS_FOR_LIST.test(question);
}

/** Small enough that a better match of another speaker still wins: the name in a question may be a mistake. */
const NAMED = 0.05;
/** A user asks about facts from user messages rather than about advice. */
const USER = 0.2;
/** Matches `did you suggest`, `you told me`, `your advice`; not the polite forms `can you` and `would you`. */
const ASKS_FOR_ANSWER =
  /\b(did|had|have) you\b|\byou('ve|'d)? (\w+ly )?((?!need)\w+ed|said|told|gave|wrote|made|found)\b|\byour (\w+ )?(suggest|recommend|advice|answer|repl|respon|explan|list)/i;
/** Asks about both speakers. */
const ASKS_FOR_SUMMARY = /\bsummar|\boverview\b|\brecap\b/i;

/** The prior that the answer comes from this speaker, judged by the speaker alone. */
export function speakerPrior(question: string): (speaker: string | null) => number {
  const words = new Set(termsOf(question));
  const ofUser = ASKS_FOR_ANSWER.test(question) || ASKS_FOR_SUMMARY.test(question) ? 0 : USER;
  const priorOf = (speaker: string | null) => {
    if (!hasName(speaker)) return speaker === "user" ? ofUser : 0;
    return termsOf(speaker).some((name) => name.length > 1 && words.has(name)) ? NAMED : 0;
  };
  const priors = new Map<string | null, number>();
  return (speaker) => {
    const prior = priors.get(speaker) ?? priorOf(speaker);
    priors.set(speaker, prior);
    return prior;
  };
}
