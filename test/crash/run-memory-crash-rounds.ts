/**
 * Kills a process that works on long-term memory again and again, and looks after each kill whether memory kept its
 * word: what was acknowledged is there, what was not is there wholly or not at all, versions are linked both ways, of
 * one fact key one is in force, and words and vectors find exactly what is stored.
 */
import { fileURLToPath } from "node:url";
import { Compute } from "../../src/compute/compute.ts";
import { checkIntegrity } from "../../src/context/verify/check-integrity.ts";
import type { Engine } from "../../src/index.ts";
import { SILENT } from "../../src/log.ts";
import { checkMemoryIndex } from "../../src/memory/recall/index/check-memory-index.ts";
import { EVERY_SCOPE } from "../../src/store/memory-store.ts";
import {
  compareHistory,
  compareRecall,
  compareRows,
  compareStats,
  readMemories,
} from "../properties/compare-memories.ts";
import type { ModelMemory } from "../properties/memory-model.ts";
import { rareWordIn } from "../properties/memory-words.ts";
import { MemoryLedger } from "./memory-ledger.ts";
import type { MemoryAnswer, MemoryOperation } from "./memory-operation.ts";
import { type MemoryWriterOrders, openInRound } from "./memory-writer-process.ts";
import { type SeededRandom, seededRandom } from "./seeded-random.ts";
import type { StoreKind, StorePlace } from "./store-kinds.ts";
import { Writer, type WriterLog } from "./writer.ts";

const PROGRAM = fileURLToPath(new URL("./memory-writer-process.ts", import.meta.url));
/** Memories of which words and history are looked at after a kill, beside those that are new. */
const SAMPLE = 8;

export interface MemoryCrashReport {
  rounds: number;
  acknowledged: number;
  /** Operations that a kill interrupted, and how many of them had happened all the same. */
  inFlight: number;
  happened: number;
  memories: number;
}

export async function runMemoryCrashRounds(options: {
  readonly kind: StoreKind;
  readonly rounds: number;
  readonly seed: string;
  readonly onRound?: (report: MemoryCrashReport) => void;
}): Promise<MemoryCrashReport> {
  const place = await options.kind.create();
  const run = new MemoryCrashRun(place, options.seed);
  try {
    for (let round = 0; round < options.rounds; round++) {
      await run.round(round);
      options.onRound?.(run.report);
    }
    return run.report;
  } catch (error) {
    throw new Error(`round ${run.report.rounds} of seed ${options.seed} on ${options.kind.name}`, {
      cause: error,
    });
  } finally {
    await run.end();
    await place.remove();
  }
}

class MemoryCrashRun {
  readonly report: MemoryCrashReport = { rounds: 0, acknowledged: 0, inFlight: 0, happened: 0, memories: 0 };
  readonly #place: StorePlace;
  readonly #seed: string;
  readonly #random: SeededRandom;
  readonly #ledger = new MemoryLedger();
  readonly #compute = new Compute(SILENT);
  #spare = new Writer<MemoryOperation, MemoryAnswer>(PROGRAM);
  #working: Writer<MemoryOperation, MemoryAnswer> | undefined;

  constructor(place: StorePlace, seed: string) {
    this.#place = place;
    this.#seed = seed;
    this.#random = seededRandom(seed);
  }

  async round(round: number): Promise<void> {
    const orders: MemoryWriterOrders = { store: this.#place.address, seed: this.#seed, round };
    this.#working = this.#spare;
    const moment = { acknowledged: 1 + this.#random.below(25), thenMs: this.#random.below(6) };
    const ending = this.#working.runUntilKilled(orders, moment);
    // The next one loads while this one works.
    this.#spare = new Writer(PROGRAM);
    const log = await ending;
    await this.#place.settle();
    const engine = await openInRound(this.#place.address, round, "off");
    try {
      await this.#check(engine, log);
    } finally {
      await engine.close();
    }
    this.report.rounds++;
  }

  async end(): Promise<void> {
    await Promise.all([this.#spare.end(), this.#working?.end(), this.#compute.close()]);
  }

  async #check(engine: Engine, log: WriterLog<MemoryOperation, MemoryAnswer>): Promise<void> {
    const { memory } = engine;
    const { model } = this.#ledger;
    const known = new Set(model.memories.map(({ id }) => id));
    const view = await readMemories(memory);
    for (const { operation, answer } of log.acknowledged) this.#ledger.apply(operation, answer, view);
    const happened = log.inFlight.filter((operation) => this.#ledger.resolve(operation, view));
    refuse("after the kill", [...compareRows(view, model), ...(await compareStats(memory, model))]);
    const looked = [...model.memories.filter(({ id }) => !known.has(id)).slice(0, SAMPLE), ...this.#sample()];
    await this.#compareEach(engine, looked);
    await this.#checkCaches(engine);
    this.report.acknowledged += log.acknowledged.length;
    this.report.inFlight += log.inFlight.length;
    this.report.happened += happened.length;
    this.report.memories = model.memories.length;
  }

  #sample(): readonly ModelMemory[] {
    const { memories } = this.#ledger.model;
    return memories.length === 0 ? [] : Array.from({ length: SAMPLE }, () => this.#random.pick(memories));
  }

  async #compareEach({ memory }: Engine, looked: readonly ModelMemory[]): Promise<void> {
    const { model } = this.#ledger;
    for (const one of looked) {
      const word = rareWordIn(one.text);
      refuse("in its history", await compareHistory(memory, one, model));
      if (word !== "") refuse("in recall", await compareRecall(memory, word, model));
    }
  }

  /** Index and vectors say what is stored, and can be completed from where the kill left them. */
  async #checkCaches({ store, memory }: Engine): Promise<void> {
    const every = store.memoriesOf({ tenant: "default", scopes: EVERY_SCOPE });
    const problems = await checkMemoryIndex(every, this.#compute.memorySegments);
    refuse(
      "in the word index",
      problems.map(({ message }) => message),
    );
    await memory.maintenance.reembed();
    const { total, byState, vectors } = await memory.maintenance.stats();
    const embedded = vectors.reduce((sum, { memories }) => sum + memories, 0);
    if (embedded !== total - byState.erased)
      refuse("in the vectors", [`${embedded} of ${total} have vectors`]);
    const integrity = await checkIntegrity(store);
    refuse(
      "in the integrity check",
      integrity.problems.map((problem) => JSON.stringify(problem)),
    );
  }
}

function refuse(when: string, problems: readonly string[]): void {
  if (problems.length > 0) throw new Error(`${when}:\n${problems.slice(0, 20).join("\n")}`);
}
