/**
 * Detects the format of a file by the shape of its lines, never by its name. Known formats that are not imported
 * are rejected by name, as are empty and binary files. For all others the error lists the supported formats.
 */
import { PalimpsestError } from "../../errors.ts";
import type { DocumentFormat } from "./documents/document-format.ts";
import { DOCUMENT_READERS, documentFormat } from "./documents/index.ts";
import { TRANSCRIPT_FORMATS } from "./formats.ts";
import { textAt } from "./json-fields.ts";
import { isNeutralHeader, neutral } from "./neutral.ts";
import type { TranscriptFormat } from "./transcript-format.ts";
import { unsupportedFormat } from "./unsupported-formats.ts";

export type Recognised =
  | { readonly kind: "transcript"; readonly format: TranscriptFormat }
  /** A file of whole sessions, which are read entry by entry. */
  | { readonly kind: "document"; readonly format: DocumentFormat }
  /** An export of a whole palimpsest store, which is loaded instead of read as a conversation. */
  | { readonly kind: "store-export" };

const STORE_EXPORT_ROW = "palimpsest-store";

/**
 * `lines` are the first objects of the file and `start` its first bytes, as `readOpening` gives them. Throws
 * `not-supported` with the reason for files that are not a supported transcript.
 */
export function recogniseFormat(
  lines: readonly unknown[],
  path: string,
  start: Uint8Array = new Uint8Array(),
): Recognised {
  if (lines.some((line) => textAt(line, "row") === STORE_EXPORT_ROW)) return { kind: "store-export" };
  // The header decides: lines of any message family may follow it, also lines that look like another host's.
  if (lines.some(isNeutralHeader)) return { kind: "transcript", format: neutral };
  const document = documentFormat(lines, start);
  if (document !== undefined) return { kind: "document", format: document };
  const refusal = unsupportedFormat(lines, start);
  if (refusal !== undefined)
    throw refused(`${path} is ${refusal.label}, which cannot be imported`, refusal.advice);
  const format = TRANSCRIPT_FORMATS.find((candidate) => candidate.recognises(lines));
  if (format === undefined) throw unrecognised(lines, path, start);
  return { kind: "transcript", format };
}

function unrecognised(lines: readonly unknown[], path: string, start: Uint8Array): PalimpsestError {
  const first = start.find((byte) => !isWhitespace(byte));
  if (lines.length > 0 || first === OPENING.array || first === OPENING.object)
    return refused(`${path} has an unknown transcript format`, knownFormats());
  if (first === undefined) return refused(`${path} is empty`, "Import it once its host has written to it.");
  if (start.includes(0)) return refused(`${path} is a binary file, not a transcript`, knownFormats());
  return refused(`${path} contains no JSON`, knownFormats());
}

/** The first byte of a JSON value with content. */
const OPENING = { array: 0x5b, object: 0x7b } as const;

function isWhitespace(byte: number): boolean {
  return byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);
}

function refused(message: string, advice: string): PalimpsestError {
  return new PalimpsestError("not-supported", message, { advice });
}

function knownFormats(): string {
  const labels = new Set([...DOCUMENT_READERS, ...TRANSCRIPT_FORMATS].map((format) => format.label));
  return `Supported formats: ${[...labels].join(", ")} (one {"role", "content"} object per line).`;
}
