/** Turns a text of any length into the words of a memory: an abstract, and the full text if it is longer. */
import type { MemoryText } from "../../memory-types.ts";
import { splitSentences } from "../../text/language/split-sentences.ts";

const LONGEST_ABSTRACT = 300;

export function wordsFromText(text: string): MemoryText {
  const whole = text.trim();
  if (whole.length <= LONGEST_ABSTRACT && !whole.includes("\n"))
    return { abstract: whole, overview: "", content: "" };
  return { abstract: abstractOf(whole), overview: "", content: whole };
}

/** Its first sentence, cut at a word boundary if it is too long. */
function abstractOf(text: string): string {
  const first = splitSentences(text.slice(0, 4 * LONGEST_ABSTRACT))[0] ?? text.trim();
  if (first.length <= LONGEST_ABSTRACT) return first;
  const cut = first.slice(0, LONGEST_ABSTRACT).replace(/[\ud800-\udbff]$/, "");
  const space = cut.lastIndexOf(" ");
  return `${cut.slice(0, space > LONGEST_ABSTRACT / 2 ? space : undefined).trimEnd()}…`;
}
