/** Memories that the holder can access, page by page, newest first. */
import type { MemoryQuery, MemoryStore, StoredMemory } from "../store/memory-store.ts";

const PAGE = 500;

/** In any state. */
export function everyPage(store: MemoryStore): AsyncGenerator<readonly StoredMemory[]> {
  return pagesOf(store, { states: ["active", "superseded", "archived", "erased"], limit: PAGE });
}

export async function everyMemory(store: MemoryStore, query: MemoryQuery): Promise<readonly StoredMemory[]> {
  const rows: StoredMemory[] = [];
  for await (const memory of eachMemory(store, query)) rows.push(memory);
  return rows;
}

export async function* eachMemory(store: MemoryStore, query: MemoryQuery): AsyncGenerator<StoredMemory> {
  for await (const page of pagesOf(store, query)) yield* page;
}

async function* pagesOf(store: MemoryStore, query: MemoryQuery): AsyncGenerator<readonly StoredMemory[]> {
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<MemoryStore["memories"]>> = await store.memories({
      ...query,
      ...(cursor === null ? {} : { cursor }),
    });
    yield page.rows;
    cursor = page.next;
  } while (cursor !== null);
}
