import type { Statement } from "./statement.ts";

/** Each wording once: its first speaker said it, whoever repeats it. */
export function distinctStatements(statements: readonly Statement[]): Statement[] {
  const seen = new Set<string>();
  return statements.filter((statement) => {
    const wording = wordingOf(statement);
    if (wording === "" || seen.has(wording)) return false;
    seen.add(wording);
    return true;
  });
}

/** Every run of these but a lone space, which may stay as it is. */
const BETWEEN_WORDS = /(?! )[\s`*"'.,:;!?。、！？]+| [\s`*"'.,:;!?。、！？]+/g;

/** Case, spaces and punctuation aside. A tool that prints the same line with other figures says the same again. */
function wordingOf({ text, speaker }: Statement): string {
  const bare = text.toLowerCase().replace(BETWEEN_WORDS, " ").trim();
  return speaker === "tool" ? bare.replace(/\d+/g, "#") : bare;
}
