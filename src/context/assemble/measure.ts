/** The size of a message as it is sent, and the hash that identifies it. Measured once for each object. */

import { sha256 } from "../../text/bytes.ts";
import type { CountTokens } from "../../text/estimate-tokens.ts";

/** Hex digits: enough to distinguish messages, and half the work when a thousand of them are hashed together. */
const HASH = 32;

export interface Measured {
  readonly tokens: number;
  readonly hash: string;
}

export class Meter {
  readonly #known = new WeakMap<object, Measured>();
  readonly #countTokens: CountTokens;

  constructor(countTokens: CountTokens) {
    this.#countTokens = countTokens;
  }

  text(text: string | null): number {
    return text === null ? 0 : this.#countTokens(text);
  }

  /** `mayHoldFiles`: whether the message may contain file bytes, which providers do not count by their characters. */
  message(message: unknown, mayHoldFiles: boolean): Measured {
    const known = isObject(message) ? this.#known.get(message) : undefined;
    if (known !== undefined) return known;
    const text = JSON.stringify(message) ?? "";
    const counted = mayHoldFiles && text.length > LONG ? (JSON.stringify(message, withoutBytes) ?? "") : text;
    const measured = { tokens: this.#countTokens(counted), hash: sha256(text).slice(0, HASH) };
    if (isObject(message)) this.#known.set(message, measured);
    return measured;
  }
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** A placeholder of an image's usual size. */
const LONG = 2_000;
const STAND_IN = "x".repeat(1_600 * 4);

function withoutBytes(key: string, value: unknown): unknown {
  if (ArrayBuffer.isView(value)) return STAND_IN;
  if (typeof value !== "string" || value.length < LONG) return value;
  const isEncoded = (key === "data" || key === "file_data") && !/\s/.test(value.slice(0, LONG));
  return isEncoded || value.startsWith("data:") ? STAND_IN : value;
}
