/** Dates and times of day in the notations of several languages, normalised. */

/** English and German (capitalised), French and Spanish names of the months, in order. */
const MONTHS = [
  "January|Januar|Jan|janvier|enero",
  "February|Februar|Feb|février|febrero",
  "March|März|Mar|marzo|mars",
  "April|Apr|avril|abril",
  "May|Mai|mayo|mai",
  "June|Juni|Jun|junio|juin",
  "July|Juli|Jul|juillet|julio",
  "August|Aug|agosto|août",
  "September|Sept|Sep|septembre|septiembre",
  "October|Oktober|Oct|Okt|octobre|octubre",
  "November|Nov|novembre|noviembre",
  "December|Dezember|Dec|Dez|décembre|diciembre",
];

const NUMBERS = new Map(
  MONTHS.flatMap((names, index) => names.split("|").map((name) => [name, `${index + 1}`] as const)),
);

/** An alternation for regular expressions. */
const MONTH_NAMES = MONTHS.join("|");

export const FIRST_WORD_OF_MONTH: ReadonlySet<string> = new Set(NUMBERS.keys());

/** `3` for `March`; empty if the name is not a month. */
export function monthNumber(name: string): string {
  return NUMBERS.get(name) ?? "";
}

const ISO =
  /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T_](\d{2}):?(\d{2})(?::?\d{2})?(?:\.\d+)?(?:Z|[+-]\d{2}:?\d{2})?)?$/;
const DAY_FIRST = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/;
const SLASHED = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/;
const TIME = /^(\d{1,2}):(\d{2})(?::\d{2})?(?:\.\d+)?Z?$/;

interface ReadDate {
  /** `2026-03-09`, or `03-09` without a year; empty if only a time was given. */
  readonly date: string;
  /** `HH:mm`, or empty. */
  readonly time: string;
}

/** A date or time that is one token of digits and separators. */
export function readDate(token: string): ReadDate | undefined {
  const iso = isSeparator(token.charCodeAt(4)) ? ISO.exec(token) : null;
  if (iso !== null) return dated(iso[1], iso[2], iso[3], clock(iso[4], iso[5]));
  const time = token.includes(":") ? TIME.exec(token) : null;
  if (time !== null) return readTime(time[1], time[2]);
  const dayFirst = hasEarly(token, 0x2e) ? DAY_FIRST.exec(token) : null;
  if (dayFirst !== null) return dated(dayFirst[3], dayFirst[2], dayFirst[1]);
  const slashed = hasEarly(token, 0x2f) ? SLASHED.exec(token) : null;
  return slashed === null ? undefined : readSlashed(slashed[1], slashed[2], slashed[3]);
}

/** One of `-./`. */
function isSeparator(unit: number): boolean {
  return unit >= 0x2d && unit <= 0x2f;
}

/** After one or two digits. */
function hasEarly(token: string, sign: number): boolean {
  return token.charCodeAt(1) === sign || token.charCodeAt(2) === sign;
}

function readTime(hour: string | undefined, minute: string | undefined): ReadDate | undefined {
  if (Number(hour) > 24 || Number(minute) > 59) return undefined;
  return { date: "", time: clock(hour, minute) };
}

/** 3/14/2026 in America, 14/3/2026 elsewhere: the larger number is the day; ambiguous dates are read the American way. */
function readSlashed(first: string | undefined, second: string | undefined, year: string | undefined) {
  return Number(first) > 12 ? dated(year, second, first) : dated(year, first, second);
}

function clock(hour: string | undefined, minute: string | undefined): string {
  return hour === undefined || minute === undefined ? "" : `${hour.padStart(2, "0")}:${minute}`;
}

function dated(year: string | undefined, month = "", day = "", time = ""): ReadDate | undefined {
  if (Number(month) < 1 || Number(month) > 12 || Number(day) < 1 || Number(day) > 31) return undefined;
  const monthAndDay = `${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  return { date: year === undefined || year === "" ? monthAndDay : `${year}-${monthAndDay}`, time };
}

const DAY_MONTH = new RegExp(
  `(\\d{1,2})(?:\\.|st|nd|rd|th|er)?[ \\u00a0](?:de )?(${MONTH_NAMES})(?!\\p{L})(?:[ \\u00a0](?:de )?(\\d{4}))?`,
  "uy",
);
const MONTH_DAY = new RegExp(
  `(${MONTH_NAMES})[ \\u00a0](\\d{1,2})(?:st|nd|rd|th)?(?![\\w:]|\\.\\d)(?:,? (\\d{4}))?`,
  "uy",
);
const EAST_ASIAN = /(?:(\d{4}) ?[年년] ?)?(\d{1,2}) ?[月월] ?(\d{1,2}) ?[日일]/y;

interface WrittenDate {
  readonly text: string;
  readonly date: string;
}

/** A date in words that starts at this position: `9 March 2026`, `March 9`, `2026年3月9日`. */
export function readWrittenDate(text: string, start: number, token: string): WrittenDate | undefined {
  const isDigits = token.charCodeAt(0) <= 0x39;
  // A day has two digits and may end with `th`; a year has four.
  if (isDigits ? token.length > 4 : !FIRST_WORD_OF_MONTH.has(token)) return undefined;
  const matched = isDigits
    ? (match(DAY_MONTH, text, start) ?? match(EAST_ASIAN, text, start))
    : match(MONTH_DAY, text, start);
  if (matched === undefined) return undefined;
  const date = toDate(matched);
  return date === undefined ? undefined : { text: matched[0], date: date.date };
}

function match(pattern: RegExp, text: string, start: number): RegExpExecArray | undefined {
  pattern.lastIndex = start;
  return pattern.exec(text) ?? undefined;
}

function toDate([, first = "", second = "", third]: RegExpExecArray): ReadDate | undefined {
  if (monthNumber(second) !== "") return dated(third, monthNumber(second), first);
  if (monthNumber(first) !== "") return dated(third, monthNumber(first), second);
  return dated(first, second, third);
}
