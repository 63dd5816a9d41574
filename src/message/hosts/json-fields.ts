/**
 * Reads fields of parsed JSON from untrusted formats. A field that is missing or of another type is read as null (or
 * as an empty list), never as an error: a host may change its format at any time, and the line is stored anyway.
 */
import { normaliseTimestamp } from "../../text/timestamps.ts";

type JsonObject = { readonly [key: string]: unknown };

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function fieldAt(value: unknown, key: string): unknown {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** A non-empty text, or null. */
export function textAt(value: unknown, key: string): string | null {
  const field = fieldAt(value, key);
  return typeof field === "string" && field !== "" ? field : null;
}

export function listAt(value: unknown, key: string): readonly unknown[] {
  const field = fieldAt(value, key);
  return Array.isArray(field) ? field : [];
}

export function timeAt(value: unknown, key: string): string | null {
  return normaliseTimestamp(fieldAt(value, key)) ?? null;
}

/** The first of these values that is not null. */
export function firstText(texts: Iterable<string | null>): string | null {
  for (const text of texts) if (text !== null) return text;
  return null;
}

/** The ids under `key` in the blocks of one of these types, in order. */
export function idsInBlocks(blocks: readonly unknown[], types: readonly string[], key: string): string[] {
  return blocks
    .filter((block) => types.includes(textAt(block, "type") ?? ""))
    .map((block) => textAt(block, key))
    .filter((id) => id !== null);
}
