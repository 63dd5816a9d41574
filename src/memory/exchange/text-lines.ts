/** The lines of a file for the readers here. Invalid UTF-8 is rejected, since replacement characters would lose words. */
import { TextDecoder } from "node:util";
import { PalimpsestError } from "../../errors.ts";
import { splitLines } from "../../text/split-lines.ts";

export async function* textLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  let line = 0;
  for await (const { bytes } of splitLines(chunks)) {
    line += 1;
    yield decoded(decoder, bytes, line);
  }
}

function decoded(decoder: TextDecoder, bytes: Uint8Array, line: number): string {
  try {
    return decoder.decode(bytes);
  } catch (cause) {
    throw new PalimpsestError("invalid-input", `line ${line} is not UTF-8`, {
      advice: "Save the file as UTF-8, and try again.",
      cause,
    });
  }
}
