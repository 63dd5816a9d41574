/**
 * The anchors of tokens by definition: the same rules as `token-anchors.ts`, applied one after the other as regular
 * expressions on every token. Slow and simple, so that the production reader can be compared with it.
 */
import { characterClass, LETTER } from "../../../text/language/character-class.ts";
import { type Anchor, anchor } from "../anchors/anchor.ts";
import { numberKey } from "../anchors/classify-token.ts";
import { readWrittenDate } from "../anchors/read-date.ts";
import { isUnit, readNumber } from "../anchors/read-number.ts";

const NAME = /^\p{Lu}\p{Ll}{2,}$/u;
const ACRONYM = /^[A-Z]{3,}$/;
const UNIT = /[ \u00a0\u202f]([\p{L}%‰°]{1,9})(?![\p{L}\d])/uy;

export function tokenAnchorsByDefinition(text: string): Anchor[] {
  const found: Anchor[] = [];
  let end = 0;
  for (const token of scanTokens(text)) {
    if (token.start < end || isTag(text, token)) continue;
    const longer = longerAnchor(text, token);
    if (longer !== undefined) {
      found.push(longer);
      end = token.start + longer.text.length;
    } else if (!addAnchors(token, found) && isName(text, token))
      found.push(anchor("name", token.text, token.text.toLowerCase(), 0.6));
  }
  return found;
}

/** `</file>` is markup and not a path. */
function isTag(text: string, token: Token): boolean {
  return text.charAt(token.start - 1) === "<" && token.text.startsWith("/");
}

function addAnchors(token: Token, found: Anchor[]): boolean {
  if (!token.hasDigit && !token.isJoined && !token.hasHump) return false;
  const anchors = classifyToken(token);
  found.push(...anchors);
  return anchors.length > 0;
}

/** Anchors that continue after the token: `9 March 2026`, `1087.5 V`. */
function longerAnchor(text: string, token: Token): Anchor | undefined {
  const next = text.charCodeAt(token.end);
  if (next !== 0x20 && next < 0xa0) return undefined;
  const written = mayStartDate(token) ? readWrittenDate(text, token.start, token.text) : undefined;
  if (written !== undefined) return anchor("date", written.text, written.date, 2);
  return token.hasDigit && isDigit(token.text.charCodeAt(token.text.length - 1))
    ? withUnit(text, token)
    : undefined;
}

/** A month name or a number, without joined or mixed characters. */
function mayStartDate(token: Token): boolean {
  return token.hasDigit ? token.text.charCodeAt(0) <= 0x39 : !token.isJoined;
}

function withUnit(text: string, token: Token): Anchor | undefined {
  const first = text.charCodeAt(token.end + 1);
  if (first <= 0x40 && first !== 0x25) return undefined;
  UNIT.lastIndex = token.end;
  const unit = UNIT.exec(text)?.[1];
  if (unit === undefined || !isUnit(unit)) return undefined;
  const number = readNumber(token.text);
  if (number === undefined || number.unit !== "") return undefined;
  const end = token.end + 1 + unit.length;
  return anchor("number", text.slice(token.start, end), numberKey(number.value, unit.toLowerCase()), 2);
}

/** A capitalised word in the middle of a sentence, or an acronym. German nouns also match; they weigh little. */
function isName(text: string, token: Token): boolean {
  if (ACRONYM.test(token.text)) return true;
  return isInsideSentence(text, token.start) && NAME.test(token.text);
}

function isInsideSentence(text: string, start: number): boolean {
  let i = start - 1;
  while (i >= 0 && start - i < 4 && text.charAt(i) === " ") i--;
  const before = text.charAt(i);
  return i >= 0 && (before === "," || before === ";" || /[\p{L}\p{N}]/u.test(before));
}

