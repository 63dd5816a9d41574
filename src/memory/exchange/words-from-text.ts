/** A text of any length as words of a memory: a line to find it by, and all of it below where that is not all. */
import type { MemoryText } from "../../memory-types.ts";
import { splitSentences } from "../../text/language/split-sentences.ts";

const LONGEST_ABSTRACT = 300;

export function wordsFromText(text: string): MemoryText {
  const whole = text.trim();
  if (whole.length <= LONGEST_ABSTRACT && !whole.includes("\n"))
    return { abstract: whole, overview: "", content: "" };
  return { abstract: abstractOf(whole), overview: "", content: whole };
}

/** Its first sentence, cut at a word where it is too long for one. */
function abstractOf(text: string): string {
  const first = splitSentences(text.slice(0, 4 * LONGEST_ABSTRACT))[0] ?? text.trim();
  if (first.length <= LONGEST_ABSTRACT) return first;
  const cut = first.slice(0, LONGEST_ABSTRACT).replace(/[\ud800-\udbff]$/, "");
  const space = cut.lastIndexOf(" ");
  return `${cut.slice(0, space > LONGEST_ABSTRACT / 2 ? space : undefined).trimEnd()}…`;
}
