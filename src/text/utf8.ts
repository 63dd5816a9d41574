const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const lenient = new TextDecoder("utf-8", { ignoreBOM: true });

/** The text of these bytes, or undefined when they are not valid UTF-8 or contain a NUL. */
export function decodeExactly(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return strict.decode(bytes);
  } catch {
    return undefined;
  }
}

/** The text of these bytes with replacement characters for invalid sequences: for display and search, never for storage. */
export function decodeLeniently(bytes: Uint8Array): string {
  return lenient.decode(bytes);
}

/**
 * Whether a text can be stored without loss: no NUL, no lone surrogate. Everything else is stored as bytes.
 * (A lone surrogate has no UTF-8 form, so such a string is stored as UTF-16 by the caller's JSON escapes.)
 */
export function isStorableText(text: string): boolean {
  return text.isWellFormed() && !text.includes("\0");
}

/** The error message for a text that cannot be stored. */
export const NOT_STORABLE =
  "must not contain a NUL character or an unpaired surrogate: remove these characters";

/** For derived text whose source is stored exactly: each such character becomes U+FFFD. */
export function withReplacements(text: string): string {
  return isStorableText(text) ? text : text.replaceAll("\0", "\ufffd").toWellFormed();
}

/** For names from hosts: each such character is written as `\u{0}`, so that different names stay different. */
export function storableName(name: string): string {
  if (isStorableText(name)) return name;
  return name.replace(/\0|\p{Cs}/gu, (character) => `\\u{${character.charCodeAt(0).toString(16)}}`);
}

/** Some editors write a byte order mark at the start of a file, which JSON does not allow. */
export function withoutByteOrderMark(text: string): string {
  return text.startsWith("\ufeff") ? text.slice(1) : text;
}

const encoder = new TextEncoder();

export function encodeUtf8(text: string): Uint8Array<ArrayBuffer> {
  return encoder.encode(text);
}
