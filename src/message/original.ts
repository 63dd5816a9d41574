/**
 * The exact original of an API message. `decodeOriginal` restores what `encodeOriginal` accepted: equal
 * values, the same keys in the same order. Values that JSON would silently lose are rejected by name.
 * The text is always storable: JSON escapes NUL and lone surrogates.
 */
import { PalimpsestError } from "../errors.ts";
import type { MessageFormat } from "../types.ts";
import { fitOf, isPlainObject, refuseLoss } from "./check-json.ts";
import { tagBinary, untagBinary } from "./tag-binary.ts";

type OriginalFormat = Extract<MessageFormat, "message" | "message+binary">;

interface Original {
  readonly format: OriginalFormat;
  readonly text: string;
}

/** `place` is the name of the message in errors, e.g. `messages[0]`. */
export function encodeOriginal(value: unknown, place = "message"): Original {
  if (!isPlainObject(value)) throw notAMessage(place);
  const fit = fitOf(value);
  if (fit === "plain") return { format: "message", text: JSON.stringify(value) };
  if (fit === "lossy") refuseLoss(value, place);
  return { format: "message+binary", text: JSON.stringify(tagBinary(value)) };
}

export function decodeOriginal(format: OriginalFormat, text: string): unknown {
  const value = parse(text);
  return format === "message" ? value : untagBinary(value);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new PalimpsestError("store-corrupt", "it is not valid JSON", {
      advice: "List damaged messages with: lcm verify",
    });
  }
}

function notAMessage(place: string): PalimpsestError {
  return new PalimpsestError("invalid-input", `${place} is not a plain object`, {
    advice: 'Give the message as the API takes it, e.g. { role: "user", content: "…" }.',
  });
}
