/** Classifies a single token: a URL, a date, a number, a path, an identifier, or just a word. */
import { type Anchor, anchor } from "./anchor.ts";
import { readDate } from "./read-date.ts";
import { readNumber, scaleOf } from "./read-number.ts";
import { readPath, withoutEndingSlashes } from "./read-path.ts";
import { isDigit, JOINED, MARK } from "./scan-tokens.ts";

/** Ordinary words in camel case: a summary may use them even if the source did not. */
const COMMON = new Set(
  "github gitlab javascript typescript postgresql mysql sqlite openai macos ios iphone youtube linkedin json5 utf8 utf-8 sha256 sha-256 oauth2 ipv4 ipv6 mp3 mp4 h1 h2 h3 v1 v2".split(
    " ",
  ),
);
const LONGEST_COMMON = Math.max(...[...COMMON].map((word) => word.length));
const HASH = /^[0-9a-f]{7,64}$/i;
const VERSION = /^v?\d+(\.\d+){2,3}(?:[-+][\w.]+)?$/;
const SNAKE = /\p{L}_+\p{L}/u;
const DOTTED = /^[\p{L}_][\w-]*(?:\.[\p{L}_][\w-]*)+$/u;
/** The same for ASCII letters, which match several times faster. */
const PLAIN_SNAKE = /[A-Za-z]_+[A-Za-z]/;
const PLAIN_DOTTED = /^[A-Za-z_][\w-]*(?:\.[A-Za-z_][\w-]*)+$/;
const TICKET = /^#\d{1,7}$/;

/** Signs that may separate the parts of a date or a time. */
const DATE_MARKS = MARK.dash | MARK.slash | MARK.dot | MARK.colon;

/** Anchors of the token; a date with a time gives two. `marks` lists what the token may contain: see `MARK`. */
export function classifyToken(token: string, marks: number): readonly Anchor[] {
  if ((marks & MARK.url) !== 0) return [anchor("url", token, withoutEndingSlashes(token.toLowerCase()), 2)];
  const measured =
    (marks & MARK.digit) !== 0 && startsWithDigit(token) ? classifyDigits(token, marks) : undefined;
  if (measured !== undefined) return measured;
  const path = (marks & (MARK.slash | MARK.dot)) !== 0 ? readPath(token) : undefined;
  if (path !== undefined) return [anchor("path", token, path, 2.5)];
  const weight = identifierWeight(token, marks);
  return weight === 0 || isCommon(token) ? [] : [anchor("identifier", token, token.toLowerCase(), weight)];
}

function startsWithDigit(token: string): boolean {
  const first = token.charCodeAt(0);
  if (isDigit(first)) return true;
  return (
    (first === 0x2d || first === 0x2b || first === 0x7e || first === 0x2212) && isDigit(token.charCodeAt(1))
  );
}

function classifyDigits(token: string, marks: number): readonly Anchor[] | undefined {
  const when = (marks & DATE_MARKS) !== 0 ? readDate(token) : undefined;
  if (when !== undefined) {
    const time = when.time === "" ? [] : [anchor("time", token, when.time, 0.5)];
    return when.date === "" ? time : [anchor("date", token, when.date, 2), ...time];
  }
  if ((marks & MARK.dot) !== 0 && VERSION.test(token))
    return [anchor("identifier", token, token.toLowerCase(), 1.5)];
  const number = readNumber(token);
  if (number === undefined) return undefined;
  const { value, unit, isWhole } = number;
  if (!isTelling(value, unit, isWhole)) return [];
  return [anchor("number", token, numberKey(value, unit), isWhole && unit === "" ? 1.2 : 2)];
}

/** A summary may count things itself, so small bare counts are not anchors; measured, large or fractional numbers are. */
function isTelling(value: number, unit: string, isWhole: boolean): boolean {
  return unit !== "" || !isWhole || value >= 100;
}

/** Large or fractional numbers are distinctive with any unit; a small whole number needs its unit. */
export function numberKey(value: number, unit: string): string {
  const scaled = value * scaleOf(unit);
  return scaled < 100 && Number.isInteger(scaled) ? `${scaled} ${unit.slice(0, 3)}` : `${scaled}`;
}

function identifierWeight(token: string, marks: number): number {
  const first = token.charCodeAt(0);
  if (first === 0x23 && TICKET.test(token)) return 2;
  if (first === 0x2d || !hasLetter(token, marks)) return 0;
  const hasDigit = (marks & MARK.digit) !== 0;
  if ((marks & (JOINED | MARK.other)) === 0 && HASH.test(token)) return hasDigit ? 2.5 : 0;
  if ((marks & (MARK.slash | MARK.colon | MARK.sign)) !== 0 && /[\\:@%&?$^+~/#]/.test(token))
    return isNamespaced(token) ? 1.5 : 0;
  if (hasDigit) return isCountedWord(token) ? 0 : token.length >= 6 ? 3 : token.length >= 3 ? 1.5 : 0.7;
  const isPlain = (marks & MARK.other) === 0;
  if (token.includes("_")) return (isPlain ? PLAIN_SNAKE : SNAKE).test(token) ? 2.2 : 0;
  if (token.includes(".")) return isDotted(token, isPlain) ? 2 : 0;
  return (marks & MARK.hump) !== 0 && token.length >= 4 ? 2 : 0;
}

/** ASCII letters are marked; in other scripts, some signs count as letters until they are checked. */
function hasLetter(token: string, marks: number): boolean {
  return (marks & MARK.other) !== 0 ? /\p{L}/u.test(token) : (marks & (MARK.small | MARK.capital)) !== 0;
}

function isCommon(token: string): boolean {
  return token.length <= LONGEST_COMMON && COMMON.has(token.toLowerCase());
}

/** `5-minute`, `3rd`, `10x`: a count joined to a word. */
function isCountedWord(token: string): boolean {
  if (!isDigit(token.charCodeAt(0))) return false;
  return /^\d+(?:st|nd|rd|th|x|s|ème|er)$/i.test(token) || /^\d+-\p{Ll}+(?:-\p{Ll}+)?$/u.test(token);
}

/** `Module::member`, `agent:main`, `name@host`, `key:value` of letters. */
function isNamespaced(token: string): boolean {
  return /^[\p{L}_][\w.-]*(?:::?|@)[\p{L}_][\w.:-]*$/u.test(token) && token.length >= 6;
}

/** `this.settings.theme`, `usegitai.com`; not the missing space of `end.Start` in short words. */
function isDotted(token: string, isPlain: boolean): boolean {
  return token.length >= 6 && (isPlain ? PLAIN_DOTTED : DOTTED).test(token);
}
