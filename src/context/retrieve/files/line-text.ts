/**
 * What a line of a file says, read as the file reads. Nearly all are UTF-8, and the file is asked only when one is not.
 * The mark that begins some files, and the carriage return that ends their lines, are no part of what a line says.
 */

import { plainText, sliceText } from "../../files/slice-text.ts";
import type { FileLines } from "./file-lines.ts";

const lenient = new TextDecoder();

/** At once where it is UTF-8. */
export function lineText(line: Uint8Array, lines: FileLines): string | Promise<string> {
  const text = lines.utf16 === null ? plainText(line) : null;
  return text === null ? readOther(line, lines) : withoutSigns(text);
}

async function readOther(line: Uint8Array, lines: FileLines): Promise<string> {
  return withoutSigns(sliceText(line, await lines.encoding()).text ?? lenient.decode(line));
}

function withoutSigns(text: string): string {
  return text.slice(text.startsWith("\ufeff") ? 1 : 0, text.endsWith("\r") ? -1 : undefined);
}
