/**
 * Made-up credentials. Every value is drawn from a hash of its name, so none of them opens anything and the lists are the
 * same in each run; prefixes are put together here so that no scanner takes them for real ones.
 */
import { createHash } from "node:crypto";

export interface Shape {
  readonly kind: string;
  /** As somebody writes it. */
  readonly text: string;
  /** What must not be shown. */
  readonly secret: string;
}

const LOWER = "abcdefghijklmnopqrstuvwxyz";
export const DIGITS = "0123456789";
export const HEX = "0123456789abcdef";
export const LOWER_DIGITS = LOWER + DIGITS;
export const UPPER_DIGITS = LOWER_DIGITS.toUpperCase();
export const BASE32 = `${LOWER.toUpperCase()}234567`;
export const BASE62 = LOWER + LOWER.toUpperCase() + DIGITS;
export const BASE64 = `${BASE62}+/`;
export const BASE64_URL = `${BASE62}-_`;

/** The same characters for the same seed. */
export function draw(alphabet: string, length: number, seed: string): string {
  let drawn = "";
  for (let block = 0; drawn.length < length; block++)
    for (const byte of createHash("sha512").update(`${seed} ${block}`).digest())
      drawn += alphabet.charAt(byte % alphabet.length);
  return drawn.slice(0, length);
}

/** A key with what its provider puts before and behind it. */
export function issued(kind: string, before: string, alphabet: string, length: number, behind = ""): Shape {
  const secret = draw(alphabet, length, kind);
  return { kind, text: `${before}${secret}${behind}`, secret };
}

/** A credential in its surroundings: `#` is where it goes. */
export function written(kind: string, pattern: string, secret: string): Shape {
  return { kind, text: pattern.replace("#", secret), secret };
}
