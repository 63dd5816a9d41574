/**
 * Maps a host's events to the engine. A plugin reports when something happened and in what format the host
 * wants its messages; everything else is here. Only `commit` throws, so that the host can retry.
 */
import { STUB } from "../context/assemble/entry.ts";
import type { AssembleResult } from "../context/context.ts";
import type { CommitTurnInput, CommitTurnResult } from "../context/ingest/commit-turn.ts";
import type { EntriesInput, EntriesReport } from "../context/ingest/import-entries.ts";
import type { ImportReport } from "../context/ingest/import-transcript.ts";
import { InOrder } from "../context/ingest/in-order.ts";
import { type Engine, internalsOf } from "../engine.ts";
import { isPalimpsestError } from "../errors.ts";
import { type Log, SILENT } from "../log.ts";
import { normalHashes } from "../message/normal-form.ts";
import { fence } from "../message/own-text.ts";
import { stringsInside } from "../message/strings-inside.ts";
import { findFileReferences } from "../text/file-reference.ts";
import type { Relation } from "../types.ts";
import { type Guard, orElse } from "./never-throw.ts";
import { type EngineLease, type SharedEngineOptions, shareEngine } from "./shared-engine.ts";
import type {
  AssembleForHost,
  CompactedForHost,
  CompactForHost,
  HostContext,
  HostEntry,
  HostSession,
  HostSummary,
  PresentForHost,
  SessionChange,
  TendForHost,
} from "./types.ts";

export interface HostBridgeOptions extends SharedEngineOptions {
  /** Receives every failure. Default: none. */
  readonly log?: Log;
}

type Origin = { readonly parent: string; readonly relation: Relation };

/** Default deadlines of the calls. */
const CATCH_UP_MS = 10_000;
const ASSEMBLE_MS = 60_000;
const COMPACT_MS = 300_000;
const SETTLE_MS = 10_000;
/** Maximum number of sessions whose state is cached. */
const MOST_SESSIONS = 100;

export class HostBridge {
  readonly #options: SharedEngineOptions;
  readonly #log: Log;
  #lease: Promise<EngineLease> | null = null;
  /** The last view of each session. */
  readonly #shown = new Map<string, readonly HostEntry<object>[]>();
  /** Parents of sessions, as reported by hosts. */
  readonly #origins = new Map<string, Origin>();
  readonly #inOrder = new InOrder();

  constructor({ log = SILENT, ...options }: HostBridgeOptions = {}) {
    this.#options = options;
    this.#log = log;
  }

  /** Opened on first use, and again after `release`. */
  async engine(): Promise<Engine> {
    this.#lease ??= shareEngine(this.#options);
    const opening = this.#lease;
    try {
      return (await opening).engine;
    } catch (error) {
      if (this.#lease === opening) this.#lease = null;
      throw error;
    }
  }

  async commit(
    session: HostSession,
    turn: Omit<CommitTurnInput, "conversation" | "strictness">,
  ): Promise<CommitTurnResult> {
    const engine = await this.engine();
    const hostContext = { ...turn.hostContext, ...this.#originOf(session) };
    return engine.context.commitTurn({ ...turn, hostContext, conversation: session, strictness: "keep" });
  }

  /**
   * Imports the new lines of a transcript. Null if that failed: the next call imports them. `isRunning`:
   * the host is still writing to the file, so only appended lines are read.
   */
  catchUp(file: string, { isRunning = false, deadlineMs = CATCH_UP_MS } = {}): Promise<ImportReport | null> {
    return orElse<ImportReport | null>(null, this.#guard("catching up", deadlineMs), async (signal) => {
      const engine = await this.engine();
      return engine.context.conversations.import(file, { signal, follow: isRunning });
    });
  }

  /**
   * Imports entries that the host reports, with the cursor after them. Stored entries are skipped, so a host that
   * lost its cursor can start again. Null if that failed: the next call imports them.
   */
  importEntries(
    session: HostSession,
    given: Omit<EntriesInput, "conversation">,
    deadlineMs = CATCH_UP_MS,
  ): Promise<EntriesReport | null> {
    return orElse<EntriesReport | null>(null, this.#guard("importing entries", deadlineMs), async () => {
      const { conversations } = (await this.engine()).context;
      const hostContext = { ...given.hostContext, ...this.#originOf(session) };
      return conversations.importEntries({ ...given, hostContext, conversation: session });
    });
  }

  /** The cursor of the last entries of a source; null if there is none, or it could not be read. */
  entriesCursor(session: HostSession, source: string, deadlineMs = CATCH_UP_MS): Promise<unknown> {
    return orElse<unknown>(null, this.#guard("reading a cursor", deadlineMs), async () => {
      const { conversations } = (await this.engine()).context;
      return conversations.entriesCursor(session, source);
    });
  }

