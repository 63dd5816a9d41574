/** Everything that the plugin does, loaded from where it is installed when the host first calls it. */

import { catchUp } from "../../src/host/openclaw/catch-up.ts";
import { Bridges, type Host, sessionOf } from "./bridges.ts";
import { runCommand } from "./command.ts";
import { type SessionView, TurnEngine } from "./context-engine.ts";
import { searchManager } from "./search-manager.ts";
import { runTool } from "./tools.ts";
import type { CallContext, MemorySearchManager } from "./types.ts";

/** The host gives all sessions together 2 seconds when it shuts down. */
const READ_REST_MS = 1_500;

export class Work {
  readonly #bridges: Bridges;
  readonly #views = new Map<string, SessionView>();

  constructor(host: Host) {
    this.#bridges = new Bridges(host);
  }

  engineFor(project: string | undefined): TurnEngine {
    return new TurnEngine(this.#bridges, this.#views, project);
  }

  runTool(name: string, context: CallContext, input: object, signal?: AbortSignal): Promise<string> {
    return runTool(name, { bridges: this.#bridges, context, input, signal });
  }

  runCommand(args: string, context: CallContext): Promise<string> {
    return runCommand(this.#bridges, args, context);
  }

  managerOf(agent: string): MemorySearchManager {
    return searchManager(this.#bridges.of(agent));
  }

  /** Imports the rest of the last turns before the host closes the session. */
  async readRest(context: CallContext): Promise<void> {
    const { agentId, sessionKey, sessionId } = context;
    if (agentId === undefined || sessionKey === undefined || sessionId === undefined) return;
    const { sdk } = this.#bridges.host;
    const run = { sdk, session: sessionOf(context), target: { agentId, sessionKey, sessionId } };
    await this.#bridges
      .ofSession(context)
      .attempt<number | null>(
        "reading the rest of a transcript",
        null,
        (engine, signal) => catchUp(engine, { ...run, signal }),
        READ_REST_MS,
      );
  }

  close(): Promise<void> {
    return this.#bridges.close();
  }
}
