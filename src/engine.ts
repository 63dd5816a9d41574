/** Opens a store and builds the context on it. Nothing is global: a host can open several engines. */
import { randomBytes } from "node:crypto";
import { loadConfig } from "./config/load.ts";
import { readProviderKeys } from "./config/provider-keys.ts";
import type { Config } from "./config/schema.ts";
import type { StubToolResult } from "./context/assemble/stub-tool-results.ts";
import { Background } from "./context/background.ts";
import { inlineWorkshop } from "./context/compact/workshop/inline-workshop.ts";
import { ThreadWorkshop } from "./context/compact/workshop/thread-workshop.ts";
import type { Workshop } from "./context/compact/workshop/workshop.ts";
import { Context, type ContextDependencies } from "./context/context.ts";
import type { SegmentMaker } from "./context/retrieve/index/segment-maker.ts";
import { ThreadSegmentMaker } from "./context/retrieve/index/thread-segment-maker.ts";
import { PalimpsestError } from "./errors.ts";
import { type Observe, quietly } from "./events.ts";
import { createLog, type Log } from "./log.ts";
import type { Complete } from "./model/complete.ts";
import { hostModel } from "./model/host-model.ts";
import { logModelCall } from "./model/log-model-call.ts";
import { openModel } from "./model/open-model.ts";
import { wait } from "./model/wait.ts";
import type { ModelCall } from "./model/with-usage-log.ts";
import { openStore } from "./store/open-store.ts";
import type { Store } from "./store/store.ts";
import { type CountTokens, estimateTokens } from "./text/estimate-tokens.ts";
import type { Clock, RandomBytes, Scope } from "./types.ts";

export interface OpenOptions {
  /** Where to keep everything: a folder, a postgres:// address, or a store. Default: what the configuration says. */
  readonly store?: string | Store;
  /** Settings that win over environment and file. */
  readonly config?: Partial<Config>;
  /** Counts tokens with a real tokenizer instead of the estimate. */
  readonly countTokens?: CountTokens;
  /** Asks the host's model for summaries instead of the configured one. */
  readonly complete?: Complete;
  /** Shows old tool results as short stubs: the text to show for one, or null to show it as it was. */
  readonly stubToolResult?: StubToolResult;
  /**
   * Work that nobody waits for, such as compaction after a turn. `auto` (default) starts by itself, `manual` waits
   * for `engine.background.run()`, `off` never happens.
   */
  readonly background?: "auto" | "manual" | "off";
  /** Is told what the engine does, in numbers: for metrics. */
  readonly observe?: Observe;
  readonly log?: Log;
  readonly clock?: Clock;
  readonly random?: RandomBytes;
}

export class Engine {
  readonly store: Store;
  readonly config: Config;
  /** The context of the configured tenant and agent. */
  readonly context: Context;
  readonly log: Log;
  readonly clock: Clock;
  /** The host's function, else the configured model, else null. */
  readonly complete: Complete | null;
  readonly #summaryModel: Complete | null;
  /** Null when there is none, by option or by `autocompactDisabled`. */
  readonly background: Background | null;
  readonly #workshop: Workshop;
  readonly #segments: SegmentMaker;
  readonly #parts: Pick<ContextDependencies, "random" | "countTokens" | "stub" | "observe">;

