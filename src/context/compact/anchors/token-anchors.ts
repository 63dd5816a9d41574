/** Anchors that start at a token: with the unit behind a number, and names told from words by where they stand. */
import { type Anchor, anchor } from "./anchor.ts";
import { classifyToken, numberKey } from "./classify-token.ts";
import { readWrittenDate } from "./read-date.ts";
import { isUnit, readNumber } from "./read-number.ts";
import { scanTokens, type Token } from "./scan-tokens.ts";

const NAME = /^\p{Lu}\p{Ll}{2,}$/u;
const ACRONYM = /^[A-Z]{3,}$/;
const UNIT = /[ \u00a0\u202f]([\p{L}%‰°]{1,9})(?![\p{L}\d])/uy;

/** Logs and listings say the same thing many times: each spelling is looked at once. */
export type KnownTokens = Map<string, readonly Anchor[]>;

export function tokenAnchors(text: string, known: KnownTokens = new Map()): Anchor[] {
  const found: Anchor[] = [];
  let end = 0;
  for (const token of scanTokens(text)) {
    if (token.start < end || isTag(text, token)) continue;
    const longer = longerAnchor(text, token);
    if (longer !== undefined) {
      found.push(longer);
      end = token.start + longer.text.length;
    } else if (!addAnchors(token, known, found) && isName(text, token))
      found.push(anchor("name", token.text, token.text.toLowerCase(), 0.6));
  }
  return found;
}

/** `</file>` is markup and no path. */
function isTag(text: string, token: Token): boolean {
  return text.charAt(token.start - 1) === "<" && token.text.startsWith("/");
}

function addAnchors(token: Token, known: KnownTokens, found: Anchor[]): boolean {
  if (!token.hasDigit && !token.isJoined && !token.hasHump) return false;
  let anchors = known.get(token.text);
  if (anchors === undefined) {
    anchors = classifyToken(token);
    known.set(token.text, anchors);
  }
  for (const one of anchors) found.push(one);
  return anchors.length > 0;
}

/** What goes on behind the token: `9 March 2026`, `1087.5 V`. */
function longerAnchor(text: string, token: Token): Anchor | undefined {
  const next = text.charCodeAt(token.end);
  if (next !== 0x20 && next < 0xa0) return undefined;
  const written = mayStartDate(token) ? readWrittenDate(text, token.start, token.text) : undefined;
  if (written !== undefined) return anchor("date", written.text, written.date, 2);
  return token.hasDigit && isDigit(token.text.charCodeAt(token.text.length - 1))
    ? withUnit(text, token)
    : undefined;
}

/** The name of a month, or a number: nothing that is joined or mixed. */
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

function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}

/** A capitalised word in the middle of a sentence, or an acronym. German nouns pass too; they weigh little. */
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
