/**
 * Access to memories by scope. A scope is a name such as `agent:main`; an agent can access the scopes that it was given, or by
 * default the global one, its own and its reflections. An agent without a valid id has no access: blank and
 * malformed ids, and placeholder names, are rejected. Only the
 * holder of a `SystemCapability`, which a request cannot create, can access all scopes.
 */
import { PalimpsestError } from "../errors.ts";
import { EVERY_SCOPE } from "../store/memory-store.ts";
import { AGENT_NAME, GLOBAL_SCOPE, parseScope } from "../text/scope-name.ts";
import type { MemoryDependencies } from "./memory-dependencies.ts";

function agentScope(agent: string): string {
  return `agent:${agent}`;
}

function reflectionScope(agent: string): string {
  return `reflection:agent:${agent}`;
}

/** Whether an id names an agent. */
function isAgentId(agent: unknown): agent is string {
  return typeof agent === "string" && parseScope(agentScope(agent)).ok;
}

/** The agent of a host's session key: `agent:main:discord:channel:1` is of `main`. Null for any other text. */
export function parseAgentId(sessionKey: unknown): string | null {
  if (typeof sessionKey !== "string") return null;
  const [, agent] = /^agent:([^:]+)(?::|$)/.exec(sessionKey.trim()) ?? [];
  return isAgentId(agent) ? agent : null;
}

/** Grants every scope of a tenant. Only code that runs the engine can create one; parsing a request cannot. */
export class SystemCapability {
  readonly #granted = true;

  static isHeldBy(value: unknown): value is SystemCapability {
    return typeof value === "object" && value !== null && #granted in value;
  }
}

interface ScopeSettings {
  /** Scopes of agents that do not get the default ones. Their own reflections are always added. */
  readonly agentAccess: Readonly<Record<string, readonly string[]>>;
}

const SCOPES: ScopeSettings = { agentAccess: {} };

interface Accessible {
  /** Empty: none. */
  readonly scopes: readonly string[] | typeof EVERY_SCOPE;
  readonly reason: string;
}

export function accessibleScopes(agent: unknown, settings = SCOPES, capability?: unknown): Accessible {
  if (SystemCapability.isHeldBy(capability))
    return { scopes: EVERY_SCOPE, reason: "By the system's capability." };
  if (!isAgentId(agent)) return { scopes: [], reason: "No agent is named, so there is no access." };
  if (!Object.hasOwn(settings.agentAccess, agent))
    return { scopes: [GLOBAL_SCOPE, agentScope(agent), reflectionScope(agent)], reason: "By default." };
  const given = settings.agentAccess[agent] ?? [];
  const valid = given.filter((scope) => parseScope(scope).ok);
  const ignored = given.length - valid.length;
  return {
    scopes: [...new Set([...valid, reflectionScope(agent)])],
    reason: ignored === 0 ? "As given to this agent." : `As given, without ${ignored} invalid.`,
  };
}

/** The default scope for writes of an agent: its own, else the global one; null if it can access neither. */
export function defaultWriteScope(agent: unknown, settings = SCOPES): string | null {
  const { scopes } = accessibleScopes(agent, settings);
  if (scopes === EVERY_SCOPE || !isAgentId(agent)) return null;
  return [agentScope(agent), GLOBAL_SCOPE].find((scope) => scopes.includes(scope)) ?? null;
}

/** The scope to write to: the named one, or the default. Throws if the agent cannot access it. */
export function writableScope(
  named: string | null,
  { agent, settings, store }: Pick<MemoryDependencies, "agent" | "settings" | "store">,
): string {
  const { scopes } = store.access;
  if (scopes !== EVERY_SCOPE && !isAgentId(agent)) throw noAgent(agent);
  const scope = named ?? defaultWriteScope(agent, { agentAccess: settings.memoryAccess });
  if (scope === null)
    throw new PalimpsestError(
      "invalid-input",
      "the agent has no access to its own memory scope or to global",
      {
        advice:
          scopes === EVERY_SCOPE
            ? "Name the scope to write to."
            : `Use one of: ${scopes.join(", ")}; memoryAccess and memoryScope in the configuration determine them.`,
      },
    );
  const parsed = parseScope(scope);
  if (!parsed.ok)
    throw new PalimpsestError("invalid-input", `invalid scope '${scope}'`, { advice: parsed.reason });
  if (scopes !== EVERY_SCOPE && !scopes.includes(scope))
    throw new PalimpsestError("invalid-input", `this agent has no access to the memory scope ${scope}`, {
      advice: `It can use ${scopes.join(", ")}; memoryAccess in the configuration grants access to others.`,
    });
  return scope;
}

/** It cannot be given a scope either, since all callers with the same mistake would share it. */
function noAgent(agent: string): PalimpsestError {
  const parsed = parseScope(agentScope(agent));
  const why = parsed.ok ? "" : ` ${parsed.reason}`;
  return new PalimpsestError("invalid-input", `this agent name has no access to memories.${why}`, {
    advice: `Use another agent name (${AGENT_NAME}): the setting is agent, LCM_AGENT in the environment.`,
  });
}
