/** Every memory that the holder may see, with what was done to it, newest first; one page is held at a time. */
import type { MemoryQuery, MemoryStore } from "../../store/memory-store.ts";
import { eachMemory } from "../every-memory.ts";
import { type ExchangedMemory, exchangedMemory } from "./exchanged-memory.ts";

const EVERY_STATE = ["active", "superseded", "archived", "erased"] as const;

export type ExportQuery = Pick<MemoryQuery, "scopes" | "categories" | "states">;

export async function* exportMemories(
  store: MemoryStore,
  query: ExportQuery = {},
): AsyncGenerator<ExchangedMemory> {
  for await (const memory of eachMemory(store, { states: EVERY_STATE, ...query, limit: 500 }))
    yield exchangedMemory(memory, await store.memoryEvents(memory.id));
}
