/** Opens a store and builds context and memory on it. Nothing is global: a host can open several engines. */
import { z } from "zod";
import { checkedFunctions } from "./checked-functions.ts";
import { Compute } from "./compute/compute.ts";
import { loadConfig } from "./config/load.ts";
import { readProviderKeys } from "./config/provider-keys.ts";
import type { Config } from "./config/schema.ts";
import type { AskInput } from "./context/ask/ask.ts";
import type { AskResult } from "./context/ask/ask-result.ts";
import { type Grant, Grants } from "./context/ask/grants.ts";
import type { ChunkOpener } from "./context/compact/chunks/chunk-opener.ts";
import { inlineChunkOpener } from "./context/compact/chunks/inline-chunk-opener.ts";
import { Context } from "./context/context.ts";
import type { ContextDependencies } from "./context/context-dependencies.ts";
import { conversationsOf } from "./context/read/list-conversations.ts";
import { requireConversation } from "./context/read/read-messages.ts";
import { readSaid } from "./context/read/read-said.ts";
import type { RankByMeaning } from "./context/retrieve/meaning/host-ranking.ts";
import { PalimpsestError } from "./errors.ts";
import { type Observe, quietly } from "./events.ts";
import { Background } from "./jobs/background.ts";
import { createLog, isLog, type Log, withoutCredentials } from "./log.ts";
import { AgentMemory } from "./memory/memory.ts";
import { memoryWork } from "./memory/memory-work.ts";
import { accessibleScopes, parseAgentId } from "./memory/scopes.ts";
import { TurnMemory } from "./memory/turn-memory.ts";
import type { RunAgent } from "./model/agent.ts";
import type { Complete } from "./model/complete.ts";
import type { Embedder, HostEmbedder } from "./model/embed/embedder.ts";
import { LOCAL_MODEL } from "./model/embed/local/local-embedder.ts";
import { openEmbedder } from "./model/embed/open-embedder.ts";
import { reopenEmbedder } from "./model/embed/reopen-embedder.ts";
import { hostModel } from "./model/host-model.ts";
import { openAgent } from "./model/open-agent.ts";
import {
  type ModelSettings,
  type ModelSurroundings,
  type OpenModels,
  openModels,
} from "./model/open-model.ts";
import { openReranker } from "./model/rerank/open-reranker.ts";
import type { HostRerank, Rerank } from "./model/rerank/rerank.ts";
import { wait } from "./model/wait.ts";
import { logModelCall, type ModelCall } from "./model/with-usage-log.ts";
import { pooledRandom } from "./pooled-random.ts";
import { limitStore } from "./store/limited-store.ts";
import { EVERY_SCOPE, type MemoryAccess, type MemoryStore } from "./store/memory-store.ts";
import { openStore } from "./store/open-store.ts";
import type { ScopedStore, Store } from "./store/store.ts";
import { type CountTokens, estimateTokens } from "./text/estimate-tokens.ts";
import { givenFunction, requireGiven, requireOptions } from "./text/given.ts";
import { isStorableText, NOT_STORABLE } from "./text/utf8.ts";
import type { Clock, RandomBytes, Scope } from "./types.ts";

export interface OpenOptions {
  /** The store: a folder, a postgres:// address, or a `Store`. Default: the configuration. */
  readonly store?: string | Store;
  /** Settings that take precedence over the environment and the file. */
  readonly config?: Partial<Config>;
  /** Counts tokens with a real tokenizer instead of the estimate. */
  readonly countTokens?: CountTokens;
  /** Uses the host's model for summaries and file descriptions instead of the configured one. */
  readonly complete?: Complete;
  /**
   * Runs the host's model with tools, for delegated questions. Without it, a host that passes `complete` gets
   * extractive answers.
   */
  readonly runAgent?: RunAgent;
  /** Ranks messages semantically for searches in mode `hybrid`, instead of the embeddings of `searchByMeaning`. */
  readonly rankByMeaning?: RankByMeaning;
  /** The host's own embedder, for memories and for `searchByMeaning`, instead of the configured one. */
  readonly embedder?: HostEmbedder;
  /** The host's own reranker, for memories, instead of the configured one. */
  readonly rerank?: HostRerank;
  /**
   * Background work, such as compaction after a turn. `auto` (default) starts automatically, `manual` waits
   * for `engine.background.run()`, `off` never happens.
   */
  readonly background?: "auto" | "manual" | "off";
  /** Receives the events of the engine, for metrics. They contain numbers and names. */
  readonly observe?: Observe;
  readonly log?: Log;
  readonly clock?: Clock;
  readonly random?: RandomBytes;
}

