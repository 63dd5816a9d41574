/** What one token is, looked at by itself: a URL, a date, a number, a path, an identifier, or just a word. */
import { type Anchor, anchor } from "./anchor.ts";
import { readDate } from "./read-date.ts";
import { readNumber, scaleOf } from "./read-number.ts";
import { readPath, withoutEndingSlashes } from "./read-path.ts";
import type { Token } from "./scan-tokens.ts";

/** Written in camel case, and yet ordinary words: a summary may use them although the source did not. */
const COMMON = new Set(
  "github gitlab javascript typescript postgresql mysql sqlite openai macos ios iphone youtube linkedin json5 utf8 utf-8 sha256 sha-256 oauth2 ipv4 ipv6 mp3 mp4 h1 h2 h3 v1 v2".split(
    " ",
  ),
);
const LONGEST_COMMON = Math.max(...[...COMMON].map((word) => word.length));
const HASH = /^[0-9a-f]{7,64}$/i;
const VERSION = /^v?\d+(\.\d+){2,3}(?:[-+][\w.]+)?$/;
const TICKET = /^#\d{1,7}$/;

/** Anchors of the token; a date with a time gives two. */
export function classifyToken({ text: token, hasDigit, hasHump }: Token): readonly Anchor[] {
  if (token.includes("://")) return [anchor("url", token, withoutEndingSlashes(token.toLowerCase()), 2)];
  const measured = hasDigit && startsWithDigit(token) ? classifyDigits(token) : undefined;
  if (measured !== undefined) return measured;
  const path = /[/\\.]/.test(token) ? readPath(token) : undefined;
  if (path !== undefined) return [anchor("path", token, path, 2.5)];
  const weight = identifierWeight(token, hasDigit, hasHump);
  return weight === 0 ? [] : [anchor("identifier", token, token.toLowerCase(), weight)];
}

function startsWithDigit(token: string): boolean {
  return /^[-+~−]?\d/.test(token);
}

function classifyDigits(token: string): readonly Anchor[] | undefined {
  const when = readDate(token);
  if (when !== undefined) {
    const time = when.time === "" ? [] : [anchor("time", token, when.time, 0.5)];
    return when.date === "" ? time : [anchor("date", token, when.date, 2), ...time];
  }
  if (token.includes(".") && VERSION.test(token))
    return [anchor("identifier", token, token.toLowerCase(), 1.5)];
  const number = readNumber(token);
  if (number === undefined) return undefined;
  return isTelling(number.value, number.unit, number.isWhole)
    ? [
        anchor(
          "number",
          token,
          numberKey(number.value, number.unit),
          number.isWhole && number.unit === "" ? 1.2 : 2,
        ),
      ]
    : [];
}

/** Small bare counts are made by whoever writes; a measured, large or fractional number is not. */
function isTelling(value: number, unit: string, isWhole: boolean): boolean {
  return unit !== "" || !isWhole || value >= 100;
}

/** Large or fractional numbers are themselves in any unit; a small whole one needs its unit to mean something. */
export function numberKey(value: number, unit: string): string {
  const scaled = value * scaleOf(unit);
  return scaled < 100 && Number.isInteger(scaled) ? `${scaled} ${unit.slice(0, 3)}` : `${scaled}`;
}

function identifierWeight(token: string, hasDigit: boolean, hasHump: boolean): number {
  if (TICKET.test(token)) return 2;
  if (token.startsWith("-") || !/\p{L}/u.test(token) || isCommon(token)) return 0;
  if (HASH.test(token)) return hasDigit ? 2.5 : 0;
  if (/[\\:@%&?$^+~/#]/.test(token)) return isNamespaced(token) ? 1.5 : 0;
  if (hasDigit) return isCountedWord(token) ? 0 : token.length >= 6 ? 3 : token.length >= 3 ? 1.5 : 0.7;
  if (token.includes("_")) return /\p{L}_+\p{L}/u.test(token) ? 2.2 : 0;
  if (token.includes(".")) return isDotted(token) ? 2 : 0;
  return hasHump && token.length >= 4 ? 2 : 0;
}

function isCommon(token: string): boolean {
  return token.length <= LONGEST_COMMON && COMMON.has(token.toLowerCase());
}

/** `5-minute`, `3rd`, `10x`: a count with a word glued to it. */
function isCountedWord(token: string): boolean {
  return /^\d+(?:st|nd|rd|th|x|s|ème|er)?$/i.test(token) || /^\d+-\p{Ll}+(?:-\p{Ll}+)?$/u.test(token);
}

/** `Module::member`, `agent:main`, `name@host`, `key:value` of letters. */
function isNamespaced(token: string): boolean {
  return /^[\p{L}_][\w.-]*(?:::?|@)[\p{L}_][\w.:-]*$/u.test(token) && token.length >= 6;
}

/** `this.settings.theme`, `usegitai.com`; not the missing space of `end.Start` in short words. */
function isDotted(token: string): boolean {
  return /^[\p{L}_][\w-]*(?:\.[\p{L}_][\w-]*)+$/u.test(token) && token.length >= 6;
}
