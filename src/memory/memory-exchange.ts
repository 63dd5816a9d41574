/** Exports memories of this store, and imports those of other stores and systems. */
import { PalimpsestError } from "../errors.ts";
import type { MemoryQuery, MemoryStore } from "../store/memory-store.ts";
import { requireGiven } from "../text/given.ts";
import { eachMemory } from "./every-memory.ts";
import { type ExchangedMemory, exchangedMemory } from "./exchange/exchanged-memory.ts";
import type { ImportOptions, ImportReport } from "./exchange/import-memories.ts";
import type { ReadItem } from "./exchange/imported-memory.ts";
import { exportInput, importOptions } from "./inputs.ts";
import type { MemoryWork } from "./memory-work.ts";
import { writableScope } from "./scopes.ts";

export class MemoryExchange {
  readonly #use: MemoryWork;

  constructor(use: MemoryWork) {
    this.#use = use;
  }

  /** Imports the entries of a file. Known memories do not change, so a repeated import changes nothing. */
  async import(items: AsyncIterable<ReadItem>, options: ImportOptions = {}): Promise<ImportReport> {
    requireItems(items);
    requireGiven("exchange.import", importOptions, options);
    const defaultScope = writableScope(options.scope ?? this.#use.settings.memoryScope ?? null, this.#use);
    const { importMemories } = await import("./exchange/import-memories.ts");
    const report = await importMemories(items, options, { ...this.#use, defaultScope });
    if (!report.dryRun && report.created + report.superseded > 0) this.#use.followUp();
    return report;
  }

  /** All exportable memories, newest first. */
  async *export(query: ExportQuery = {}): AsyncGenerator<ExchangedMemory> {
    requireGiven("exchange.export", exportInput, query);
    yield* exportMemories(this.#use.store, query);
  }
}

function requireItems(items: unknown): void {
  const isIterable =
    typeof items === "object" &&
    items !== null &&
    (Symbol.asyncIterator in items || Symbol.iterator in items);
  if (!isIterable)
    throw new PalimpsestError(
      "invalid-input",
      "exchange.import: items must be an async iterable of memories",
      {
        advice: "Pass what a reader of a file returns. A file is imported with: lcm memory import <file>",
      },
    );
}

/** All memories that the holder can access, with their events, newest first; one page is held at a time. */
const EVERY_STATE = ["active", "superseded", "archived", "erased"] as const;

type ExportQuery = Pick<MemoryQuery, "scopes" | "categories" | "states">;

async function* exportMemories(store: MemoryStore, query: ExportQuery = {}): AsyncGenerator<ExchangedMemory> {
  for await (const memory of eachMemory(store, { states: EVERY_STATE, ...query, limit: 500 }))
    yield exchangedMemory(memory, await store.memoryEvents(memory.id));
}
