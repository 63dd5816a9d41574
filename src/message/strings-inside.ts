/**
 * Extracts text from values of unknown shape, for searching and counting, never for storing. Neither function throws,
 * however deep or odd the value is.
 */
import { MAX_NESTING } from "./check-json.ts";
import { isBinary } from "./tag-binary.ts";

/** Shorter strings may be words. */
export const SHORTEST_ENCODED = 512;

/** Every string in the value, in order, one a line. Encoded bytes and the block's own `type` are left out. */
export function stringsInside(value: unknown): string {
  const found: string[] = [];
  const seen = new Set<object>();
  // Iterative instead of recursive: a transcript line may be nested deeper than the stack allows.
  const ahead: unknown[] = [withoutType(value)];
  while (ahead.length > 0) {
    const next = ahead.pop();
    if (typeof next === "string") {
      if (!isEncodedBytes(next)) found.push(next);
    } else if (next instanceof URL) {
      found.push(next.href);
    } else if (typeof next === "object" && next !== null && !isBinary(next) && !seen.has(next)) {
      seen.add(next);
      const children: unknown[] = Object.values(next);
      for (let i = children.length - 1; i >= 0; i--) ahead.push(children[i]);
    }
  }
  return found.join("\n");
}

function withoutType(value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("type" in value) || isBinary(value)) return value;
  const { type: _type, ...rest } = value;
  return typeof value.type === "string" ? rest : value;
}

/** Base64 or a data URL: not searched for, and not counted as text by models. */
export function isEncodedBytes(text: string): boolean {
  if (text.length < SHORTEST_ENCODED) return false;
  if (text.startsWith("data:")) return true;
  // Searches for a forbidden character: an expression that matches the whole text overflows at about 40 MB.
  if (/[^A-Za-z0-9+/_=-]/.test(text)) return false;
  return /[a-z]/.test(text) && /[A-Z]/.test(text) && /[0-9]/.test(text);
}

/** The value as JSON text, with bytes left out. */
export function jsonText(value: unknown): string {
  const text = writtenAsJson(value);
  // Too deep for JSON, or cyclic: keeps the strings without the structure. The depth limit must not depend on the
  // stack size, which differs between threads.
  return text === null || isTooDeep(value, text) ? stringsInside(value) : text;
}

/**
 * A value parsed from this JSON, in which too deeply nested values are replaced by their text: serialising them again, or
 * any other walk, would overflow the stack.
 */
export function withinDepth(value: unknown, json: string): unknown {
  return isTooDeep(value, json) ? cutBelow(value, MAX_NESTING) : value;
}

function cutBelow(value: unknown, levels: number): unknown {
  if (typeof value !== "object" || value === null || isBinary(value)) return value;
  if (levels === 0) return stringsInside(value);
  if (Array.isArray(value)) return value.map((child) => cutBelow(child, levels - 1));
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, cutBelow(child, levels - 1)]));
}

function writtenAsJson(value: unknown): string | null {
  try {
    return JSON.stringify(value, withoutBytes) ?? "";
  } catch {
    return null;
  }
}

function isTooDeep(value: unknown, json: string): boolean {
  if (json.length < 2 * MAX_NESTING || !hasManyBrackets(json)) return false;
  const ahead: (readonly [unknown, number])[] = [[value, 1]];
  for (let next = ahead.pop(); next !== undefined; next = ahead.pop()) {
    const [one, depth] = next;
    if (typeof one !== "object" || one === null || isBinary(one)) continue;
    if (depth > MAX_NESTING) return true;
    for (const child of Object.values(one)) if (typeof child === "object") ahead.push([child, depth + 1]);
  }
  return false;
}

/** Each level ends with a bracket, so a deep value has many brackets. */
function hasManyBrackets(json: string): boolean {
  let brackets = 0;
  for (let i = 0; i < json.length && brackets <= MAX_NESTING; i++) {
    const sign = json.charCodeAt(i);
    if (sign === 93 || sign === 125) brackets++;
  }
  return brackets > MAX_NESTING;
}

/** Looks at the holder, because a Buffer has already become a list of numbers in `value`. */
function withoutBytes(this: Readonly<Record<string, unknown>>, key: string, value: unknown): unknown {
  const original = this[key];
  return typeof original === "object" && isBinary(original) && !(original instanceof URL) ? null : value;
}
