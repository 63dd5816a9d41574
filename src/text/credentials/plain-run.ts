/** Whether letters and digits read like words and numbers, or like a random string. */
import { arePlausibleTogether, isPlausibleWord } from "./plausible-word.ts";

const VERSION = /^v\d{1,2}(?:alpha|beta|rc)\d{1,2}$/;

/** Letters and digits without a separator: words in one case each, few numbers, and never a mixture of both. */
export function isPlainRun(run: string): boolean {
  if (run.length > 40 || /^(?=.*\d)[0-9a-f]{8,}$/i.test(run) || /^[0-9a-f]{16,}$/i.test(run)) return false;
  const pieces = run.match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}[\p{Ll}\p{M}]*|\p{Lo}+|\d+|[^\p{L}\d]/gu) ?? [];
  if (pieces.join("").length !== run.length) return false;
  const numbers = pieces.filter((piece) => /^\d/.test(piece));
  const words = pieces.filter((piece) => /^\p{L}/u.test(piece));
  if (numbers.length + words.length !== pieces.length || isMixture(run, words, numbers)) return false;
  return words.every(isPlausibleWord) && arePlausibleTogether(words);
}

/** Digits among letters and capitals among lower-case letters, other than in `sha256`, `v1beta1`, `OAuth2Client` and `parseXMLFile`. */
function isMixture(run: string, words: readonly string[], numbers: readonly string[]): boolean {
  if (numbers.some(({ length }) => length > 6) || words.length > 8) return true;
  if (run.length < 4 || VERSION.test(run)) return false;
  if (numbers.length > 1) return true;
  if (run.length < 8 && words.length > 2) return true;
  const short = words.filter(({ length }) => length < 3).length;
  const isMixed = words.length > 1 && numbers.length > 0;
  return isMixed ? short > (run.length < 8 ? 0 : 1) : run.length >= 8 && words.length > run.length / 3;
}

/** Groups of the same length, as the numbers of cards, licence keys and application passwords are written. */
export function isManyGroups(text: string): boolean {
  return text.split(/[^\p{L}\p{N}\s-]+/u).some((part) => {
    const groups = part.trim().split(/[\s-]+/);
    const length = groups[0]?.length ?? 0;
    return (
      groups.length >= 4 && length >= 3 && length <= 8 && groups.every((group) => group.length === length)
    );
  });
}