interface EngineOptions extends Omit<OpenOptions, "store" | "config" | "background"> {
  readonly background?: OpenOptions["background"] | Background | null;
  /** If set, store, threads and models belong to another engine, which closes them. */
  readonly parent?: Parent;
}

interface SharedParts {
  /** A sub-agent has no model and cannot start another sub-agent. */
  readonly isSubAgent: boolean;
  readonly models: OpenModels;
  readonly runAgent: RunAgent | null;
  readonly complete: Complete | null;
}

interface Parent extends SharedParts {
  readonly compute: Compute;
  readonly chunkOpener: ChunkOpener;
  readonly embedder: Embedder | null;
  readonly rerank: Rerank | null;
}

/** Internals of an engine, for operations and tests. */
export interface EngineInternals {
  readonly clock: Clock;
  readonly log: Log;
  readonly countTokens: CountTokens;
  /** The host's function, else the configured model, else null. */
  readonly complete: Complete | null;
  /** Grants of sub-agents. Null for a sub-agent's own engine. */
  readonly grants: Grants | null;
  /** The conversations of the configured tenant and agent. */
  readonly conversations: ScopedStore;
  /** The memories that the configured agent may see. */
  readonly memories: MemoryStore;
  /** The memory work of the configured agent for turns. */
  readonly turnMemory: TurnMemory;
  turnMemoryOf(scope: Scope): TurnMemory;
  /** All memories of a tenant, for its operator. No request from outside can reach this. */
  everyMemoryOf(scope: Scope): AgentMemory;
  /** The engine of a sub-agent, for which only these conversations exist. */
  under(grant: Pick<Grant, "conversations">): Engine;
  /**
   * An engine of another tenant and agent on the same store, threads and models, which stay open when it is closed. With
   * `background: false` it only answers calls: it never compacts automatically and is not observed.
   */
  scopedTo(scope: Scope, options: { readonly background: boolean }): Engine;
  /** Does what a first search would wait for: starts its threads, and indexes messages of earlier processes. */
  warmUp(): Promise<void>;
}

/** A memory and its work for turns. */
interface OpenMemory {
  readonly memory: AgentMemory;
  readonly turns: TurnMemory;
}

export let internalsOf: (engine: Engine) => EngineInternals;

export class Engine {
  readonly store: Store;
  readonly config: Config;
  /** The context of the configured tenant and agent. */
  readonly context: Context;
  /** The memory of the configured tenant and agent. */
  readonly memory: AgentMemory;
  /** Null if background work is off, by option or by `autocompactDisabled`. */
  readonly background: Background | null;
  readonly #internals: EngineInternals;
  readonly #log: Log;
  readonly #clock: Clock;
  /** The host's function, else the configured model with tools, else null. */
  readonly #runAgent: RunAgent | null;
  readonly #models: OpenModels;
  readonly #isSubAgent: boolean;
  readonly #ownsStore: boolean;
  readonly #compute: Compute;
  readonly #chunkOpener: ChunkOpener;
  readonly #embedder: Embedder | null;
  readonly #rerank: Rerank | null;
  readonly #parts: Pick<ContextDependencies, "random" | "countTokens" | "rankByMeaning" | "observe">;

  static {
    internalsOf = (engine) => engine.#internals;
  }

  constructor(store: Store, config: Config, options: EngineOptions) {
    this.store = store;
    this.config = config;
    this.#log = withoutCredentials(options.log ?? createLog(config));
    this.#clock = options.clock ?? Date.now;
    this.#parts = {
      random: options.random ?? pooledRandom(),
      countTokens: options.countTokens ?? estimateTokens,
      rankByMeaning: options.rankByMeaning ?? null,
      observe: quietly(options.observe),
    };
    const { parent } = options;
    this.#isSubAgent = parent?.isSubAgent === true;
    this.#ownsStore = parent === undefined;
    this.#compute = parent?.compute ?? new Compute(this.#log);
    this.#chunkOpener = parent?.chunkOpener ?? chooseChunkOpener(options.countTokens, this.#compute);
    const { models, runAgent, complete } = parent ?? this.#openModels(options);
    this.#runAgent = runAgent;
    this.#models = models;
    const { background = "auto" } = options;
    this.background =
      typeof background === "string" ? openBackground(background, config, this.#log) : background;
    this.#embedder = parent === undefined ? this.#openEmbedder(options) : parent.embedder;
    this.#rerank = parent === undefined ? this.#openReranker(options) : parent.rerank;
    const scope = { tenant: config.tenant, agent: config.agent };
    const { memory, turns } = this.#openMemory(scope);
    this.memory = memory;
    this.context = this.#contextWith(scope, turns);
    const { random, countTokens } = this.#parts;
    this.#internals = {
      clock: this.#clock,
      log: this.#log,
      countTokens,
      complete,
      grants: this.#isSubAgent ? null : new Grants({ clock: this.#clock, random }),
      conversations: store.scoped(scope),
      memories: store.memoriesOf(this.#accessOf(scope)),
      turnMemory: turns,
      turnMemoryOf: (other) => this.#openMemory(other).turns,
      everyMemoryOf: ({ tenant, agent }) => this.#memoryWith({ tenant, scopes: EVERY_SCOPE }, agent).memory,
      under: (grant) => this.#under(grant),
      scopedTo: (other, { background }) => this.#scopedTo(other, background ? this.background : null),
      warmUp: async () => {
        // This call runs on the read-only thread.
        await store.scopes();
        await this.#compute.warmUp();
        await this.context.index.build();
      },
    };
  }

