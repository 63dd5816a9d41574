/**
 * Tells letters that somebody would pronounce from letters that a generator drew. Pairs of letters that follow each
 * other in words make up little more than half of all pairs, so a long run of drawn letters soon holds others.
 */

/** For each letter the letters that may follow it, from 14,000 words of prose, code and specifications. */
const FOLLOWERS: Readonly<Record<string, string>> = {
  a: "abcdefghiklmnprstuvwxy",
  b: "abcdefijlorstuy",
  c: "abcdefhiklmoprstuxy",
  d: "abcdefgijlmnoprstuvwy",
  e: "abcdefghiklmnopqrstuvwxy",
  f: "abdefilorstuvy",
  g: "aeghilmnoprstu",
  h: "aehilmnorstuy",
  i: "abcdefgiklmnoprstuvxz",
  j: "aeou",
  k: "aehilnosu",
  l: "acdefgiklmopstuvy",
  m: "abceilmopsu",
  n: "abcdefghijklmnoprstuvwy",
  o: "abcdefghijklmnoprstuvwxy",
  p: "acdehilmoprstuy",
  q: "u",
  r: "abcdefghiklmnoprstuvwy",
  s: "acdefghiklmnopqrstuvwy",
  t: "acdefhilmnoprstuwyz",
  u: "abcdefgilmnoprstv",
  v: "aeior",
  w: "aehilnors",
  x: "acefiptx",
  y: "abcdeilmnopst",
  z: "aeioz",
};
/** Shorter runs of letters may be names and abbreviations of any kind. */
const TELLING = 9;
const LONGEST = 24;
const COMMON_SHARE = 0.8;
const MARKS = /[\u0300-\u036f]/g;
/** Most words are: these need no table of Unicode. */
const LOWER = /^[a-z]+$/;
const LATIN = /^\p{sc=Latin}+$/u;
const ONE_CASE = /^(?:\p{Lu}?\p{Ll}+|\p{Lu}+)$/u;

/** Letters only, as a word is written: `word`, `Word` or `WORD`. Other scripts have no such rules and may pass. */
export function isPlausibleWord(word: string): boolean {
  if (LOWER.test(word)) return word.length <= LONGEST && isPronounceable(word);
  const folded = word.normalize("NFD").replace(MARKS, "");
  if (!LATIN.test(folded)) return /^[\p{L}\p{M}]+$/u.test(word) && word.length <= LONGEST;
  if (!ONE_CASE.test(folded) || folded.length > LONGEST) return false;
  return isPronounceable(folded.toLowerCase());
}

function isPronounceable(word: string): boolean {
  if (word.length > 5 && !/[aeiouy]/.test(word)) return false;
  if (/(.)\1\1/.test(word)) return false;
  return word.length < TELLING || commonShare(word) >= COMMON_SHARE;
}

function commonShare(word: string): number {
  let common = 0;
  for (let i = 0; i + 1 < word.length; i++)
    if (FOLLOWERS[word.charAt(i)]?.includes(word.charAt(i + 1)) ?? true) common++;
  return common / (word.length - 1);
}
