/**
 * Decides whether a summary invented an anchor: looks for it in the source, in any
 * equivalent spelling.
 */

import { readNumber, roundingError, scaleOf } from "./anchors/read-number.ts";
import { baseName } from "./anchors/read-path.ts";
import type { Anchor } from "./anchors.ts";
import type { SourceBlock } from "./source-blocks.ts";

/** Beyond this number, anchors that need a search through the whole source count as invented. */
const MOST_SEARCHES = 200;
/** A summary may count things itself. */
const COUNTED = /\s(files|tests|lines|rows|messages|requests|times|tokens|days?|zeilen|lignes|líneas)$/i;

export interface KnownFacts {
  has(anchor: Anchor): boolean;
}

export function knownFacts(source: string, blocks: readonly SourceBlock[]): KnownFacts {
  const keys = new Set<string>();
  const minutes = new Set<number>();
  for (const { anchors } of blocks) for (const anchor of anchors) addAnchor(anchor, keys, minutes);
  const isNumber = numbersIn(source);
  const search = searchIn(source);
  return {
    has(anchor) {
      if (keys.has(anchor.key) || occursIn(source, anchor)) return true;
      if (anchor.kind === "number") return isKnownNumber(anchor.text, isNumber);
      if (anchor.kind === "time") return isNear(anchor.key, minutes);
      if (anchor.kind === "date") return isKnownDate(anchor.key, keys) || search(anchor.text);
      if (anchor.kind === "path") return isKnownPath(anchor.key, keys, search);
      return search(anchor.text);
    },
  };
}

/** As written; a number not as part of a longer one. */
function occursIn(source: string, { kind, text }: Anchor): boolean {
  for (let at = source.indexOf(text); at >= 0; at = source.indexOf(text, at + 1))
    if (
      kind !== "number" ||
      !(isDigit(source.charCodeAt(at - 1)) || isDigit(source.charCodeAt(at + text.length)))
    )
      return true;
  return false;
}

function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}

function addAnchor(anchor: Anchor, keys: Set<string>, minutes: Set<number>): void {
  keys.add(anchor.key);
  if (anchor.kind === "time") minutes.add(minuteOf(anchor.key));
  // A date without its year, a file without its folder and a folder without its file still match.
  if (anchor.kind === "date") keys.add(anchor.key.slice(-6));
  if (anchor.kind !== "path" && anchor.kind !== "url") return;
  keys.add(baseName(anchor.key));
  keys.add(anchor.key.slice(0, Math.max(0, anchor.key.lastIndexOf("/"))));
}

/** Either date may lack its year: `04-21` matches `2026-04-21`, of which `-04-21` is kept, and vice versa. */
function isKnownDate(key: string, keys: ReadonlySet<string>): boolean {
  return keys.has(key.length === 5 ? `-${key}` : key.slice(-5));
}

/** Minute of the day of `HH:mm`. */
function minuteOf(time: string): number {
  const digit = (place: number) => time.charCodeAt(place) - 0x30;
  return (digit(0) * 10 + digit(1)) * 60 + digit(3) * 10 + digit(4);
}

/** A timeline may round to the half hour. */
function isNear(time: string, minutes: ReadonlySet<number>): boolean {
  const minute = minuteOf(time);
  if (minute % 30 !== 0) return false;
  for (let i = minute - 30; i <= minute + 30; i++) if (minutes.has(i)) return true;
  return false;
}

/** Returns a function that checks whether a number of the source is within an error of the wanted one. Reads the source lazily. */
function numbersIn(source: string): (wanted: number, error: number) => boolean {
  let sorted: Float64Array | undefined;
  return (wanted, error) => {
    sorted ??= readNumbers(source).sort();
    const slack = error * (1 + 1e-9);
    const at = firstAtLeast(sorted, wanted - slack);
    return (sorted[at] ?? Infinity) <= wanted + slack;
  };
}

function readNumbers(source: string): Float64Array {
  const numbers: number[] = [];
  for (const [digits] of source.matchAll(/\d[\d.,_]*/g)) {
    if (digits.length > 40) continue;
    const value = readNumber(digits)?.value;
    if (value === undefined) for (const piece of digits.split(/[.,_]/)) numbers.push(Number(piece));
    else numbers.push(value);
  }
  return Float64Array.from(numbers);
}

function firstAtLeast(sorted: Float64Array, value: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? Infinity) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

function isKnownNumber(text: string, isNumber: (wanted: number, error: number) => boolean): boolean {
  const token = text.split(/\s/)[0] ?? "";
  const number = readNumber(token);
  if (number === undefined) return true;
  if (number.isWhole && number.value < 100 && COUNTED.test(text)) return true;
  const scale = scaleOf(number.unit);
  // 10k may be 10,240 and 2.5M may be 2,483,112.
  const error = Math.max(0.5, roundingError(token)) * scale;
  return (
    isNumber(number.value, roundingError(token)) || (scale !== 1 && isNumber(number.value * scale, error))
  );
}

/** A path whose folder and name both occur. */
function isKnownPath(key: string, keys: ReadonlySet<string>, search: (text: string) => boolean): boolean {
  if (keys.has(baseName(key)) && key.split("/").every(search)) return true;
  return search(key);
}

/** Searches text, ignoring case, spaces, dashes, underscores and quotes. */
function searchIn(source: string): (text: string) => boolean {
  let squeezed: string | undefined;
  let searches = 0;
  return (text) => {
    const wanted = squeeze(text);
    if (wanted === "") return true;
    if (++searches > MOST_SEARCHES) return false;
    if (source.includes(text)) return true;
    squeezed ??= squeeze(source);
    return squeezed.includes(wanted);
  };
}

function squeeze(text: string): string {
  return text.toLowerCase().replace(/[\s_\-`*"'‐‑]+/g, "");
}
