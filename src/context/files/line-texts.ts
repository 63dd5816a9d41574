/**
 * What the lines of a file say, read as the file reads. Nearly all are UTF-8, and the file is asked only when one is not.
 * The mark that begins some files, and the carriage return that ends their lines, are no part of what a line says.
 */
import type { ScopedStore } from "../../store/store.ts";
import type { Encoding } from "./explore/detect-encoding.ts";
import { fileEncoding } from "./file-encoding.ts";
import { isUtf16, plainText, sliceText } from "./slice-text.ts";

const lenient = new TextDecoder();

export class LineTexts {
  readonly #store: ScopedStore;
  readonly #file: string;
  #encoding: Encoding | null | undefined;

  constructor(store: ScopedStore, file: string) {
    this.#store = store;
    this.#file = file;
  }

  /** At once where it is UTF-8. `byte` is where the line begins in the file. */
  read(line: Uint8Array, byte: number): string | Promise<string> {
    const text = plainText(line);
    return text === null ? this.#readOther(line, byte) : withoutSigns(text);
  }

  async #readOther(line: Uint8Array, byte: number): Promise<string> {
    if (this.#encoding === undefined) this.#encoding = await fileEncoding(this.#store, this.#file);
    const bytes = isUtf16(this.#encoding) ? wholeUnits(line, byte) : line;
    return withoutSigns(sliceText(bytes, this.#encoding).text ?? lenient.decode(bytes));
  }
}

/** A line feed has two bytes there, one of which is the beginning or the end of a line. */
function wholeUnits(line: Uint8Array, byte: number): Uint8Array {
  const start = byte % 2;
  return line.subarray(start, line.length - ((line.length - start) % 2));
}

function withoutSigns(text: string): string {
  return text.slice(text.startsWith("\ufeff") ? 1 : 0, text.endsWith("\r") ? -1 : undefined);
}
