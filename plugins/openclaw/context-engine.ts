/**
 * The context engine. The host creates an instance for each turn, which caches what must not change during that turn:
 * the budget, the memory section and the assembled history. An exception from any method would replace this engine with the
 * host's own for the rest of the process, so every method has a fallback; only an accepted turn that could not be stored is
 * rejected, and the host keeps it and retries.
 */
import type { HostSession, HostSummary } from "../../src/host/index.ts";
import { type CatchUp, catchUp, commitTurn, leftOfTurn } from "../../src/host/openclaw/catch-up.ts";
import type { Complete } from "../../src/model/complete.ts";
import { estimateTokens } from "../../src/text/estimate-tokens.ts";
import { type Bridges, sessionOf } from "./bridges.ts";
import { ENGINE_INFO } from "./engine-info.ts";
import { completeWith } from "./host-model.ts";
import { linkChild, unlinkChild } from "./sub-agents.ts";
import { trimToBudget } from "./trim-to-budget.ts";
import type {
  Assemble,
  Assembled,
  CommitTurn,
  Compact,
  Compacted,
  ContextEngine,
  HostMessage,
} from "./types.ts";

const IMPORT_MS = 60_000;
const COMMIT_MS = 30_000;
/** Of the host's budget, for the history. The rest is for tool results of the turn, so that they do not change it. */
const HISTORY_SHARE = 0.9;
/** When the host names no budget. */
const DEFAULT_BUDGET = 32_000;
/** Of the window, while the share of the messages is unknown for this session. */
const USUAL_SHARE = 0.6;
/** Of what was sent, after the provider rejected it as too long. Only part of it is history, so it must shrink by more than the excess. */
const OVERFLOW_SHARE = 0.5;

type Common = Parameters<ContextEngine["bootstrap"]>[0];

/** The state of a session that is kept between instances, in tokens. */
export interface SessionView {
  /** The last budget of its messages, and the tokens used. */
  readonly room: number;
  readonly shown: number;
  /** The limit for its messages after a request was too long, until a turn is accepted. */
  readonly limit: number | null;
}

export class TurnEngine implements Omit<ContextEngine, "dispose"> {
  readonly info = ENGINE_INFO;
  readonly #bridges: Bridges;
  readonly #project: string | undefined;
  readonly #views: Map<string, SessionView>;
  #model: Complete | null = null;
  #budget: number | null = null;
  #section: string | null = null;
  #shown: Assembled | null = null;
  #isBehind = false;

  constructor(bridges: Bridges, views: Map<string, SessionView>, project: string | undefined) {
    this.#bridges = bridges;
    this.#views = views;
    this.#project = project;
  }

  async bootstrap(given: Common) {
    this.#lend(given);
    const imported = await this.#catchUp(given);
    this.#isBehind = imported === null;
    this.#shown = null;
    return { bootstrapped: imported !== null, importedMessages: imported ?? 0 };
  }

  /** Turns are stored by `commitTurn`, and everything else from the transcript. */
  async ingest() {
    return { ingested: false };
  }

  async commitTurn(turn: CommitTurn): Promise<{ readonly status: "committed" | "duplicate" }> {
    const run = this.#runOf(turn);
    const status = await this.#bridges
      .ofSession(turn)
      .attempt<"committed" | "duplicate" | null>(
        "storing a turn",
        null,
        (engine, signal) => commitTurn(engine, { ...run, signal }, turn),
        COMMIT_MS,
      );
    const view = this.#viewOf(turn);
    if (view !== undefined) this.#views.set(nameOf(turn), { ...view, limit: null });
    if (status !== null) return { status };
    // An error before a turn would send the turn to the host's own engine. If the transcript has the turn, it is read again.
    // Otherwise the host has the only copy, and must keep it.
    if (this.#budget === null && (await leftOfTurn(run, turn)).length === 0) return { status: "committed" };
    throw new Error("Palimpsest could not store the turn; the host tries again");
  }

  async assemble(given: Assemble): Promise<Assembled> {
    const room = this.#roomFor(given);
    if (this.#shown !== null && this.#shown.estimatedTokens <= room) return this.#shown;
    const session = sessionOf(given);
    this.#section ??= this.#memorySection(given);
    const own = trimToBudget(given.messages, room);
    const { messages, addition, recalled, tokens, from } = this.#isBehind
      ? { messages: own, addition: null, recalled: null, tokens: 0, from: "host" }
      : await this.#bridges.ofSession(given).assemble<HostMessage>(session, {
          ...{ budget: room, own, summary: toMessage },
          ...(given.prompt === undefined || given.prompt === "" ? {} : { prompt: given.prompt }),
          ...(this.#model === null ? {} : { model: this.#model }),
        });
    const shown = recalled === null ? messages : [...messages, remembered(recalled)];
    const prompt = [this.#section, addition].filter((part) => part !== null && part !== "").join("\n\n");
    this.#shown = {
      messages: shown,
      estimatedTokens: from === "record" ? tokens : estimateTokens(JSON.stringify(shown)),
      ...(prompt === "" ? {} : { systemPromptAddition: prompt }),
    };
    const limit = this.#viewOf(given)?.limit ?? null;
    this.#views.set(nameOf(given), { room, shown: this.#shown.estimatedTokens, limit });
    return this.#shown;
  }

  async compact(given: Compact): Promise<Compacted> {
    this.#lend(given);
    this.#shown = null;
    await this.#catchUp(given);
    const { tokenBudget = DEFAULT_BUDGET, customInstructions, abortSignal } = given;
    const limit = given.compactionTarget === "budget" ? this.#limitAfterOverflow(given, tokenBudget) : null;
    const before = this.#viewOf(given)?.shown ?? Infinity;
    const done = await this.#bridges.ofSession(given).compact(sessionOf(given), {
      budget: limit ?? this.#lastRoom(given, tokenBudget),
      ...(limit === null ? {} : { untilUnder: limit }),
      ...(customInstructions === undefined ? {} : { instructions: customInstructions }),
      ...(this.#model === null ? {} : { model: this.#model }),
      signal: abortSignal,
    });
    if (done === null) return { ok: false, compacted: false, reason: "Palimpsest could not compact" };
    const { isCompacted, tokensBefore, tokensAfter, tokensShown, summary } = done;
    // After an overflow the host gives up unless the next request is shorter, which does not require another summary.
    const isShorter = limit !== null && tokensShown < before;
    const after = isShorter ? Math.min(tokensAfter, tokensShown) : tokensAfter;
    const result = { tokensBefore, tokensAfter: after, ...(summary === null ? {} : { summary }) };
    return { ok: true, compacted: isCompacted || isShorter, result };
  }

