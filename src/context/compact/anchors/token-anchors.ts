/** Anchors that start at a token: numbers with the unit that follows, and names recognised by their position. */
import { type Anchor, anchor } from "./anchor.ts";
import { classifyToken, numberKey } from "./classify-token.ts";
import { readWrittenDate } from "./read-date.ts";
import { isUnit, readNumber } from "./read-number.ts";
import { isDigit, JOINED, MARK, TokenScanner } from "./scan-tokens.ts";

const NAME = /^\p{Lu}\p{Ll}{2,}$/u;
const UNIT = /[ \u00a0\u202f]([\p{L}%‰°]{1,9})(?![\p{L}\d])/uy;
/** A token without any of these is a word or a name. */
const MORE_THAN_A_WORD = MARK.digit | MARK.hump | JOINED;

/** Logs and listings repeat themselves: each spelling is classified once. */
export type KnownTokens = Map<string, readonly Anchor[]>;

export function tokenAnchors(text: string, known: KnownTokens = new Map()): Anchor[] {
  const found: Anchor[] = [];
  const scanner = new TokenScanner(text);
  let end = 0;
  while (scanner.next()) {
    if (scanner.start < end || isTag(scanner)) continue;
    const longer = longerAnchor(text, scanner);
    if (longer !== undefined) {
      found.push(longer);
      end = scanner.start + longer.text.length;
    } else addAnchors(text, scanner, known, found);
  }
  return found;
}

/** `</file>` is markup and not a path. */
function isTag({ units, start }: TokenScanner): boolean {
  return units[start] === 0x2f && units[start - 1] === 0x3c;
}

function addAnchors(text: string, scanner: TokenScanner, known: KnownTokens, found: Anchor[]): void {
  const { start, end, marks } = scanner;
  if ((marks & MORE_THAN_A_WORD) === 0) {
    if (isName(text, scanner)) found.push(nameAnchor(text.slice(start, end)));
    return;
  }
  const token = text.slice(start, end);
  let anchors = known.get(token);
  if (anchors === undefined) {
    anchors = classifyToken(token, marks);
    known.set(token, anchors);
  }
  for (const one of anchors) found.push(one);
}

function nameAnchor(name: string): Anchor {
  return anchor("name", name, name.toLowerCase(), 0.6);
}

/** Anchors that continue after the token: `9 March 2026`, `1087.5 V`. */
function longerAnchor(text: string, scanner: TokenScanner): Anchor | undefined {
  const { units, start, end, marks } = scanner;
  const next = units[end] ?? 0;
  if (next !== 0x20 && next < 0xa0) return undefined;
  const hasDigit = (marks & MARK.digit) !== 0;
  if (!mayGoOn(units[end + 1] ?? 0, next, hasDigit)) return undefined;
  const token = text.slice(start, end);
  const written = mayStartDate(scanner) ? readWrittenDate(text, start, token) : undefined;
  if (written !== undefined) return anchor("date", written.text, written.date, 2);
  return hasDigit && isDigit(units[end - 1]) ? withUnit(text, end, token) : undefined;
}

/** After a space, a month name must be followed by a digit, and a number by a word or `%`. */
function mayGoOn(first: number, next: number, hasDigit: boolean): boolean {
  if (next !== 0x20) return true;
  return hasDigit ? first > 0x40 || first === 0x25 : isDigit(first);
}

/** A month name or a number, without joined or mixed characters. */
function mayStartDate({ units, start, marks }: TokenScanner): boolean {
  return (marks & MARK.digit) !== 0 ? (units[start] ?? 0) <= 0x39 : (marks & JOINED) === 0;
}

function withUnit(text: string, end: number, token: string): Anchor | undefined {
  const first = text.charCodeAt(end + 1);
  if (first <= 0x40 && first !== 0x25) return undefined;
  UNIT.lastIndex = end;
  const unit = UNIT.exec(text)?.[1];
  if (unit === undefined || !isUnit(unit)) return undefined;
  const number = readNumber(token);
  if (number === undefined || number.unit !== "") return undefined;
  return anchor(
    "number",
    `${token}${text.charAt(end)}${unit}`,
    numberKey(number.value, unit.toLowerCase()),
    2,
  );
}

/** A capitalised word in the middle of a sentence, or an acronym. German nouns also match; they weigh little. */
function isName(text: string, { units, start, end, marks }: TokenScanner): boolean {
  if (end - start < 3) return false;
  if (marks === MARK.capital) return true;
  return isInsideSentence(text, units, start) && NAME.test(text.slice(start, end));
}

function isInsideSentence(text: string, units: Uint16Array, start: number): boolean {
  let i = start - 1;
  while (i >= 0 && start - i < 4 && units[i] === 0x20) i--;
  if (i < 0) return false;
  const before = text.charAt(i);
  return before === "," || before === ";" || /[\p{L}\p{N}]/u.test(before);
}
