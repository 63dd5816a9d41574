/** The value that a host gave, read from the exact original. It needs nothing else and runs in any thread. */
import { isPalimpsestError, PalimpsestError } from "../errors.ts";
import type { StoredMessage } from "../store/store.ts";
import { decodeLeniently, withoutByteOrderMark } from "../text/utf8.ts";
import type { MessageFormat, Part } from "../types.ts";
import { transcriptFormat } from "./hosts/formats.ts";
import { decodeOriginal } from "./original.ts";
import { readPartsOf } from "./read-parts.ts";

export function readValue(format: MessageFormat, content: string | Uint8Array): unknown {
  const text = typeof content === "string" ? content : decodeLeniently(content);
  try {
    if (format === "message" || format === "message+binary") return decodeOriginal(format, text);
    return JSON.parse(withoutByteOrderMark(text));
  } catch (error) {
    // The parser's message quotes the content, and an error may end up in a log.
    const problem = isPalimpsestError(error) ? error.message : "it is not valid JSON";
    throw new PalimpsestError("store-corrupt", `a stored message cannot be read: ${problem}`, {
      advice: "List what is damaged with: lcm verify",
    });
  }
}

export function partsOf(format: MessageFormat, content: string | Uint8Array): readonly Part[] {
  return partsIn(unwrapped(format, readValue(format, content)));
}

/** The message as an API has it, without the envelope of a transcript line; undefined once erased. */
export function messageValue({ format, content }: StoredMessage): unknown {
  return content === null ? undefined : unwrapped(format, readValue(format, content));
}

export function partsIn(message: unknown): readonly Part[] {
  return readPartsOf(message);
}

export function unwrapped(format: MessageFormat, value: unknown): unknown {
  return transcriptFormat(format)?.unwrap(value) ?? value;
}
