/**
 * What is worth keeping. The flow of one agent: facts are captured from conversations or stored outright, admitted,
 * held against what is known, remembered, recalled when they matter, and fade or are forgotten. The stages are in the
 * folders beside this file, and each says why it decided as it did. What writes is loaded when it is first needed: its
 * rules, in ten languages, would make every start slower.
 */
import type { Memory as MemoryRow } from "../memory-types.ts";
import { StemmedTexts } from "../search/calibrated/stemmed-texts.ts";
import type {
  MemoryCounts,
  MemoryEvent,
  MemoryPage,
  MemoryQuery,
  StoredDecision,
  StoredMemory,
  VectorCount,
} from "../store/memory-store.ts";
import { parseGiven } from "../text/given.ts";
import { AutoCapture } from "./capture/auto-capture.ts";
import type { CaptureInput, CaptureReport } from "./capture/capture.ts";
import { fillVectors } from "./embed-memories.ts";
import type { ExchangedMemory } from "./exchange/exchanged-memory.ts";
import { type ExportQuery, exportMemories } from "./exchange/export-memories.ts";
import type { ImportOptions, ImportReport } from "./exchange/import-memories.ts";
import type { ReadItem } from "./exchange/imported-memory.ts";
import type { ConsolidateInput, ConsolidateReport } from "./forget/consolidate-memories.ts";
import { type ForgetOutcome, forgetMemory } from "./forget/forget-memory.ts";
import {
  type DecisionInput,
  decisionInput,
  type FactInput,
  type ForgetInput,
  type ListInput,
  listInput,
  type RecallInput,
  type StoreInput,
  type UpdateInput,
} from "./inputs.ts";
import type { MemoryDependencies } from "./memory-dependencies.ts";
import {
  type AutoRecallInput,
  type BlockReceipt,
  blockAgain,
  type RecalledBlock,
  recallBlock,
} from "./recall/auto-recall.ts";
import { MemoryIndexer, type MemorySegmentMaker } from "./recall/index/memory-indexer.ts";
import { MemoryWords } from "./recall/index/memory-words.ts";
import { OlderEmbedders } from "./recall/older-embedders.ts";
import { type FactAnswer, queryFacts } from "./recall/query-facts.ts";
import { type MemoryOrigins, readSource } from "./recall/read-source.ts";
import { type ExplainOptions, type RecallDependencies, type RecallResult, recall } from "./recall/recall.ts";
import { type ReembedOptions, type ReembedReport, reembed } from "./remember/reembed.ts";
import type { StoreManyInput, StoreManyOptions } from "./remember/store-many.ts";
import type { StoreOutcome } from "./remember/store-memory.ts";
import type { UpdateOutcome } from "./remember/update-memory.ts";
import { UseCounter } from "./remember/use-counter.ts";
import { requireMemory } from "./require-memory.ts";
import { writableScope } from "./scopes.ts";
import type { MemoryRepair, MemoryReport } from "./verify/memory-problem.ts";
import { repairMemories } from "./verify/repair-memories.ts";
import { type VerifyMemoriesOptions, verifyMemories } from "./verify/verify-memories.ts";

export interface MemoryStats extends MemoryCounts {
  readonly vectors: readonly VectorCount[];
  /** What vectors are made with; null when there is no embedder. */
  readonly embeddingModel: string | null;
  /** Memories that no segment of the word index holds yet. They are found all the same. */
  readonly unindexed: number;
}

/** Fewer memories are indexed in passing by whoever searches: a segment of its own for each would cost every store a sync. */
const WORTH_INDEXING = 64;

interface MemoryParts extends MemoryDependencies {
  /** Makes segments of the word index. */
  readonly segments: MemorySegmentMaker;
}

export class Memory {
  readonly #use: RecallDependencies & MemoryParts;
  readonly #indexer: MemoryIndexer;
  readonly #autoCapture: AutoCapture;
  #hasLooked = false;

