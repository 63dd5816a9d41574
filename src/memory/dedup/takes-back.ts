/**
 * Whether a statement retracts another one: "We use pnpm, not npm" retracts "We use npm for installs". It
 * must name what is no longer true, and the other statement must say that of the same thing: the first of its other words is
 * repeated, and half of them in all. "No, pnpm" names nothing and retracts nothing.
 */
import { tellingWords } from "../../text/language/function-words.ts";
import { stemOf } from "../../text/language/stem.ts";
import { wordsOf } from "../../text/language/words.ts";

/** The denied part; the rest of the statement is the new value. */
const DENIED: readonly RegExp[] = [
  /(?:,\s*|\s+(?:and |but )?)(?:not|never) (?:the |an? )?(?<denied>[^,.;:]{1,40}?)(?=[,.;:!]|$)/iu,
  /\s(?:instead of|rather than) (?:the |an? )?(?<denied>[^,.;:]{1,40}?)(?=[,.;:!]|$)/iu,
  /(?:^|\s)not (?:the |an? )?(?<denied>[^,.;:]{1,40}?),? but\s/iu,
];
/** A longer match is a separate sentence. */
const MOST_DENIED = 3;
const SAME_THING = 0.5;

export function deniesSomething(statement: string): boolean {
  return DENIED.some((rule) => rule.test(statement));
}

export function takesBack(statement: string, other: string): boolean {
  return DENIED.some((rule) => {
    const match = rule.exec(statement);
    const denied = termsOf(match?.groups?.denied ?? "");
    if (match === null || denied.length === 0 || denied.length > MOST_DENIED) return false;
    const said = termsOf(other);
    if (!denied.every((term) => said.includes(term)) || denies(other, denied)) return false;
    const holds = termsOf(
      `${statement.slice(0, match.index)} ${statement.slice(match.index + match[0].length)}`,
    );
    const about = said.filter((term) => !denied.includes(term));
    const shared = about.filter((term) => holds.includes(term));
    return shared[0] !== undefined && shared[0] === about[0] && shared.length >= SAME_THING * about.length;
  });
}

/** A statement that says the same is not a contradiction. */
function denies(statement: string, terms: readonly string[]): boolean {
  return DENIED.some((rule) => {
    const denied = termsOf(rule.exec(statement)?.groups?.denied ?? "");
    return terms.every((term) => denied.includes(term));
  });
}

function termsOf(text: string): readonly string[] {
  return tellingWords(wordsOf(text).map((word) => word.text)).map(stemOf);
}
