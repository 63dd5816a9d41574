/**
 * Whether a number with a full stop is an ordinal, as in `3. Mai`, `im 3. Stock` and `der 2. Weltkrieg`, where nouns are
 * written with a capital and so look like the beginning of a sentence. Where the next word is written small, nobody has
 * to ask. In doubt it is one: two sentences in one piece lose less than a date without its month.
 */

/** German, Austrian and Luxembourgish; languages whose months are written small do not get here. */
const MONTHS = new Set(
  `Januar Jänner Februar Feber März Mäerz April Abrëll Mai Mee Juni Juli August September Oktober November Dezember
   Jan Feb Mär Mrz Apr Jun Jul Aug Sep Sept Okt Nov Dez`.split(/\s+/),
);
/** Shortened as in `12. Okt. 1990` and `Oct. 12`. */
const SHORT_MONTH = /(?<!\p{L})(?:Jan|Feb|Mär|Mrz|Mar|Apr|Jun|Jul|Aug|Sept?|Okt|Oct|Nov|Dez|Dec)$/u;
/** What an ordinal stands behind in German; the verb of `I am 42.` is none of it. */
const LEADING =
  /^(?:am|der|die|das|dem|den|des|im|ins|vom|beim|zum|zur|ab|bis|seit|(?:mein|dein|sein|ihr|unser)(?:e[mnrs]?)?|euer|eure[mnrs]?|jede[mnrs]?|diese[mnrs]?)$/i;
/** Words that begin a sentence and never follow an ordinal, German and English. */
const OPENING = new Set(
  `ich du er sie es wir ihr man mein meine dein deine sein seine ihre unser unsere der die das dem den ein eine dies diese
   dieser kein keine und aber oder denn doch auch als wenn weil da dann danach davor dort hier jetzt nun heute so also
   was wer wie wo wann warum nicht noch nur bitte danke ja nein ist sind hast hat kannst
   i he she it we you they my his her its our your their a an the this that these those there here and but or so if when
   then now what who how where why not no yes please thanks is are do does can`.split(/\s+/),
);
/** Also the last of several: `3./4. Mai`, `3.–5. Mai`. */
const NUMBER = /^[("'„“«]*(?:\d{1,3}\.?[-–/])*\d{1,3}$/;
const LAST_DAY = 31;
/** Past a quotation mark. */
const NEXT_WORD = /\s+[^\p{L}\p{N}\s]?(\p{L}+)/uy;

/** `before` ends with the digits, and behind `end` the line goes on. */
export function isOrdinal(before: string, line: string, end: number): boolean {
  const words = before.trimStart().split(/\s+/);
  const number = words.at(-1) ?? "";
  if (!NUMBER.test(number)) return false;
  NEXT_WORD.lastIndex = end;
  const next = NEXT_WORD.exec(line)?.[1] ?? "";
  if (next === "" || OPENING.has(next.toLowerCase())) return false;
  if (MONTHS.has(next) && Number(/\d+$/.exec(number)?.[0]) <= LAST_DAY) return true;
  return LEADING.test(words.at(-2) ?? "") && words.at(-3) !== "I";
}

/** A shortened month inside a date: a day or a year follows. */
export function isMonthInDate(before: string, line: string, end: number): boolean {
  return /^\s+\d/.test(line.slice(end, end + 3)) && SHORT_MONTH.test(before);
}
