/** Reads the memories of a run in their indexed form. */

import type { MemoryRun } from "../../../store/memory-store.ts";
import type { IndexStore } from "./index-store.ts";
import { documentOf, type MemoryDocument, NO_DOCUMENT } from "./memory-document.ts";

const PAGE = 500;

interface ReadDocuments {
  /** One for each number of the run that was read. */
  readonly documents: readonly MemoryDocument[];
  /** The last number that was read. */
  readonly last: number;
}

/** Stops when the total length of the texts exceeds the limit. */
export async function readDocuments(
  store: IndexStore,
  run: MemoryRun,
  mostCharacters = Number.POSITIVE_INFINITY,
): Promise<ReadDocuments> {
  const documents: MemoryDocument[] = [];
  let size = 0;
  while (run.first + documents.length <= run.last && size < mostCharacters) {
    const page = await readPage(store, { ...run, first: run.first + documents.length });
    documents.push(...page);
    size += page.reduce((sum, document) => sum + sizeOf(document), 0);
  }
  return { documents, last: run.first + documents.length - 1 };
}

async function readPage(
  store: IndexStore,
  { scope, first, last }: MemoryRun,
): Promise<readonly MemoryDocument[]> {
  const count = Math.min(PAGE, last - first + 1);
  const refs = Array.from({ length: count }, (_, i) => ({ scope, number: first + i }));
  const documents = new Array<MemoryDocument>(count).fill(NO_DOCUMENT);
  for (const memory of await store.memoriesAt(refs)) documents[memory.number - first] = documentOf(memory);
  return documents;
}

function sizeOf({ abstract, overview, content }: MemoryDocument): number {
  return abstract.length + overview.length + content.length;
}
