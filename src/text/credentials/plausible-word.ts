/**
 * Distinguishes pronounceable letters from random ones by how common each letter is after the one
 * before. Of random runs of nine letters 1 in 100 passes, of sixteen 1 in several thousand; of words in prose,
 * code and place names about 1 in 15 fails, which only costs an example.
 */

/** For each first letter, from a to z, how common each second one is: 0 never, 5 as by chance, 9 nearly always. */
const USUAL: readonly string[] = [
  ...[
    "25552254535768351766443043",
    "93228104710601710631701030",
    "80417008605510810536600021",
    "82148234831422720553622032",
  ],
  ...[
    "53564343513658342876343442",
    "72227720801611700645731030",
    "83237146632525721653703242",
    "91218002802333710424703030",
  ],
  ...[
    "64655352124658641666251244",
    "90027024813223730230721000",
    "91117006704412720552713040",
    "83348222803732730044631051",
  ],
  ...[
    "96218011701242760242601030",
    "73576383634214620267431043",
    "44553243424668550765655133",
    "80118105700600750745700030",
  ],
  ...[
    "72213010810402412320910000",
    "83458353704344730555522042",
    "73527207706422651268633032",
    "81308106801422710666601042",
  ],
  ...[
    "65555352635667341866032233",
    "80029010804302700451300030",
    "92118115802315710442400020",
    "64637424902331572137541430",
  ],
  ...["94447211604546640465632043", "83338028702424620222622045"],
];
/** Shorter runs of letters may be names and abbreviations of any kind. */
const TELLING = 9;
/** Words of this length are rare, so the threshold is higher. */
const LONG = 16;
const LONGEST = 24;
const LEAST_READABLE = 4.6;
const MARKS = /[\u0300-\u036f]/g;
/** Most words match, which avoids Unicode tables. */
const LOWER = /^[a-z]+$/;
const LATIN = /^\p{sc=Latin}+$/u;
const ONE_CASE = /^(?:\p{Lu}?\p{Ll}+|\p{Lu}+)$/u;

/** Letters only, as a word is written: `word`, `Word` or `WORD`. Other scripts have no such rules and may pass. */
export function isPlausibleWord(word: string): boolean {
  if (word.length > LONGEST) return false;
  if (LOWER.test(word)) return isPronounceable(word);
  const folded = fold(word);
  if (!LATIN.test(folded)) return /^[\p{L}\p{M}]+$/u.test(word);
  return ONE_CASE.test(folded) && isPronounceable(folded.toLowerCase());
}

/** The words of one name together: each may be too short to decide, but not all of them together. */
export function arePlausibleTogether(words: readonly string[]): boolean {
  const latin = words.map((word) => fold(word).toLowerCase()).filter((word) => LOWER.test(word));
  const letters = latin.reduce((sum, { length }) => sum + length, 0);
  if (letters < TELLING) return true;
  const pairs = letters - latin.length;
  if (pairs < letters / 2) return false;
  return latin.reduce((sum, word) => sum + usuality(word), 0) >= leastUsual(letters) * pairs;
}

/** The same for words with separators, as in paths and encoded bytes, where abbreviations are common. */
export function areReadableTogether(text: string): boolean {
  const words =
    text.match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+/gu)?.map((word) => fold(word).toLowerCase()) ?? [];
  const latin = words.filter((word) => LOWER.test(word));
  const pairs = latin.reduce((sum, { length }) => sum + length - 1, 0);
  if (latin.length > 3 && pairs < 1.3 * latin.length) return false;
  return (
    pairs < TELLING - 1 || latin.reduce((sum, word) => sum + usuality(word), 0) >= LEAST_READABLE * pairs
  );
}

function fold(word: string): string {
  return word.normalize("NFD").replace(MARKS, "");
}

function isPronounceable(word: string): boolean {
  if (word.length > 5 && !/[aeiouy]/.test(word)) return false;
  if (/(.)\1\1/.test(word)) return false;
  return word.length < TELLING || usuality(word) >= leastUsual(word.length) * (word.length - 1);
}

function leastUsual(letters: number): number {
  return letters < LONG ? 5.5 : 5.8;
}

function usuality(word: string): number {
  let sum = 0;
  for (let i = 0; i + 1 < word.length; i++)
    sum += Number(USUAL[word.charCodeAt(i) - 97]?.charAt(word.charCodeAt(i + 1) - 97) ?? 5);
  return sum;
}
