/**
 * How likely a question is about what this speaker said, by who speaks alone. A question that names a speaker is mostly
 * about that one's own turns. Otherwise a user asks for what the user said, facts rather than advice, unless the
 * question is for what the assistant answered.
 */
import { termsOf } from "../terms.ts";

/** Small enough that a better match of another speaker still wins: names in questions may be mistaken. */
const NAMED = 0.05;
const USER = 0.2;
/** `did you suggest`, `you told me`, `your advice`; not `can you` or `would you`, which only ask politely. */
const ASKS_FOR_ANSWER =
  /\b(did|had|have) you\b|\byou('ve|'d)? (\w+ly )?((?!need)\w+ed|said|told|gave|wrote|made|found)\b|\byour (\w+ )?(suggest|recommend|advice|answer|repl|respon|explan|list)/i;

type SpeakerPrior = (speaker: string | null) => number;

export function speakerPrior(question: string): SpeakerPrior {
  const words = new Set(termsOf(question));
  const ofUser = ASKS_FOR_ANSWER.test(question) ? 0 : USER;
  const priors = new Map<string | null, number>([
    [null, 0],
    ["user", ofUser],
    ["assistant", 0],
  ]);
  return (speaker) => {
    const prior = priors.get(speaker) ?? (isNamed(speaker, words) ? NAMED : 0);
    priors.set(speaker, prior);
    return prior;
  };
}

function isNamed(speaker: string | null, words: ReadonlySet<string>): boolean {
  return termsOf(speaker ?? "").some((name) => name.length > 1 && words.has(name));
}
