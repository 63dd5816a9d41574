/**
 * Who may see which memories. A scope is a name such as `agent:main`; an agent sees those that it was given, or by
 * default the global one, its own and its reflections. Whoever cannot be told who they are sees nothing: blank and
 * malformed ids, and names that stand for "nobody in particular", are refused. All scopes at once are open only to the
 * holder of a `SystemCapability`, which no name in a request can become.
 */
import { EVERY_SCOPE } from "../store/memory-store.ts";

export const GLOBAL_SCOPE = "global";
export const SCOPE_KINDS = ["global", "agent", "user", "project", "custom", "reflection"] as const;
export type ScopeKind = (typeof SCOPE_KINDS)[number];

export type ParsedScope =
  | { readonly ok: true; readonly kind: ScopeKind; readonly id: string }
  | { readonly ok: false; readonly reason: string };

/** Letters and digits of any script, and a few signs between and behind them. */
const ID = /^[\p{L}\p{N}][\p{L}\p{N}\p{M}._@+/-]{0,127}$/u;
/** What a program writes when it does not know who is meant, and who must not be named into being. */
const NOBODY = new Set(["undefined", "null", "nan", "none", "system", "true", "false"]);
const PREFIXED = /^(agent|user|project|custom|reflection:agent):(.*)$/su;

export function parseScope(name: unknown): ParsedScope {
  if (typeof name !== "string" || name.trim() === "") return refused("A scope needs a name.");
  if (name === GLOBAL_SCOPE) return { ok: true, kind: "global", id: "" };
  const [, prefix, id] = PREFIXED.exec(name) ?? [];
  if (prefix === undefined || id === undefined)
    return refused("A scope is global, or agent:, user:, project:, custom: or reflection:agent: and an id.");
  if (!ID.test(id)) return refused("The id of a scope is letters and digits, with . _ @ + / or - between them.");
  const isAgent = prefix === "agent" || prefix === "reflection:agent";
  if (isAgent && NOBODY.has(id.toLowerCase())) return refused(`"${id}" is nobody's name.`);
  return { ok: true, kind: prefix === "reflection:agent" ? "reflection" : (prefix as ScopeKind), id };
}

export function agentScope(agent: string): string {
  return `agent:${agent}`;
}

export function reflectionScope(agent: string): string {
  return `reflection:agent:${agent}`;
}

/** Whether an id names an agent. */
export function isAgentId(agent: unknown): agent is string {
  return typeof agent === "string" && parseScope(agentScope(agent)).ok;
}

/** The agent of a host's session key: `agent:main:discord:channel:1` is of `main`. Null for any other text. */
export function parseAgentId(sessionKey: unknown): string | null {
  if (typeof sessionKey !== "string") return null;
  const [, agent] = /^agent:([^:]+)(?::|$)/.exec(sessionKey.trim()) ?? [];
  return isAgentId(agent) ? agent : null;
}

/** Opens every scope of a tenant. Only code that runs the engine can make one; nothing parsed from a request is one. */
export class SystemCapability {
  readonly #granted = true;

  static isHeldBy(value: unknown): value is SystemCapability {
    return typeof value === "object" && value !== null && #granted in value;
  }
}

export interface ScopeSettings {
  /** Scopes of agents that do not get the default ones. Their own reflections are always added. */
  readonly agentAccess: Readonly<Record<string, readonly string[]>>;
}

export const SCOPES: ScopeSettings = { agentAccess: {} };

export interface Accessible {
  /** Empty: none. */
  readonly scopes: readonly string[] | typeof EVERY_SCOPE;
  readonly reason: string;
}

export function accessibleScopes(agent: unknown, settings = SCOPES, capability?: unknown): Accessible {
  if (SystemCapability.isHeldBy(capability)) return { scopes: EVERY_SCOPE, reason: "By the system's capability." };
  if (!isAgentId(agent)) return { scopes: [], reason: "No agent is named, so nothing is open." };
  if (!Object.hasOwn(settings.agentAccess, agent))
    return { scopes: [GLOBAL_SCOPE, agentScope(agent), reflectionScope(agent)], reason: "By default." };
  const given = settings.agentAccess[agent] ?? [];
  const valid = given.filter((scope) => parseScope(scope).ok);
  const ignored = given.length - valid.length;
  return {
    scopes: [...new Set([...valid, reflectionScope(agent)])],
    reason: ignored === 0 ? "As given to this agent." : `As given, without ${ignored} that are no scopes.`,
  };
}

/** Where an agent writes when it names no scope: its own, else the global one; null when neither is open to it. */
export function defaultWriteScope(agent: unknown, settings = SCOPES): string | null {
  const { scopes } = accessibleScopes(agent, settings);
  if (scopes === EVERY_SCOPE || !isAgentId(agent)) return null;
  return [agentScope(agent), GLOBAL_SCOPE].find((scope) => scopes.includes(scope)) ?? null;
}

function refused(reason: string): ParsedScope {
  return { ok: false, reason };
}