/** Ordinary words in camel case: a summary may use them even if the source did not. */
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
function classifyToken({ text: token, hasDigit, hasHump }: Token): readonly Anchor[] {
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

/** A summary may count things itself, so small bare counts are not anchors; measured, large or fractional numbers are. */
function isTelling(value: number, unit: string, isWhole: boolean): boolean {
  return unit !== "" || !isWhole || value >= 100;
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

/** `5-minute`, `3rd`, `10x`: a count joined to a word. */
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

/** A date or time that is one token of digits. */
function readDate(token: string): ReadDate | undefined {
  if (!/[-/.:]/.test(token)) return undefined;
  const iso = ISO.exec(token);
  if (iso !== null) return dated(iso[1], iso[2], iso[3], clock(iso[4], iso[5]));
  const dayFirst = DAY_FIRST.exec(token);
  if (dayFirst !== null) return dated(dayFirst[3], dayFirst[2], dayFirst[1]);
  const slashed = SLASHED.exec(token);
  if (slashed !== null) return readSlashed(slashed[1], slashed[2], slashed[3]);
  const time = TIME.exec(token);
  if (time === null || Number(time[1]) > 24 || Number(time[2]) > 59) return undefined;
  return { date: "", time: clock(time[1], time[2]) };
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

const EXTENSIONS = new Set(
  (
    "ts tsx js jsx mjs cjs py rb go rs java kt kts c h cc cpp hpp cs swift m php pl lua r jl scala ex exs erl hs ml clj dart " +
    "zig nim sh bash zsh fish ps1 bat cmd sql css scss less html htm xml svg vue svelte astro md mdx rst txt log csv tsv json " +
    "jsonl json5 yaml yml toml ini cfg conf env lock proto graphql tf hcl dockerfile makefile gradle cmake ipynb tex bib pdf " +
    "doc docx xls xlsx ppt pptx png jpg jpeg gif webp ico bmp mp3 mp4 wav mov avi mkv zip gz tgz tar bz2 xz zst 7z jar war " +
    "whl deb rpm exe dll so dylib bin hex elf o a iso img db sqlite sqlite3 parquet arrow npy pkl pem crt key pub sock pid " +
    "diff patch bak tmp snap map wasm lockb service plist traj fits"
  ).split(" "),
);
const LINE_NUMBER = /(?::\d+){1,2}(?::[a-z]+)?$/i;
const NEAR_HIT = new RegExp(`(\\.(?:${[...EXTENSIONS].join("|")}))-\\d+$`, "i");
const DRIVE = /^[A-Za-z]:[\\/]/;

/** A path in normal form (no line number, no leading `./`, forward slashes, lower case), or undefined. */
function readPath(token: string): string | undefined {
  const bare = token.includes(":") ? token.replace(LINE_NUMBER, "") : token.replace(NEAR_HIT, "$1");
  if (bare.length < 3 || !/\p{L}/u.test(bare)) return undefined;
  if (!looksLikePath(bare)) return undefined;
  return withoutEndingSlashes(bare.replaceAll("\\", "/").replace(/^\.\//, "")).toLowerCase();
}

function looksLikePath(text: string): boolean {
  if (/^(~|\.{1,2})?\//.test(text) || DRIVE.test(text)) return !text.includes("//");
  const separators = text.split(/[/\\]/);
  if (separators.some((segment) => segment === "") && !text.endsWith("/")) return false;
  if (hasExtension(separators.at(-1) ?? "")) return /^[\w@.+~-]/.test(text);
  return separators.length > 2 && (separators.length > 3 || /[._\d-]/.test(text)) && !/[:?&%]/.test(text);
}

function hasExtension(name: string): boolean {
  const dot = name.lastIndexOf(".");
  return dot > 0 && EXTENSIONS.has(name.slice(dot + 1).toLowerCase());
}

function withoutEndingSlashes(path: string): string {
  return path.endsWith("/") ? path.replace(/\/+$/, "") : path;
}

interface Token {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly hasDigit: boolean;
  /** Contains one of `._-/\:@#+~%&?$^`. */
  readonly isJoined: boolean;
  /** A lower-case letter directly before an upper-case one. */
  readonly hasHump: boolean;
}

const DIGIT = 1;
const CAPITAL = 2;
const HUMP = 4;
const JOINED = 8;
/** Letters without a mark: lower-case ASCII letters, and letters of other scripts. */
const SMALL = 16;
const OTHER = 32;
const SHAPES = DIGIT | CAPITAL | JOINED;

const TABLE = new Uint8Array(128);
for (const character of "._-/\\:@#+~%&?$^") TABLE[character.charCodeAt(0)] = JOINED;
for (let unit = 0x30; unit <= 0x39; unit++) TABLE[unit] = DIGIT;
for (let unit = 0x41; unit <= 0x5a; unit++) TABLE[unit] = CAPITAL;
for (let unit = 0x61; unit <= 0x7a; unit++) TABLE[unit] = SMALL;
const TRAILING = new Set([..."._-:?&+@#~$^"].map((character) => character.charCodeAt(0)));
const URL_END = new Set([..."\"'`<>()[]{}|\\^"].map((character) => character.charCodeAt(0)));
/** Longer tokens are data, not something that a person would name. */
const LONGEST = 240;

function scanTokens(text: string): Token[] {
  const tokens: Token[] = [];
  let i = 0;
  while (i < text.length) {
    if (shapeOf(text, i) === 0) i++;
    else i = readToken(text, i, tokens);
  }
  return tokens;
}

/** Letters, digits and joining characters; 0 for every character that ends a token. */
function shapeOf(text: string, index: number): number {
  const unit = text.charCodeAt(index);
  return unit < 128 ? (TABLE[unit] ?? 0) : wideShapeOf(unit, text, index);
}

function wideShapeOf(unit: number, text: string, index: number): number {
  if (characterClass(unit) === LETTER) return isCapital(text.charAt(index)) ? CAPITAL : OTHER;
  // Hyphens, the minus sign and the degree sign occur inside numbers and ids.
  return unit === 0x2010 || unit === 0x2011 || unit === 0x2212 || unit === 0xb0 ? JOINED : 0;
}

function isCapital(character: string): boolean {
  return character !== character.toLowerCase();
}

/** Reads the token that starts here and returns its end. */
function readToken(text: string, start: number, tokens: Token[]): number {
  let shape = 0;
  let wasSmall = false;
  let i = start;
  for (; i < text.length; i++) {
    const own = shapeOf(text, i);
    if (own === 0 && !isDigitGroup(text, i)) break;
    if (own === JOINED && isUrl(text, i)) return addToken(text, start, endOfUrl(text, i + 3), JOINED, tokens);
    if (own === CAPITAL && wasSmall) shape |= HUMP;
    shape |= own & SHAPES;
    wasSmall = own === SMALL;
  }
  return shape === 0 ? i : addToken(text, start, i, shape, tokens);
}

/** A comma between digits, as in 12,345 or 1087,5. */
function isDigitGroup(text: string, index: number): boolean {
  return (
    text.charCodeAt(index) === 0x2c &&
    isDigit(text.charCodeAt(index - 1)) &&
    isDigit(text.charCodeAt(index + 1))
  );
}

function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}

function isUrl(text: string, index: number): boolean {
  return text.charCodeAt(index) === 0x3a && text.startsWith("://", index);
}

function endOfUrl(text: string, start: number): number {
  let i = start;
  while (i < text.length) {
    const unit = text.charCodeAt(i);
    if (unit <= 0x20 || unit >= 0x2000 || unit === 0xa0 || URL_END.has(unit)) break;
    i++;
  }
  while (i > start && ".,;:!?".includes(text.charAt(i - 1))) i--;
  return i;
}

function addToken(text: string, start: number, end: number, shape: number, tokens: Token[]): number {
  let last = end;
  while (last > start && TRAILING.has(text.charCodeAt(last - 1))) last--;
  // A single letter is not a token, but a single digit may be followed by a unit.
  const isLong = last - start > 1 || (shape & DIGIT) !== 0;
  if (last > start && isLong && last - start <= LONGEST)
    tokens.push({
      text: text.slice(start, last),
      start,
      end: last,
      hasDigit: (shape & DIGIT) !== 0,
      isJoined: (shape & JOINED) !== 0,
      hasHump: (shape & HUMP) !== 0,
    });
  return end;
}