  constructor(store: Store, config: Config, options: Omit<OpenOptions, "store" | "config">) {
    this.store = store;
    this.config = config;
    this.log = options.log ?? createLog(config);
    this.clock = options.clock ?? Date.now;
    this.#parts = {
      random: options.random ?? randomBytes,
      countTokens: options.countTokens ?? estimateTokens,
      stub: options.stubToolResult ?? null,
      observe: quietly(options.observe),
    };
    this.#workshop = openWorkshop(options.countTokens, this.log);
    this.#segments = new ThreadSegmentMaker(this.log);
    const configured = options.complete === undefined ? this.#configuredModel() : null;
    this.complete = options.complete ?? configured;
    this.#summaryModel = options.complete === undefined ? configured : this.#hostModel(options.complete);
    this.background = openBackground(options.background ?? "auto", config, this.log);
    this.context = this.contextOf({ tenant: config.tenant, agent: config.agent });
  }

  /** The context of another tenant or agent in the same store. */
  contextOf(scope: Scope): Context {
    return new Context({
      ...this.#parts,
      store: this.store.scoped(scope),
      settings: this.config,
      complete: this.#summaryModel,
      workshop: this.#workshop,
      segments: this.#segments,
      background: this.background,
      log: this.log,
      clock: this.clock,
    });
  }

  #configuredModel(): Complete | null {
    return openModel(this.config, {
      keys: readProviderKeys(),
      clock: this.clock,
      wait,
      chance: () => (this.#parts.random(1)[0] ?? 0) / 255,
      onCall: (call) => this.#recordCall(call),
    });
  }

  #hostModel(complete: Complete): Complete {
    const timeoutMs = this.config.summaryTimeoutMs;
    return hostModel(complete, {
      timeoutMs,
      clock: this.clock,
      wait,
      onCall: (call) => this.#recordCall(call),
    });
  }

  #recordCall(call: ModelCall): void {
    logModelCall(this.log, call);
    this.#parts.observe({ type: "model-called", ...call });
  }

  /** Ends background work at its next safe point, and closes the store. */
  async close(): Promise<void> {
    await this.background?.stop();
    await this.#workshop.close();
    await this.#segments.close();
    await this.store.close();
  }
}

/** A host's function cannot be sent to another thread. */
function openWorkshop(countTokens: CountTokens | undefined, log: Log): Workshop {
  return countTokens === undefined ? new ThreadWorkshop(log) : inlineWorkshop(countTokens);
}

function openBackground(
  mode: NonNullable<OpenOptions["background"]>,
  { autocompactDisabled }: Config,
  log: Log,
): Background | null {
  return mode === "off" || autocompactDisabled ? null : new Background({ mode, log });
}

const OPTION_NAMES = new Set([
  "store",
  "config",
  "countTokens",
  "complete",
  "stubToolResult",
  "background",
  "observe",
  "log",
  "clock",
  "random",
]);

export async function open(options: OpenOptions = {}): Promise<Engine> {
  requireOptions(options);
  const { store, config: settings, ...rest } = options;
  const { config } = loadConfig({ options: { ...settings, ...placeOf(store) } });
  return new Engine(typeof store === "object" ? store : await openStore(config), config, rest);
}

/** A misspelt option must not send words to another store. */
function requireOptions(options: OpenOptions): void {
  const unknown = Object.keys(options).find((name) => !OPTION_NAMES.has(name));
  if (unknown !== undefined)
    throw new PalimpsestError("invalid-input", `open() has no option ${unknown}`, {
      advice: `It takes ${[...OPTION_NAMES].join(", ")}.`,
    });
  if (!["auto", "manual", "off", undefined].includes(options.background))
    throw new PalimpsestError("invalid-input", "background must be auto, manual or off");
  const { store } = options;
  const isStore =
    store === undefined || typeof store === "string" || (typeof store === "object" && store !== null);
  if (!isStore || store === "")
    throw new PalimpsestError("invalid-input", "store must be a folder, a postgres:// address, or a store");
}

function placeOf(store: OpenOptions["store"]): Partial<Config> {
  if (typeof store !== "string") return {};
  if (/^postgres(ql)?:\/\//.test(store)) return { databaseUrl: store };
  if (/^\w+:\/\//.test(store))
    throw new PalimpsestError("invalid-input", `${store.split("://")[0]}:// is no address of a store`, {
      advice: "Give a folder, or an address that starts with postgres://.",
    });
  return { dataDir: store, databaseUrl: null };
}
