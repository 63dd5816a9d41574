/** Memories out of this store, and those of other stores and systems into it. */
import type { ExchangedMemory } from "./exchange/exchanged-memory.ts";
import { type ExportQuery, exportMemories } from "./exchange/export-memories.ts";
import type { ImportOptions, ImportReport } from "./exchange/import-memories.ts";
import type { ReadItem } from "./exchange/imported-memory.ts";
import type { MemoryWork } from "./memory-work.ts";
import { writableScope } from "./scopes.ts";

export class MemoryExchange {
  readonly #use: MemoryWork;

  constructor(use: MemoryWork) {
    this.#use = use;
  }

  /** Imports what a reader of a file found. What is there already stays, so importing it again changes nothing. */
  async import(items: AsyncIterable<ReadItem>, options: ImportOptions = {}): Promise<ImportReport> {
    const defaultScope = writableScope(options.scope ?? this.#use.settings.memoryScope ?? null, this.#use);
    const { importMemories } = await import("./exchange/import-memories.ts");
    const report = await importMemories(items, options, { ...this.#use, defaultScope });
    if (!report.dryRun && report.created + report.superseded > 0) this.#use.followUp();
    return report;
  }

  /** Everything that can be carried to another store, newest first. */
  export(query: ExportQuery = {}): AsyncGenerator<ExchangedMemory> {
    return exportMemories(this.#use.store, query);
  }
}