  async maintain(given: Common & { readonly abortSignal?: AbortSignal }) {
    this.#lend(given);
    if (given.runtimeContext?.allowDeferredCompactionExecution === true)
      await this.#bridges.ofSession(given).tend(sessionOf(given), {
        budget: this.#lastRoom(given, given.runtimeContext.tokenBudget ?? DEFAULT_BUDGET),
        ...(this.#model === null ? {} : { model: this.#model }),
        signal: given.abortSignal,
      });
    return { changed: false, bytesFreed: 0, rewrittenEntries: 0 };
  }

  async prepareSubagentSpawn(given: Parameters<ContextEngine["prepareSubagentSpawn"]>[0]) {
    await linkChild(this.#bridges, given);
    return { rollback: () => unlinkChild(this.#bridges, given.childSessionKey) };
  }

  async onSubagentEnded({ childSessionKey }: { readonly childSessionKey: string }) {
    await unlinkChild(this.#bridges, childSessionKey);
  }

  /** The host's model is available as long as this instance. */
  #lend({ runtimeContext }: Common): void {
    if (runtimeContext?.llm !== undefined) this.#model = completeWith(runtimeContext.llm);
  }

  #catchUp(given: Common): Promise<number | null> {
    const run = this.#runOf(given);
    return this.#bridges
      .ofSession(given)
      .attempt<number | null>(
        "reading the transcript",
        null,
        async (engine, signal) => (await catchUp(engine, { ...run, signal })) ?? 0,
        IMPORT_MS,
      );
  }

  #runOf(given: Common): CatchUp {
    const session: HostSession = sessionOf(given);
    const target = { sessionId: given.sessionId, ...keyOf(given), ...given.sessionTarget };
    const { sdk } = this.#bridges.host;
    return { sdk, session, target, project: given.runtimeContext?.workspaceDir ?? this.#project };
  }

  /**
   * The first call of a turn gets what the system prompt leaves of the window. Later ones get the whole window without the
   * messages of the turn, so both are subtracted.
   */
  #roomFor(given: Assemble): number {
    const { tokenBudget = DEFAULT_BUDGET, runtimeSettings } = given;
    this.#budget ??= Math.floor(tokenBudget * HISTORY_SHARE);
    const window = runtimeSettings?.limits?.promptTokenBudget ?? tokenBudget;
    const pending = this.#shown === null ? 0 : Math.max(0, window - tokenBudget);
    const left = Math.floor(this.#budget / HISTORY_SHARE) - pending;
    const limit = this.#viewOf(given)?.limit ?? Infinity;
    return Math.max(1, Math.min(this.#budget, left, tokenBudget, limit));
  }

  /** Less than the request that was too long, and less again after each further overflow. */
  #limitAfterOverflow(given: Common, window: number): number {
    const room = this.#lastRoom(given, window);
    const shown = this.#viewOf(given)?.shown ?? room;
    const limit = Math.max(1, Math.floor(Math.min(room, shown) * OVERFLOW_SHARE));
    this.#views.set(nameOf(given), { room, shown, limit });
    return limit;
  }

  /** In the tool loop the host passes another text with fewer tools; the first one of the turn is kept. */
  #memorySection({ availableTools = new Set(), citationsMode, sessionKey }: Assemble): string {
    const key = sessionKey === undefined ? {} : { agentSessionKey: sessionKey };
    const { sdk } = this.#bridges.host;
    return sdk.buildMemorySystemPromptAddition({ availableTools, citationsMode, ...key }) ?? "";
  }

  #lastRoom(given: Common, window: number): number {
    return this.#viewOf(given)?.room ?? Math.floor(window * USUAL_SHARE);
  }

  #viewOf(given: Common): SessionView | undefined {
    return this.#views.get(nameOf(given));
  }
}

function nameOf({ sessionId, sessionKey }: Common): string {
  return sessionKey ?? sessionId;
}

function keyOf({ sessionKey }: Common) {
  return sessionKey === undefined ? {} : { sessionKey };
}

/** The host writes the time before each message, so the time must not change between calls. */
function toMessage({ text, at }: HostSummary): HostMessage {
  return { role: "user", content: [{ type: "text", text }], timestamp: Date.parse(at) };
}

function remembered(text: string): HostMessage {
  return { role: "user", content: [{ type: "text", text }], timestamp: Date.now() };
}
