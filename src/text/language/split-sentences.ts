/**
 * Splits prose in any script into sentences, without a dictionary: each line is a sentence, a hard-wrapped line is
 * joined with the next, and a full stop ends a sentence unless the text around it shows otherwise. One pass.
 */

/** Words that end with a full stop inside a sentence, lower case and without it. */
const ABBREVIATIONS = new Set(
  "e.g i.e vs cf ca approx no nr fig dr mr mrs ms prof st resp bzw z.b d.h u.a evtl ggf p.ex sr sra incl max min".split(
    " ",
  ),
);
/** A line at least this long may have been wrapped by an editor. */
const WRAPPED = 60;
const TERMINATOR = /[.!?…。！？｡]/g;
const CLOSING = "\"'”’»)]」』）】";

interface PlacedSentence {
  readonly text: string;
  /** The line of the text on which it begins, from 0. */
  readonly line: number;
}

export function splitSentences(text: string): string[] {
  return placeSentences(text).map((sentence) => sentence.text);
}

/** Sentences with the lines on which they begin. */
export function placeSentences(text: string): PlacedSentence[] {
  const sentences: PlacedSentence[] = [];
  for (const joined of joinWrapped(text.split("\n"))) splitLine(joined, sentences);
  return sentences;
}

interface JoinedLines {
  readonly text: string;
  readonly firstLine: number;
  /** The start of each line in the text. */
  readonly starts: readonly number[];
}

function joinWrapped(lines: readonly string[]): JoinedLines[] {
  const joined: JoinedLines[] = [];
  let pieces: string[] = [];
  let isOpen = false;
  for (const [number, line] of lines.entries()) {
    if (!(isOpen && /^\s*\p{Ll}/u.test(line))) {
      if (pieces.length > 0) joined.push(joinLines(pieces, number - pieces.length));
      pieces = [];
    }
    pieces.push(line.trim());
    isOpen = line.length >= WRAPPED && !/[.!?:;。！？]\s*$/.test(line.slice(-4));
  }
  if (pieces.length > 0) joined.push(joinLines(pieces, lines.length - pieces.length));
  return joined;
}

function joinLines(pieces: readonly string[], firstLine: number): JoinedLines {
  let end = 0;
  const starts = pieces.map((piece) => {
    const start = end;
    end += piece.length + 1;
    return start;
  });
  return { text: pieces.join(" "), firstLine, starts };
}

function splitLine(joined: JoinedLines, sentences: PlacedSentence[]): void {
  const line = joined.text;
  let start = 0;
  for (let i = nextTerminator(line, 0); i >= 0; ) {
    const end = afterClosing(line, i + 1);
    const isEnd = endsSentence(line, start, i, end);
    if (isEnd) {
      keep(joined, start, end, sentences);
      start = end;
    }
    i = nextTerminator(line, isEnd ? end : i + 1);
  }
  keep(joined, start, line.length, sentences);
}

/** Most units are not terminators, and the expression skips them faster than a loop. */
function nextTerminator(line: string, from: number): number {
  TERMINATOR.lastIndex = from;
  return TERMINATOR.test(line) ? TERMINATOR.lastIndex - 1 : -1;
}

function keep(joined: JoinedLines, from: number, end: number, sentences: PlacedSentence[]): void {
  const piece = joined.text.slice(from, end).trimEnd();
  const text = piece.trimStart();
  if (text === "") return;
  const start = from + piece.length - text.length;
  sentences.push({ text, line: joined.firstLine + lastUpTo(joined.starts, start) });
}

/** The index of the last of ascending numbers that is at most the limit. */
function lastUpTo(numbers: readonly number[], limit: number): number {
  let [low, high] = [0, numbers.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((numbers[middle] ?? 0) <= limit) low = middle;
    else high = middle - 1;
  }
  return low;
}

function isTerminator(unit: number): boolean {
  // The letters of most texts are between `?` and `…`.
  if (unit > 63 && unit < 0x2026) return false;
  return unit === 46 || unit === 33 || unit === 63 || unit === 0x2026 || isWide(unit);
}

