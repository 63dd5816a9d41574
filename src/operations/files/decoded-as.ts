/** The encoding of a slice, in words; null if its text is exactly the content of the file. */
import type { SliceAnswer } from "./file-schema.ts";

const NAMES = {
  "utf-8": "UTF-8 with � for what is not valid",
  "utf-16le": "UTF-16",
  "utf-16be": "UTF-16",
  "windows-1252": "Latin (Windows-1252)",
} as const;

export function decodedAs({ text, base64, encoding }: SliceAnswer): string | null {
  return text === null || base64 === null || encoding === null ? null : NAMES[encoding];
}
