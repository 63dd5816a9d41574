/**
 * Maps hook events to calls of the engine. Each response has a deadline. On any fault it is empty: the host
 * continues as it would without us, and the next event imports what is missing.
 */
import { type Engine, internalsOf } from "../engine.ts";
import { orElse } from "../host/never-throw.ts";
import type { Log } from "../log.ts";
import { captureAgents, captureBeside } from "./capture-beside.ts";
import { Captures, importFrom } from "./captures.ts";
import { digestOf } from "./digest.ts";
import { type HintSession, hintFor } from "./hint.ts";
import type { HookAnswer, HookEvent, HookFront, HookSession } from "./hook-event.ts";
import { HOOK_FRONTS } from "./hosts/index.ts";
import { lacksDigest } from "./lacks-digest.ts";
import { STEERING } from "./steering.ts";
import { stubResult } from "./stub-result.ts";

/** Our deadlines. The limits of hosts are longer, except at the end of a session, which is not waited for. */
const DEADLINE_MS: Readonly<Record<HookEvent["kind"], number>> = {
  start: 300,
  prompt: 1_500,
  tool: 5_000,
  "turn-end": 300,
  "agent-end": 300,
  "before-compaction": 5_000,
  "after-compaction": 20_000,
  end: 300,
};

const PREPARE_MS = 60_000;

export class HookRunner {
  readonly captures: Captures;
  readonly #open: () => Promise<Engine>;
  readonly #log: Log;
  /** Sessions that were checked for a missing digest. */
  readonly #seen = new Set<string>();
  readonly #preparing = new Map<string, Promise<unknown>>();
  /** Number of stored messages at the last compaction of a session; the model no longer sees those. */
  readonly #compactedAt = new Map<string, number>();

  constructor(open: () => Promise<Engine>, log: Log) {
    this.#open = open;
    this.#log = log;
    this.captures = new Captures(importFrom(open), log);
  }

  /** Returns the response for the host; may be empty. Never throws. */
  async run(host: string, given: unknown): Promise<string> {
    const front = HOOK_FRONTS.find(({ name }) => name === host);
    const event = front?.read(given) ?? null;
    if (front === undefined || event === null) return "";
    const guard = { what: `hook ${event.kind}`, deadlineMs: DEADLINE_MS[event.kind], log: this.#log };
    const answer = await orElse<HookAnswer>({}, guard, () => this.#answer(event, front));
    return front.write(answer, given);
  }

  /** Preloads what the first prompts need. Never throws. */
  async warmUp(): Promise<void> {
    const guard = { what: "warming up", deadlineMs: PREPARE_MS, log: this.#log };
    await orElse(null, guard, async () => {
      const engine = await this.#open();
      await hintFor(engine, "earlier work", { project: null, inView: () => true });
      await internalsOf(engine).warmUp();
    });
  }

  /** Imports messages for an event without a response. */
  note(host: string, given: unknown): void {
    const event = HOOK_FRONTS.find(({ name }) => name === host)?.read(given) ?? null;
    if (event !== null) this.#capture(event);
  }

  /** Imports the new messages of all known sessions. */
  async catchUp(): Promise<void> {
    for (const file of this.captures.files) {
      void this.captures.capture(file);
      await captureAgents(file, this.captures);
    }
    await this.captures.settle();
  }

  #capture({ kind, transcript }: HookEvent): Promise<unknown> | undefined {
    if (transcript === null) return undefined;
    // Other sessions of the project may have ended without an event, for example by a kill.
    if (kind === "start") void captureBeside(transcript, this.captures);
    if (kind === "end") void captureAgents(transcript, this.captures);
    return this.captures.capture(transcript);
  }

  async #answer(event: HookEvent, front: HookFront): Promise<HookAnswer> {
    // A person waits for the hint but not for the import, which would keep the store busy.
    if (event.kind === "prompt")
      return this.#beside(event, event.prompt).finally(() => void this.#capture(event));
    const captured = this.#capture(event);
    switch (event.kind) {
      case "tool": {
        if (!front.replacesResults) return {};
        const ready = async () => {
          // The call must be stored before its result.
          await captured;
          return this.#open();
        };
        const toolResult = await stubResult(ready, event, event.tool);
        return toolResult === undefined ? {} : { toolResult };
      }
      case "before-compaction":
        await captured;
        // Not every host reports a finished compaction: the next prompt checks for a missing digest.
        this.#seen.delete(event.sessionId);
        // Meanwhile the host writes its own summary.
        this.#prepare(event);
        return { instructions: STEERING };
      case "after-compaction":
        await Promise.all([captured, this.#preparing.get(event.sessionId)]);
        this.#seen.add(event.sessionId);
        return contextOf(await this.#digest(event));
      default:
        return {};
    }
  }

  async #beside(session: HookSession, prompt: string): Promise<HookAnswer> {
    const isNew = !this.#seen.has(session.sessionId);
    this.#seen.add(session.sessionId);
    if (isNew && session.transcript !== null && (await lacksDigest(session.transcript))) {
      await this.captures.capture(session.transcript);
      return contextOf(await this.#digest(session));
    }
    const engine = await this.#open();
    const known = await internalsOf(engine).conversations.conversations({ limit: 1 });
    if (known.rows.length === 0) return {};
    return contextOf(await hintFor(engine, prompt, await this.#about(engine, session.sessionId)));
  }

  async #about(engine: Engine, sessionId: string): Promise<HintSession> {
    const seen = this.#compactedAt.get(sessionId) ?? 0;
    const conversation = await engine.context.conversations.get({ sessionId }).catch(() => null);
    return {
      project: conversation?.project ?? null,
      inView: (hit) => hit.conversation === conversation?.id && hit.seq > seen,
    };
  }

  /** Creates summaries before they are needed, since two processes cannot create them at once. */
  #prepare({ sessionId, ...session }: HookSession): void {
    if (this.#preparing.has(sessionId)) return;
    const guard = { what: "preparing a digest", deadlineMs: PREPARE_MS, log: this.#log };
    const prepared = orElse(null, guard, () => this.#digest({ sessionId, ...session }));
    this.#preparing.set(
      sessionId,
      prepared.finally(() => this.#preparing.delete(sessionId)),
    );
  }

  async #digest({ sessionId }: HookSession): Promise<string | null> {
    const engine = await this.#open();
    const digest = await digestOf(engine, sessionId);
    if (digest !== null) {
      const { messageCount } = await engine.context.conversations.get({ sessionId });
      this.#compactedAt.set(sessionId, messageCount);
    }
    return digest;
  }
}

function contextOf(context: string | null): HookAnswer {
  return context === null ? {} : { context };
}
