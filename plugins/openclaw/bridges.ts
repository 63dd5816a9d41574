/** One bridge for each agent of the host. */
import { HostBridge, type HostSession } from "../../src/host/index.ts";
import { scopeOfAgent } from "../../src/host/openclaw/scope-of-agent.ts";
import type { CallContext, HostSdk } from "./types.ts";

const DEFAULT_AGENT = "main";

export interface Host {
  readonly settings: Readonly<Record<string, unknown>>;
  readonly sdk: HostSdk;
  warn(text: string): void;
}

export class Bridges {
  readonly host: Host;
  readonly #byAgent = new Map<string, HostBridge>();

  constructor(host: Host) {
    this.host = host;
  }

  of(agent: string): HostBridge {
    const known = this.#byAgent.get(agent);
    if (known !== undefined) return known;
    const bridge = new HostBridge({
      config: { ...this.host.settings, ...scopeOfAgent(agent) },
      // Work that needs the host's model runs while it is available: in `maintain`.
      background: "manual",
      log: { debug: nothing, info: nothing, warn: this.#log, error: this.#log },
    });
    this.#byAgent.set(agent, bridge);
    return bridge;
  }

  ofSession(context: CallContext): HostBridge {
    return this.of(agentOf(context));
  }

  /** Called before the host's process ends. */
  async close(): Promise<void> {
    for (const bridge of this.#byAgent.values()) {
      await bridge.settle(2_000);
      await bridge.release();
    }
  }

  readonly #log = (fields: unknown, text?: string) => {
    const { what, problem } = Object(fields);
    const told = [text, what, problem].filter((part) => typeof part === "string");
    this.host.warn(`palimpsest: ${told.join(": ")}`);
  };
}

/** `agent:main:discord:channel:1` is a session of `main`. */
export function agentOf({ agentId, sessionKey }: CallContext): string {
  return agentId ?? /^agent:([^:]+):/.exec(sessionKey ?? "")?.[1] ?? DEFAULT_AGENT;
}

/** Tools may be called before the host knows a session. */
export function sessionOf({ sessionId, sessionKey }: CallContext): HostSession {
  const id = sessionId ?? sessionKey ?? "unknown";
  return sessionKey === undefined ? { sessionId: id } : { sessionId: id, sessionKey };
}

export function isSubagent({ sessionKey }: CallContext): boolean {
  return sessionKey?.includes(":subagent:") ?? false;
}

const nothing = () => {};