  constructor(use: MemoryParts) {
    const { store, segments: maker } = use;
    this.#indexer = new MemoryIndexer(store, maker);
    const words = new MemoryWords({ store, maker, indexer: this.#indexer });
    this.#use = {
      ...use,
      words,
      uses: new UseCounter(use),
      texts: new StemmedTexts(),
      older: new OlderEmbedders(use),
    };
    this.#autoCapture = new AutoCapture(use, (input) => this.capture(input));
  }

  /** Keeps what somebody says is worth keeping. The same again changes nothing; another value replaces the old one. */
  async store(input: StoreInput): Promise<StoreOutcome> {
    const { storeMemory } = await import("./remember/store-memory.ts");
    const outcome = await storeMemory(input, this.#use);
    if (outcome.action !== "duplicate") this.#later();
    return outcome;
  }

  /** Very many at once, as they are. */
  async storeMany(
    inputs: readonly StoreManyInput[],
    options: StoreManyOptions = {},
  ): Promise<readonly MemoryRow[]> {
    const { storeMany } = await import("./remember/store-many.ts");
    const stored = await storeMany(inputs, this.#use, options);
    this.#later();
    return stored;
  }

  /** What matters for a question, best first. Counts as a use of what is given. */
  async recall(
    input: RecallInput,
    options: { readonly signal?: AbortSignal | undefined } = {},
  ): Promise<RecallResult> {
    this.#laterOnce();
    return recall(input, this.#use, options);
  }

  /** The same, with what each stage did to each candidate. Counts as nothing. */
  async explain(input: RecallInput, options: ExplainOptions = {}): Promise<RecallResult> {
    return recall(input, this.#use, { ...options, isExplained: true });
  }

  /** What a model should see of it before it is asked this, as a text that is framed as data; null when there is nothing. */
  async recallFor(input: AutoRecallInput): Promise<RecalledBlock | null> {
    const block = await recallBlock(input, this.#use, (query, limit, signal) =>
      recall({ query, limit, source: "auto" }, this.#use, {
        signal,
        embedMilliseconds: this.#use.settings.autoRecallTimeoutMs / 2,
      }),
    );
    if (block !== null) this.#use.uses.count(block.ids, "injection");
    return block;
  }

  /** The same text again, from what was kept of it. Counts as nothing. */
  async recallAgain(receipt: BlockReceipt): ReturnType<typeof blockAgain> {
    return blockAgain(receipt, this.#use);
  }

  async update(input: UpdateInput): Promise<UpdateOutcome> {
    const { updateMemory } = await import("./remember/update-memory.ts");
    const outcome = await updateMemory(input, this.#use);
    if (outcome.action === "version") this.#later();
    else if (input.tags !== undefined) this.forgetWords();
    return outcome;
  }

  /** Drops what is held in memory of words. To be called when something was erased. */
  forgetWords(): void {
    this.#use.words.forget();
    this.#use.texts.forget();
  }

  /** Sets a memory aside, or erases it for good. */
  async forget(input: ForgetInput): Promise<ForgetOutcome> {
    const outcome = await forgetMemory(input, this.#use, (query) => this.explain(query));
    if (outcome.action === "erased") this.forgetWords();
    return outcome;
  }

  async get(id: string): Promise<MemoryRow> {
    return requireMemory(this.#use.store, id);
  }

  /** All versions of what this memory says, oldest first. */
  async versions(id: string): Promise<readonly MemoryRow[]> {
    return this.#use.store.memoryVersions((await requireMemory(this.#use.store, id)).id);
  }

  /** What was done to a memory, oldest first. */
  async events(id: string): Promise<readonly MemoryEvent[]> {
    return this.#use.store.memoryEvents((await requireMemory(this.#use.store, id)).id);
  }

  /** The exact words that a memory came from. */
  async source(id: string): Promise<MemoryOrigins> {
    return readSource(id, this.#use);
  }

  /** Newest first. */
  async list(input: ListInput = {}): Promise<MemoryPage<StoredMemory>> {
    const { limit = 50, factKey, ...query } = parseGiven("memory_list", listInput, input);
    return this.#use.store.memories({ ...query, ...keyQuery(factKey), limit });
  }

  async stats(): Promise<MemoryStats> {
    const { store, embedder } = this.#use;
    const [counts, vectors, index] = await Promise.all([
      store.memoryCounts(),
      store.vectorCounts(),
      store.memoryIndex(),
    ]);
    const unindexed = index.unindexed.reduce((sum, { first, last }) => sum + last - first + 1, 0);
    return { ...counts, vectors, embeddingModel: embedder?.model ?? null, unindexed };
  }

  /** What held of a fact, now or at a time. */
  async facts(input: FactInput): Promise<FactAnswer> {
    return queryFacts(input, this.#use);
  }

  /** Takes what is worth keeping out of what was said since the last time. */
  async capture(input: CaptureInput): Promise<CaptureReport> {
    const { capture } = await import("./capture/capture.ts");
    const report = await capture(input, this.#use);
    if (report.stored.length > 0) this.#later();
    return report;
  }

  /** What capturing decided about candidates, and why; newest first. */
  async decisions(input: DecisionInput = {}): Promise<MemoryPage<StoredDecision>> {
    const { limit = 50, ...query } = parseGiven("memory_decisions", decisionInput, input);
    return this.#use.store.decisions({ ...query, limit });
  }

  /** Brings in what a reader of a file found. What is there already stays, and so the same again changes nothing. */
  async importAll(items: AsyncIterable<ReadItem>, options: ImportOptions = {}): Promise<ImportReport> {
    const defaultScope = writableScope(options.scope ?? this.#use.settings.memoryScope ?? null, this.#use);
    const { importMemories } = await import("./exchange/import-memories.ts");
    const report = await importMemories(items, options, { ...this.#use, defaultScope });
    if (!report.dryRun && report.created + report.superseded > 0) this.#later();
    return report;
  }

  /** Everything that can be carried to another store, newest first. */
  exportAll(query: ExportQuery = {}): AsyncGenerator<ExchangedMemory> {
    return exportMemories(this.#use.store, query);
  }

  /** To be called when a conversation has grown: captures in the background, where that is on. */
  afterTurn(conversation: string): void {
    this.#autoCapture.afterTurn(conversation);
  }

  /** Sets aside what says the same twice, and moves memories between tiers. */
  async consolidate(input: ConsolidateInput = {}): Promise<ConsolidateReport> {
    const { consolidateMemories } = await import("./forget/consolidate-memories.ts");
    return consolidateMemories(input, this.#use);
  }

  /**
   * Makes the vectors that are missing for the configured model. Those of other models go on serving until then, and
   * stay unless `prune` is asked for.
   */
  async reembed(options: ReembedOptions = {}): Promise<ReembedReport> {
    try {
      return await reembed(options, this.#use);
    } finally {
      this.#use.older.lookAgain();
    }
  }

  /** Whether memories are what they must be, and what is kept beside them agrees with them. */
  async verify(options: VerifyMemoriesOptions): Promise<MemoryReport> {
    return verifyMemories(this.#use, options);
  }

  /** Makes again what `verify` says can be made again. */
  async repair(repairs: readonly MemoryRepair[]): Promise<void> {
    await repairMemories(repairs, this.#use);
  }

  /** Writes down uses that were counted since. */
  async flush(): Promise<void> {
    await this.#use.uses.flush();
  }

  /** To be called before the store is closed. */
  async close(): Promise<void> {
    await this.flush();
    await this.#use.older.close();
  }

  /** Brings the word index up to date now. A search does so by itself, as far as it must. */
  async index(options: { readonly signal?: AbortSignal | undefined } = {}): Promise<number> {
    return this.#indexer.catchUp(options);
  }

  /** What another process left, or what a change of the model asks for, is begun with the first question. */
  #laterOnce(): void {
    if (this.#hasLooked) return;
    this.#hasLooked = true;
    this.#later();
  }

  /** Vectors and index follow in the background: nobody waits for them, and recall is complete without. */
  #later(): void {
    const { background, embedder, store, agent } = this.#use;
    background?.add(`index memories ${agent}`, async (signal) => {
      await this.#indexer.catchUp({ signal, atLeast: WORTH_INDEXING });
    });
    if (embedder !== null)
      background?.add(`embed memories ${agent}`, async (signal) => {
        await fillVectors(store, embedder, { signal });
      });
  }
}

/** A key, or all that begin as it does before its asterisk. */
function keyQuery(key: string | undefined): Pick<MemoryQuery, "factKey" | "factKeyPrefix"> {
  if (key === undefined) return {};
  return key.endsWith("*") ? { factKeyPrefix: key.slice(0, -1) } : { factKey: key };
}
