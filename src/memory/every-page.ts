/** Every memory that the holder may see, in whatever state, newest first; a page at a time. */
import type { MemoryStore, StoredMemory } from "../store/memory-store.ts";

const PAGE = 500;

export async function* everyPage(store: MemoryStore): AsyncGenerator<readonly StoredMemory[]> {
  let cursor: string | null = "";
  while (cursor !== null) {
    const page: Awaited<ReturnType<MemoryStore["memories"]>> = await store.memories({
      states: ["active", "superseded", "archived", "erased"],
      limit: PAGE,
      ...(cursor === "" ? {} : { cursor }),
    });
    yield page.rows;
    cursor = page.next;
  }
}
