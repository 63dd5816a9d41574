/**
 * Reads memories from a file in any of the formats, in the order of the file. Unreadable entries are reported with
 * their line, and the rest is read. A memory whose id occurred before is reported and not returned twice.
 */
import type { ExchangeFormat } from "./exchange-formats.ts";
import { importedMemory, type Lines, type ReadContext, type ReadItem } from "./imported-memory.ts";
import { readJsonl } from "./read-jsonl.ts";
import { readLancedbPro } from "./read-lancedb-pro.ts";
import { readMarkdown } from "./read-markdown.ts";
import { readMem0 } from "./read-mem0.ts";
import { readMemoryMarkdown } from "./read-memory-markdown.ts";

type Reader = (lines: Lines, context: ReadContext) => AsyncGenerator<ReadItem>;

const READERS: Readonly<Record<ExchangeFormat, Reader>> = {
  "palimpsest-jsonl": readOwnJsonl,
  "palimpsest-markdown": readMarkdown,
  "lancedb-pro": readLancedbPro,
  mem0: readMem0,
  "memory-markdown": readMemoryMarkdown,
};

export async function* readMemories(
  format: ExchangeFormat,
  lines: Lines,
  context: ReadContext,
): AsyncGenerator<ReadItem> {
  const lineOf = new Map<string, number>();
  for await (const item of READERS[format](lines, context)) {
    if ("problem" in item) {
      yield item;
      continue;
    }
    // A changed entry counts as the one that it replaces.
    const id = item.memory.replaces ?? item.memory.id;
    const first = lineOf.get(id);
    lineOf.set(id, first ?? item.line);
    yield first === undefined ? item : { line: item.line, problem: `repeats ${id} of line ${first}` };
  }
}

async function* readOwnJsonl(lines: Lines): AsyncGenerator<ReadItem> {
  for await (const item of readJsonl(lines))
    yield "problem" in item ? item : { line: item.line, memory: importedMemory(item.memory) };
}
