/**
 * Long-term facts. The flow of one agent: facts are captured from conversations or stored explicitly, admitted, compared
 * with known memories, stored, recalled when they are relevant, and fade or are forgotten. The stages are in the folders
 * beside this file, and each records the reasons of its decisions. The writing stages are loaded on first use: their
 * rules, in ten languages, would make every start slower.
 */
import type { Memory } from "../memory-types.ts";
import type { MemoryPage, StoredMemory } from "../store/memory-store.ts";
import { requireGiven, requireList, whileRunning } from "../text/given.ts";
import type { CaptureInput, CaptureReport } from "./capture/capture.ts";
import { keyQuery } from "./dedup/given-key.ts";
import { type ForgetOutcome, forgetMemory } from "./forget/forget-memory.ts";
import {
  captureInput,
  type FactInput,
  type ForgetInput,
  type ListInput,
  listInput,
  type RecallInput,
  recallOptions,
  type StoreInput,
  storeManyOptions,
  type UpdateInput,
} from "./inputs.ts";
import { MemoryExchange } from "./memory-exchange.ts";
import { MemoryHistory } from "./memory-history.ts";
import { MemoryMaintenance } from "./memory-maintenance.ts";
import type { MemoryWork } from "./memory-work.ts";
import { type FactAnswer, queryFacts } from "./recall/query-facts.ts";
import { type RecallOptions, type RecallResult, recall } from "./recall/recall.ts";
import type { StoreManyInput, StoreManyOptions } from "./remember/store-many.ts";
import type { StoreOutcome } from "./remember/store-memory.ts";
import type { UpdateOutcome } from "./remember/update-memory.ts";
import { requireMemory } from "./require-memory.ts";

const captureCall = captureInput.extend({ signal: whileRunning.signal });

/** The memory of one agent. */
export class AgentMemory {
  readonly history: MemoryHistory;
  readonly exchange: MemoryExchange;
  readonly maintenance: MemoryMaintenance;
  readonly #use: MemoryWork;
  #hasLooked = false;

  constructor(use: MemoryWork) {
    this.#use = use;
    this.history = new MemoryHistory(use);
    this.exchange = new MemoryExchange(use);
    this.maintenance = new MemoryMaintenance(use);
  }

  /** Stores a fact. Storing the same fact again changes nothing; another value replaces the old one. */
  async store(input: StoreInput): Promise<StoreOutcome> {
    const { storeMemory } = await import("./remember/store-memory.ts");
    const outcome = await storeMemory(input, this.#use);
    if (outcome.action !== "duplicate") this.#use.followUp();
    return outcome;
  }

  /** Stores many memories at once, unchanged. */
  async storeMany(
    inputs: readonly StoreManyInput[],
    options: StoreManyOptions = {},
  ): Promise<readonly Memory[]> {
    requireList("storeMany", "memories", inputs);
    requireGiven("storeMany", storeManyOptions, options);
    const { storeMany } = await import("./remember/store-many.ts");
    const stored = await storeMany(inputs, this.#use, options);
    this.#use.followUp();
    return stored;
  }

  /** Returns memories that are relevant to a question, best first. Counts as a use of them, unless `explain` is set. */
  async recall(input: RecallInput, options: RecallOptions = {}): Promise<RecallResult> {
    requireGiven("memory_recall", recallOptions, options);
    if (options.explain !== true) this.#lookOnce();
    return recall(input, this.#use, options);
  }

  /** Lists memories, newest first. */
  async list(input: ListInput = {}): Promise<MemoryPage<StoredMemory>> {
    const { limit = 50, factKey, project, ...query } = requireGiven("memory_list", listInput, input);
    const { store } = this.#use;
    const among =
      project === undefined ? {} : { conversations: [...(await this.#use.conversationsOf(project))] };
    return store.memories({ ...query, ...(await keyQuery(factKey, store)), ...among, limit });
  }

  async get(id: string): Promise<Memory> {
    return requireMemory(this.#use.store, id);
  }

  async update(input: UpdateInput): Promise<UpdateOutcome> {
    const { updateMemory } = await import("./remember/update-memory.ts");
    const outcome = await updateMemory(input, this.#use);
    if (outcome.action === "version") this.#use.followUp();
    else if (input.tags !== undefined) this.#use.dropWords();
    return outcome;
  }

  /** Archives a memory, or erases it permanently. */
  async forget(input: ForgetInput): Promise<ForgetOutcome> {
    const outcome = await forgetMemory(input, this.#use, (query) => this.recall(query, { explain: true }));
    if (outcome.action === "erased") this.#use.dropWords();
    return outcome;
  }

  /** Returns the value of a fact, now or at a time. */
  async facts(input: FactInput): Promise<FactAnswer> {
    return queryFacts(input, this.#use);
  }

  /** Captures memories from the messages since the last capture. */
  async capture(input: CaptureInput): Promise<CaptureReport> {
    requireGiven("memory_capture", captureCall, input);
    const { capture } = await import("./capture/capture.ts");
    const report = await capture(input, this.#use);
    if (report.stored.length > 0) this.#use.followUp();
    return report;
  }

  /** On the first call, starts the background work that another process left unfinished, or that a new embedding model needs. */
  #lookOnce(): void {
    if (this.#hasLooked) return;
    this.#hasLooked = true;
    this.#use.followUp();
  }
}
