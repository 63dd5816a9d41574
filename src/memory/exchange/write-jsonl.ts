/**
 * Memories as lines of JSON: a header with format and version, one memory per line, and a last line that counts
 * them, so that a truncated file is detected. Only one memory is held at a time.
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
