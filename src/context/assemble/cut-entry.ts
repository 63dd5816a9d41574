/**
 * Shortens a message that does not fit: its long texts are cut in the middle and say where the full text is. Works
 * on the message's own shape, so ids, names and tool pairs stay intact.
 */

import { isBlock } from "../../message/block.ts";
import { partsIn } from "../../message/stored-value.ts";
import { cutMiddle } from "../../text/cut-text.ts";
import type { Entry } from "./entry.ts";

/** Texts up to this many characters are names, ids and short answers. */
const KEPT_WHOLE = 120;
/** The bytes of a file cannot be cut; providers count them differently. */
const FILE_KEYS = new Set(["data", "url", "image_url", "file_data"]);
/** A signature covers the whole thought, so a cut thought is invalid. */
const THOUGHTS = new Set(["thinking", "redacted_thinking", "reasoning"]);

/** A message that is already cut is cut anew from its full text. */
export function cutEntry(shown: Entry, maxTokens: number): Entry {
  const entry = shown.whole ?? shown;
  if (entry.wire.type === "text") {
    const text = cutMiddle(entry.wire.text, charactersFor(entry, entry.wire.text, maxTokens), entry.id);
    const original = { role: "user", content: text };
    return {
      ...entry,
      whole: entry,
      tokens: maxTokens,
      cutTo: maxTokens,
      wire: { ...entry.wire, text },
      original,
    };
  }
  const share = maxTokens / entry.tokens;
  const value = cutInside(entry.wire.value, share, entry.id);
  return {
    ...entry,
    whole: entry,
    tokens: maxTokens,
    cutTo: maxTokens,
    wire: { ...entry.wire, value, parts: partsIn(value) },
    original: value,
  };
}

function charactersFor(entry: Entry, text: string, maxTokens: number): number {
  return Math.floor((text.length * maxTokens) / entry.tokens);
}

function cutInside(value: unknown, share: number, id: string): unknown {
  if (typeof value === "string")
    return value.length <= KEPT_WHOLE
      ? value
      : cutMiddle(value, Math.max(KEPT_WHOLE, Math.floor(value.length * share)), id);
  if (Array.isArray(value))
    return value.filter((item) => !isThought(item)).map((item) => cutInside(item, share, id));
  if (!isBlock(value) || ArrayBuffer.isView(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      FILE_KEYS.has(key) ? inner : cutInside(inner, share, id),
    ]),
  );
}

function isThought(value: unknown): boolean {
  return isBlock(value) && typeof value.type === "string" && THOUGHTS.has(value.type);
}