function isWide(unit: number): boolean {
  return unit === 0x3002 || unit === 0xff01 || unit === 0xff1f || unit === 0xff61;
}

function afterClosing(line: string, index: number): number {
  let end = index;
  while (end < line.length && (isTerminator(line.charCodeAt(end)) || CLOSING.includes(line.charAt(end))))
    end++;
  return end;
}

function endsSentence(line: string, start: number, at: number, end: number): boolean {
  if (isWide(line.charCodeAt(at))) return true;
  if (end < line.length && !isSpace(line.charCodeAt(end))) return false;
  if (line.charCodeAt(at) !== 46) return true;
  const next = line.charAt(end + 1);
  if (next !== "" && next === next.toLowerCase() && next !== next.toUpperCase()) return false;
  const before = line.slice(Math.max(start, at - 24), at);
  return !(isAbbreviation(before) || (end === at + 1 && goesOnBehind(before, line, end)));
}

/** `3. Mai`, `im 3. Stock`, `12. Okt. 1990`. */
function goesOnBehind(before: string, line: string, end: number): boolean {
  return /\d$/.test(before) ? isOrdinal(before, line, end) : isMonthInDate(before, line, end);
}

function isSpace(unit: number): boolean {
  return unit === 32 || unit === 9 || unit === 0xa0 || unit === 0x3000;
}

/** Checks the text before the full stop: `e.g`, an initial (not a unit after a number), or the number of a list item. */
function isAbbreviation(before: string): boolean {
  const words = before.trimStart().split(/\s+/);
  const word = (words.at(-1) ?? "").replace(/^[("'[]+/, "");
  if (ABBREVIATIONS.has(word.toLowerCase())) return true;
  if (/^\d{1,3}$/.test(word)) return words.length === 1;
  return /^\p{L}$/u.test(word) && !/\d$/.test(words.at(-2) ?? "");
}

/**
 * Whether a number with a full stop is an ordinal, as in `3. Mai`, `im 3. Stock` and `der 2. Weltkrieg`, where nouns are
 * capitalised and so look like the beginning of a sentence. If the next word is lower-case, this check is
 * not needed. In doubt it is an ordinal: two joined sentences lose less than a date without its month.
 *
 * German, Austrian and Luxembourgish; languages with lower-case months do not get here.
 */
const MONTHS = new Set(
  `Januar Jänner Februar Feber März Mäerz April Abrëll Mai Mee Juni Juli August September Oktober November Dezember
   Jan Feb Mär Mrz Apr Jun Jul Aug Sep Sept Okt Nov Dez`.split(/\s+/),
);
/** Abbreviated months as in `12. Okt. 1990` and `Oct. 12`. */
const SHORT_MONTH = /(?<!\p{L})(?:Jan|Feb|Mär|Mrz|Mar|Apr|Jun|Jul|Aug|Sept?|Okt|Oct|Nov|Dez|Dec)$/u;
/** Words before an ordinal in German; the verb of `I am 42.` is not one of them. */
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
/** Skips a quotation mark. */
const NEXT_WORD = /\s+[^\p{L}\p{N}\s]?(\p{L}+)/uy;

/** `before` ends with the digits, and the line continues after `end`. */
function isOrdinal(before: string, line: string, end: number): boolean {
  const words = before.trimStart().split(/\s+/);
  const number = words.at(-1) ?? "";
  if (!NUMBER.test(number)) return false;
  NEXT_WORD.lastIndex = end;
  const next = NEXT_WORD.exec(line)?.[1] ?? "";
  if (next === "" || OPENING.has(next.toLowerCase())) return false;
  if (MONTHS.has(next) && Number(/\d+$/.exec(number)?.[0]) <= LAST_DAY) return true;
  return LEADING.test(words.at(-2) ?? "") && words.at(-3) !== "I";
}

/** An abbreviated month inside a date: a day or a year follows. */
function isMonthInDate(before: string, line: string, end: number): boolean {
  return /^\s+\d/.test(line.slice(end, end + 3)) && SHORT_MONTH.test(before);
}