  /** Whether the mode `hybrid` of a search works. */
  get searchesByMeaning(): boolean {
    const ownVectors = this.config.searchByMeaning && this.#embedder !== null;
    return ownVectors || this.#parts.rankByMeaning !== null;
  }

  /**
   * Answers a question with a sub-agent that reads for the caller. Failures of a model are part of the
   * result and not thrown.
   */
  async ask(input: AskInput): Promise<AskResult> {
    // A sub-agent's tools are operations, which are built on the engine. Both are needed only for a question.
    const [{ ask }, { delegatedTools }] = await Promise.all([
      import("./context/ask/ask.ts"),
      import("./operations/delegated-tools.ts"),
    ]);
    const result = await ask(input, {
      context: this.context,
      store: this.#internals.conversations,
      grants: this.#internals.grants,
      runAgent: this.#runAgent,
      under: (grant) => {
        const limited = this.#under(grant);
        // The end of the grant also stops a running search.
        const stop = AbortSignal.any([grant.revoked, ...(input.signal === undefined ? [] : [input.signal])]);
        return {
          context: limited.context,
          store: limited.#internals.conversations,
          tools: delegatedTools(limited, stop),
        };
      },
      settings: this.config,
      embedder: this.#embedder?.model === LOCAL_MODEL ? this.#embedder : null,
      countTokens: this.#parts.countTokens,
      wait,
    });
    const { method, failure, model, steps, tokensRead: tokens_read } = result;
    this.#log.info(
      { method, failure: failure?.code ?? null, model, steps, tokens_read },
      "question answered",
    );
    return result;
  }

  /** The context of another tenant or agent in the same store. */
  contextOf(scope: Scope): Context {
    requireScope("contextOf", scope);
    return this.#contextWith(scope, this.#openMemory(scope).turns);
  }

  /** The memory of another tenant or agent in the same store: it sees what the configuration allows this agent. */
  memoryOf(scope: Scope): AgentMemory {
    requireScope("memoryOf", scope);
    return this.#openMemory(scope).memory;
  }

  /**
   * The memory of the agent in a host's session key: `agent:main:discord:channel:1` belongs to `main`. A key without
   * an agent has access to nothing.
   */
  memoryOfSession(sessionKey: string): AgentMemory {
    if (typeof sessionKey !== "string")
      throw new PalimpsestError("invalid-input", "memoryOfSession: sessionKey must be text");
    return this.memoryOf({ tenant: this.config.tenant, agent: parseAgentId(sessionKey) ?? "" });
  }

  #contextWith(scope: Scope, turns: TurnMemory): Context {
    return new Context({
      ...this.#beside(turns),
      ...this.#parts,
      store: this.store.scoped(scope),
      memories: this.#isSubAgent ? null : this.store.memoriesOf(this.#accessOf(scope)),
      settings: this.config,
      complete: this.#models.summaries,
      wrapModel: (complete) => this.#hostModel(complete),
      fileModel: this.#models.files,
      embedder: this.config.searchByMeaning ? this.#embedder : null,
      chunkOpener: this.#chunkOpener,
      segments: this.#compute.messageSegments,
      explorer: this.#compute.explorer,
      background: this.background,
      log: this.#log,
      clock: this.#clock,
    });
  }

  #openMemory(scope: Scope): OpenMemory {
    return this.#memoryWith(this.#accessOf(scope), scope.agent);
  }

  /** The memory scopes that an agent can see. */
  #accessOf({ tenant, agent }: Scope): MemoryAccess {
    const { memoryAccess: agentAccess } = this.config;
    return { tenant, scopes: this.#isSubAgent ? [] : accessibleScopes(agent, { agentAccess }).scopes };
  }

  #memoryWith(access: MemoryAccess, agent: string): OpenMemory {
    const { random, countTokens, observe } = this.#parts;
    const conversations = this.store.scoped({ tenant: access.tenant, agent });
    const work = memoryWork({
      store: this.store.memoriesOf(access),
      agent,
      settings: this.config,
      embedder: this.#embedder,
      reopenEmbedder: (model) => this.#reopenEmbedder(model),
      rerank: this.#rerank,
      complete: this.#models.memories,
      readSaid: (conversation, range) => readSaid(conversations, conversation, range),
      findConversation: async (reference) => (await requireConversation(conversations, reference)).id,
      conversationsOf: (project) => conversationsOf(conversations, project),
      projectOf: async (id) => (await conversations.conversation({ id }))?.project ?? null,
      segments: this.#compute.memorySegments,
      background: this.background,
      countTokens,
      clock: this.#clock,
      random,
      log: this.#log,
      observe,
    });
    const memory = new AgentMemory(work);
    return { memory, turns: new TurnMemory(work, memory) };
  }

  /** Connects context and memory: memories are captured from the context and returned with it. */
  #beside(turns: TurnMemory): Pick<ContextDependencies, "onGrown" | "recallFor" | "recallAgain"> {
    if (this.#isSubAgent) return {};
    return {
      onGrown: (conversation) => turns.afterTurn(conversation),
      recallAgain: (receipt) => turns.recallAgain(receipt),
      ...(this.config.autoRecall ? { recallFor: (input) => turns.recallFor(input) } : {}),
    };
  }

  #openEmbedder({ embedder }: EngineOptions): Embedder | null {
    return openEmbedder(this.config, { ...this.#surroundings(), log: this.#log, host: embedder ?? null });
  }

  #reopenEmbedder(model: string): Embedder | null {
    return reopenEmbedder(model, this.config, { ...this.#surroundings(), log: this.#log });
  }

  #openReranker({ rerank }: EngineOptions): Rerank | null {
    return openReranker(this.config, { ...this.#surroundings(), host: rerank ?? null });
  }

  /**
   * The engine of a sub-agent: for it only the conversations of the grant exist, and only while the grant is valid.
   * It writes nothing, calls no model and starts no sub-agent.
   */
  #under(grant: Pick<Grant, "conversations">): Engine {
    const { tenant, agent } = this.config;
    const limits = { scope: { tenant, agent }, conversations: () => grant.conversations };
    return this.#sharing(limitStore(this.store, limits), this.config, {
      ...{ background: null, observe: this.#parts.observe },
      ...{ isSubAgent: true, models: NO_MODELS, runAgent: null, complete: null },
    });
  }

  #scopedTo(scope: Scope, background: Background | null): Engine {
    const { tenant, agent } = scope;
    requireScope("scopedTo", { tenant, agent });
    const { complete } = this.#internals;
    const models = { models: this.#models, runAgent: this.#runAgent, complete };
    const observe = background === null ? quietly(undefined) : this.#parts.observe;
    const shared = { background, observe, isSubAgent: this.#isSubAgent, ...models };
    return this.#sharing(this.store, { ...this.config, ...scope }, shared);
  }

  #sharing(
    store: Store,
    config: Config,
    {
      background,
      observe,
      ...parent
    }: SharedParts & { readonly background: Background | null; readonly observe: Observe },
  ): Engine {
    const { rankByMeaning, ...parts } = this.#parts;
    return new Engine(store, config, {
      ...parts,
      ...(rankByMeaning === null ? {} : { rankByMeaning }),
      log: this.#log,
      clock: this.#clock,
      observe,
      background,
      parent: {
        ...parent,
        compute: this.#compute,
        chunkOpener: this.#chunkOpener,
        embedder: this.#embedder,
        rerank: this.#rerank,
      },
    });
  }

  /** The host's models, else the configured ones. */
  #openModels({ complete, runAgent }: EngineOptions): Pick<Parent, "models" | "runAgent" | "complete"> {
    if (complete !== undefined)
      return { models: this.#hostModels(complete), runAgent: runAgent ?? null, complete };
    const models = openModels(this.config, this.#surroundings());
    const agent = runAgent ?? openAgent(this.config, this.#surroundings());
    return { models, runAgent: agent, complete: models.summaries };
  }

  #surroundings(): ModelSurroundings {
    return {
      keys: readProviderKeys(),
      clock: this.#clock,
      wait,
      chance: () => (this.#parts.random(1)[0] ?? 0) / 255,
      onCall: (call) => this.#recordCall(call),
    };
  }

  /** One function for all purposes: the host distinguishes them by `purpose`. */
  #hostModels(complete: Complete): OpenModels {
    const model = this.#hostModel(complete);
    return { summaries: model, files: model, memories: model };
  }

  #hostModel(complete: Complete): Complete {
    return hostModel(complete, {
      timeoutMs: this.config.summaryTimeoutMs,
      clock: this.#clock,
      wait,
      onCall: (call) => this.#recordCall(call),
    });
  }

  #recordCall(call: ModelCall): void {
    logModelCall(this.#log, call);
    this.#parts.observe({ type: "model-called", ...call });
  }

  /** Ends background work at its next safe point and questions immediately, and closes the store. */
  async close(): Promise<void> {
    if (this.#isSubAgent) return;
    this.#internals.grants?.revokeAll();
    if (this.#ownsStore) await this.background?.stop();
    await this.#internals.turnMemory.close();
    if (!this.#ownsStore) return;
    await this.#compute.close();
    await this.#embedder?.close();
    await this.store.close();
  }
}

const NO_MODELS: OpenModels = { summaries: null, files: null, memories: null };

/** A host's function cannot be sent to another thread, so its chunks are opened on the caller's thread. */
function chooseChunkOpener(countTokens: CountTokens | undefined, compute: Compute): ChunkOpener {
  return countTokens === undefined ? compute.chunkOpener : inlineChunkOpener(countTokens);
}

const SCOPE = ["tenant", "agent"] as const;

function requireScope(call: string, scope: Scope): void {
  const given: Partial<Scope> = typeof scope === "object" && scope !== null ? scope : {};
  requireOptions(call, SCOPE, given);
  const { tenant, agent } = given;
  if (typeof tenant !== "string" || typeof agent !== "string")
    throw new PalimpsestError("invalid-input", `${call} needs both tenant and agent, as text`, {
      advice: `For example: ${call}({ tenant: "default", agent: "main" }).`,
    });
  for (const [name, text] of Object.entries({ tenant, agent }))
    if (!isStorableText(text)) throw new PalimpsestError("invalid-input", `${name} ${NOT_STORABLE}`);
}

function openBackground(
  mode: NonNullable<OpenOptions["background"]>,
  { autocompactDisabled }: Config,
  log: Log,
): Background | null {
  return mode === "off" || autocompactDisabled ? null : new Background({ mode, log });
}

const isGivenStore = (value: unknown) =>
  typeof value === "string" ? value !== "" : typeof value === "object" && value !== null;
const isSettings = (value: unknown) => typeof value === "object" && value !== null && !Array.isArray(value);

/** A misspelt option must not send data to another store. */
const openOptions = z
  .strictObject({
    store: z.custom(isGivenStore, "must be a folder, a postgres:// address, or a store"),
    config: z.custom(
      isSettings,
      "must be an object with settings, such as { contextBudget: 100000 }; a file is named by LCM_CONFIG",
    ),
    countTokens: givenFunction,
    complete: givenFunction,
    runAgent: givenFunction,
    rankByMeaning: givenFunction,
    embedder: z.unknown(),
    rerank: givenFunction,
    background: z.enum(["auto", "manual", "off"]),
    observe: givenFunction,
    log: z.custom(isLog, "must be an object with debug, info, warn and error, such as pino's logger"),
    clock: givenFunction,
    random: givenFunction,
  } satisfies Record<keyof OpenOptions, z.ZodType>)
  .partial();

export async function open(options: OpenOptions = {}): Promise<Engine> {
  requireGiven<unknown>("open", openOptions, options);
  const { store, config: settings, ...rest } = options;
  const { config } = loadConfig({ options: { ...settings, ...placeOf(store) } });
  const opened = typeof store === "object" ? store : await openStore(config);
  return new Engine(opened, config, { ...rest, ...checkedFunctions(rest) });
}

function placeOf(store: OpenOptions["store"]): Partial<Config> {
  if (typeof store !== "string") return {};
  if (/^postgres(ql)?:\/\//.test(store)) return { databaseUrl: store };
  if (/^\w+:\/\//.test(store))
    throw new PalimpsestError(
      "invalid-input",
      `${store.split("://")[0]}:// is not a supported store address`,
      {
        advice: "Use a folder, or an address that starts with postgres://.",
      },
    );
  return { dataDir: store, databaseUrl: null };
}

/** The model that writes summaries, for one call without fallbacks and retries. Null when none is configured. */
export function configuredModel(settings: ModelSettings): Complete | null {
  const around = { keys: readProviderKeys(), clock: Date.now, wait, chance: Math.random, onCall: () => {} };
  return openModels({ ...settings, summaryFallbackModels: [], modelRetries: 0 }, around).summaries;
}