  assemble<Message extends object>(
    session: HostSession,
    input: AssembleForHost<Message>,
  ): Promise<HostContext<Message>> {
    const { own, deadlineMs = ASSEMBLE_MS, signal } = input;
    const guard = this.#guard("assembling", deadlineMs, signal);
    return orElse(asHostHasIt(own), guard, async () => {
      const engine = await this.engine();
      const assembled = await engine.context.assemble({
        conversation: session,
        budget: input.budget,
        withoutSystem: true,
        ...(input.pending === undefined ? {} : { pending: input.pending }),
        ...(input.prompt === undefined ? {} : { prompt: input.prompt }),
        ...(input.model === undefined ? {} : { complete: input.model }),
      });
      // Memories may also be relevant to the first prompt of a session.
      return assembled.conversation === null
        ? { ...asHostHasIt(own), recalled: recalledIn(assembled) }
        : contextOf<Message>(assembled, input.summary);
    });
  }

  /** Stores what the host shows, and returns what the model should see of it. */
  present<Message extends object>(
    session: HostSession,
    input: PresentForHost<Message>,
  ): Promise<HostContext<Message>> {
    const { view, budget, model, prompt, summary, deadlineMs = ASSEMBLE_MS, signal } = input;
    const own = view.map(({ message }) => message);
    keepNewest(this.#shown, nameOf(session), view);
    const show = async () => {
      const engine = await this.engine();
      const asked = { conversation: session, budget, ...(model === undefined ? {} : { complete: model }) };
      const hostContext = this.#originOf(session);
      const reconciled = await engine.context.reconcile({ ...asked, view, hostContext });
      if (reconciled.status === "skipped") return asHostHasIt(own);
      const given = prompt === undefined ? {} : { prompt };
      const assembled = await engine.context.assemble({ ...asked, ...given, withoutSystem: true });
      const live = new Map(reconciled.messages.map((id, i) => [id, own[i]]));
      return contextOf<Message>(assembled, summary, (id) => live.get(id));
    };
    // The view of another call of this session must not come between storing and assembling.
    return orElse(asHostHasIt(own), this.#guard("presenting", deadlineMs, signal), () =>
      this.#inOrder.run(nameOf(session), show),
    );
  }

  /**
   * Stores the model's answer to `view`, which was presented before. If the session has shown something else
   * since, for example because a person stopped the answer and continued, the answer is stored on a branch.
   */
  answered<Message extends object>(
    session: HostSession,
    view: readonly HostEntry<Message>[],
    message: Message,
  ): Promise<void> {
    const last = this.#shown.get(nameOf(session)) ?? view;
    if (last === view) return this.reconcile(session, [...view, { message }]);
    const { said } = normalHashes(message);
    const isShown = last.some((entry) => normalHashes(entry.message).said === said);
    return isShown ? Promise.resolve() : this.reconcile(session, [...last, { message, origin: "left" }]);
  }

  #originOf(session: HostSession): Partial<Origin> {
    return this.#origins.get(nameOf(session)) ?? {};
  }

  /** Stores what the host shows, for example an answer as soon as it arrives. */
  reconcile(
    session: HostSession,
    view: readonly HostEntry<object>[],
    deadlineMs = CATCH_UP_MS,
  ): Promise<void> {
    const show = async () => {
      const hostContext = this.#originOf(session);
      await (await this.engine()).context.reconcile({ conversation: session, view, hostContext });
    };
    return orElse(undefined, this.#guard("reconciling", deadlineMs), () =>
      this.#inOrder.run(nameOf(session), show),
    );
  }

  /** Null when it failed. */
  compact(session: HostSession, input: CompactForHost): Promise<CompactedForHost | null> {
    const { budget, untilUnder, instructions, model, deadlineMs = COMPACT_MS } = input;
    const guard = this.#guard("compacting", deadlineMs, input.signal);
    return orElse<CompactedForHost | null>(null, guard, async (signal) => {
      const engine = await this.engine();
      const { tokensBefore, tokensAfter } = await engine.context.compact({
        conversation: session,
        budget,
        signal,
        ...(untilUnder === undefined ? {} : { untilUnder }),
        ...(instructions === undefined || instructions === "" ? {} : { instructions }),
        ...(model === undefined ? {} : { complete: model }),
      });
      const { items, messages, tokens } = await engine.context.assemble({ conversation: session, budget });
      const summaries = items.flatMap(({ type }, i) => (type === "summary" ? [textOf(messages[i])] : []));
      return {
        isCompacted: tokensAfter < tokensBefore,
        tokensBefore,
        tokensAfter,
        tokensShown: tokens,
        summary: summaries.length === 0 ? null : summaries.join("\n\n"),
      };
    });
  }

