/**
 * Memories as lines of JSON: a header that names the form and its version, a memory a line, and a last line that counts
 * them, so that a file which lost its end is never taken for a whole one. However many there are, one is held at a time.
 */
import type { ExchangedMemory } from "./exchanged-memory.ts";

export const JSONL_FORM = "memories";
export const JSONL_VERSION = 1;

interface JsonlHeader {
  readonly exportedAt: string;
}

export async function* writeJsonl(
  memories: AsyncIterable<ExchangedMemory> | Iterable<ExchangedMemory>,
  { exportedAt }: JsonlHeader,
): AsyncGenerator<string> {
  yield lineOf({ palimpsest: JSONL_FORM, version: JSONL_VERSION, exportedAt });
  let count = 0;
  for await (const memory of memories) {
    yield lineOf(memory);
    count += 1;
  }
  yield lineOf({ palimpsest: "end", memories: count });
}

function lineOf(value: object): string {
  return `${JSON.stringify(value)}\n`;
}
