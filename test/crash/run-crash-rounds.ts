/**
 * Kills a writing process again and again, and looks after each kill whether the store kept its word: what was
 * acknowledged is there byte for byte, what was not is there wholly or not at all, the integrity check finds
 * nothing, and doing the interrupted operation again completes it without doubling anything.
 */
import { rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { checkIntegrity } from "../../src/context/verify/check-integrity.ts";
import { type Engine, open } from "../../src/index.ts";
import { Ledger } from "./ledger.ts";
import { type Answer, type Operation, perform } from "./operation.ts";
import { resolveInFlight } from "./resolve-in-flight.ts";
import { type SeededRandom, seededRandom } from "./seeded-random.ts";
import { makeFolder, type StoreKind, type StorePlace } from "./store-kinds.ts";
import { compareView, viewStore } from "./view-store.ts";
import { type KillMoment, Writer, type WriterLog } from "./writer.ts";
import type { WriterOrders } from "./writer-process.ts";

const PROGRAM = fileURLToPath(new URL("./writer-process.ts", import.meta.url));

export interface CrashRunOptions {
  readonly kind: StoreKind;
  readonly rounds: number;
  readonly seed: string;
  readonly onRound?: (report: CrashReport) => void;
}

export interface CrashReport {
  rounds: number;
  acknowledged: number;
  /** Operations that a kill interrupted, and how many of them had happened all the same. */
  inFlight: number;
  happened: number;
  conversations: number;
  messages: number;
}

export async function runCrashRounds(options: CrashRunOptions): Promise<CrashReport> {
  const folder = await makeFolder();
  const place = await options.kind.create();
  const run = new CrashRun(place, folder, options.seed);
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
    await rm(folder, { recursive: true, force: true });
  }
}

class CrashRun {
  readonly report: CrashReport = {
    rounds: 0,
    acknowledged: 0,
    inFlight: 0,
    happened: 0,
    conversations: 0,
    messages: 0,
  };
  readonly #place: StorePlace;
  readonly #folder: string;
  readonly #seed: string;
  readonly #random: SeededRandom;
  readonly #ledger = new Ledger();
  #spare: Writer<Operation, Answer>;
  #working: Writer<Operation, Answer> | undefined;

  constructor(place: StorePlace, folder: string, seed: string) {
    this.#place = place;
    this.#folder = folder;
    this.#seed = seed;
    this.#random = seededRandom(seed);
    this.#spare = new Writer(PROGRAM);
  }

  async round(number: number): Promise<void> {
    const orders: Omit<WriterOrders, "round"> = {
      store: this.#place.address,
      folder: this.#folder,
      seed: this.#seed,
    };
    this.#working = this.#spare;
    const ending = this.#working.runUntilKilled({ ...orders, round: `r${number}` }, this.#killMoment());
    // The next one loads while this one works.
    this.#spare = new Writer(PROGRAM);
    const log = await ending;
    await this.#place.settle();
    const engine = await open({ store: this.#place.address });
    try {
      await this.#check(engine, log);
    } finally {
      await engine.close();
    }
    this.report.rounds++;
  }

  async end(): Promise<void> {
    await Promise.all([this.#spare.end(), this.#working?.end()]);
  }

  /** Mostly in the middle of work; now and then while the store is being opened or created. */
  #killMoment(): KillMoment {
    if (this.#random.chance(0.1)) return { acknowledged: 0, thenMs: this.#random.below(400) };
    return { acknowledged: 1 + this.#random.below(16), thenMs: this.#random.below(6) };
  }

  async #check(engine: Engine, log: WriterLog<Operation, Answer>): Promise<void> {
    for (const { operation, answer } of log.acknowledged) this.#ledger.apply(operation, answer);
    const view = await viewStore(engine);
    for (const operation of log.inFlight) {
      const answer = resolveInFlight(operation, this.#ledger, view);
      if (answer === undefined) continue;
      this.#ledger.apply(operation, answer);
      this.report.happened++;
    }
    refuseProblems("after the kill", compareView(view, this.#ledger));
    await this.#doAgain(engine, log.inFlight);
    const { problems } = await checkIntegrity(engine.store);
    refuseProblems(
      "in the integrity check",
      problems.map((problem) => JSON.stringify(problem)),
    );
    this.#count(log);
  }

  async #doAgain(engine: Engine, operations: readonly Operation[]): Promise<void> {
    if (operations.length === 0) return;
    for (const operation of operations)
      this.#ledger.apply(operation, await perform(engine, this.#folder, operation));
    refuseProblems("after doing it again", compareView(await viewStore(engine), this.#ledger));
  }

  #count(log: WriterLog<Operation, Answer>): void {
    this.report.acknowledged += log.acknowledged.length;
    this.report.inFlight += log.inFlight.length;
    const conversations = [...this.#ledger.conversations.values()];
    this.report.conversations = conversations.length;
    this.report.messages = conversations.reduce((sum, { messages }) => sum + messages.size, 0);
  }
}

function refuseProblems(when: string, problems: readonly string[]): void {
  if (problems.length > 0) throw new Error(`${when}:\n${problems.slice(0, 20).join("\n")}`);
}