  /**
   * Does the background work of a session in the host's time and with its model: compacts the context if it is above a
   * threshold, then indexes, embeds and captures. For engines whose background is `manual`.
   */
  tend(session: HostSession, input: TendForHost): Promise<void> {
    const { budget, model, deadlineMs = COMPACT_MS } = input;
    return orElse(undefined, this.#guard("tending", deadlineMs, input.signal), async (signal) => {
      const { context, background } = await this.engine();
      const { level, target } = await context.evaluate({ conversation: session, budget });
      if (level !== "fine")
        await context.compact({
          ...{ conversation: session, budget, signal },
          ...(target === 0 ? {} : { untilUnder: target }),
          ...(model === undefined ? {} : { complete: model }),
        });
      await background?.run();
    });
  }

  /** Any other call of a plugin to the engine. Returns `fallback` if it fails or takes too long. */
  attempt<Result>(
    what: string,
    fallback: Result,
    run: (engine: Engine, signal: AbortSignal) => Promise<Result>,
    deadlineMs = CATCH_UP_MS,
  ): Promise<Result> {
    return orElse(fallback, this.#guard(what, deadlineMs), async (signal) =>
      run(await this.engine(), signal),
    );
  }

  /**
   * The engine for the tools of a session. A sub-agent can read its own conversation and those of its parents. The
   * grant is the stored link, so it survives a restart; it ends when the sub-agent's conversation is archived.
   */
  async engineFor(session: HostSession, isChild = false): Promise<Engine> {
    const engine = await this.engine();
    const { conversations, under } = internalsOf(engine);
    const own = await conversations.conversation({ sessionKey: null, ...session });
    if (!isChild && own?.relation !== "child") return engine;
    const granted = new Set<string>();
    for (let id = own?.id ?? null; id !== null && !granted.has(id); ) {
      granted.add(id);
      id = (await conversations.conversation({ id }))?.parent ?? null;
    }
    return under({ conversations: granted });
  }

  /** Finishes background work as far as time allows. The rest continues next time. */
  settle(deadlineMs = SETTLE_MS, signal?: AbortSignal): Promise<void> {
    return orElse(undefined, this.#guard("settling", deadlineMs, signal), async () => {
      if (this.#lease !== null) await (await this.engine()).background?.run();
    });
  }

  /** Call it before the first message of a forked or started session. A host with a transcript need not report forks. */
  changed(session: HostSession, change: SessionChange, deadlineMs = CATCH_UP_MS): Promise<void> {
    return orElse(undefined, this.#guard(`changing the session (${change.reason})`, deadlineMs), async () => {
      const { conversations } = (await this.engine()).context;
      if (change.reason === "fork" || change.reason === "child") {
        const { id } = await conversations.get(change.from);
        keepNewest(this.#origins, nameOf(session), { parent: id, relation: change.reason });
      } else if (change.reason !== "resume")
        await conversations
          .reset({ conversation: session, mode: change.reason })
          .catch((error: unknown) => ignoreUnknown(error));
    });
  }

  /** Closes the engine when nothing else in this process uses it. */
  release(): Promise<void> {
    const lease = this.#lease;
    this.#lease = null;
    return orElse(undefined, this.#guard("closing", SETTLE_MS), async () => {
      await (await lease)?.release();
    });
  }

  #guard(what: string, deadlineMs: number, signal?: AbortSignal): Guard {
    return { what, deadlineMs, log: this.#log, signal };
  }
}

/** A session without any record has nothing to reset. */
function ignoreUnknown(error: unknown): void {
  if (!isPalimpsestError(error, "not-found")) throw error;
}

function keepNewest<Value>(values: Map<string, Value>, name: string, value: Value): void {
  values.delete(name);
  values.set(name, value);
  const [oldest] = values.keys();
  if (values.size > MOST_SESSIONS && oldest !== undefined) values.delete(oldest);
}

function nameOf({ sessionId, sessionKey }: HostSession): string {
  return sessionKey ?? sessionId;
}

function asHostHasIt<Message extends object>(own: readonly Message[]): HostContext<Message> {
  return { from: "host", messages: own, addition: null, recalled: null, tokens: 0, waited: false };
}

/** Unchanged messages are returned as the host's own objects; summaries are ours. */
function contextOf<Message extends object>(
  assembled: AssembleResult,
  toMessage: (summary: HostSummary) => Message,
  live: (id: string) => Message | undefined = () => undefined,
): HostContext<Message> {
  const { items, messages, systemPromptAddition, tokens, waited } = assembled;
  const shown = messages.map((message, i) => {
    const item = items[i];
    if (item?.type === "summary") return toMessage({ id: item.id, text: textOf(message), at: item.at });
    const isWhole = item !== undefined && item.cutTo === null && item.reason !== STUB;
    return (isWhole && !hasReferences(message) ? live(item.id) : undefined) ?? (message as Message);
  });
  return {
    from: "record",
    messages: shown,
    addition: systemPromptAddition,
    recalled: recalledIn(assembled),
    tokens,
    waited,
  };
}

/** The host's own message still contains the files that the context shows as references. */
function hasReferences(message: unknown): boolean {
  return findFileReferences(stringsInside(message)).length > 0;
}

function recalledIn({ recalled }: AssembleResult): string | null {
  return recalled === null ? null : fence("memories that may matter now", recalled.text);
}

function textOf(message: unknown): string {
  const { content } = Object(message);
  return typeof content === "string" ? content : "";
}
