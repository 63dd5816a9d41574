/** Names of memory scopes. Malformed names are denied. */

export const GLOBAL_SCOPE = "global";
export const SCOPE_KINDS = ["global", "agent", "user", "project", "custom", "reflection"] as const;
export type ScopeKind = (typeof SCOPE_KINDS)[number];

/** The rule for agent names, for messages. */
export const AGENT_NAME =
  "letters and digits, with . _ @ + / or - between them, but not a placeholder such as null or none";

export type ParsedScope =
  | { readonly ok: true; readonly kind: ScopeKind; readonly id: string }
  | { readonly ok: false; readonly reason: string };

/** Letters and digits of any script, and some punctuation after the first. */
const ID = /^[\p{L}\p{N}][\p{L}\p{N}\p{M}._@+/-]{0,127}$/u;
/** Placeholders that programs write for an unknown agent, which must not become agents. */
const NOBODY = new Set(["undefined", "null", "nan", "none", "system", "true", "false"]);
const PREFIXED = /^(agent|user|project|custom|reflection:agent):(.*)$/su;

export function parseScope(name: unknown): ParsedScope {
  if (typeof name !== "string" || name.trim() === "") return refused("A scope needs a name.");
  if (name === GLOBAL_SCOPE) return { ok: true, kind: "global", id: "" };
  const [, prefix, id] = PREFIXED.exec(name) ?? [];
  if (prefix === undefined || id === undefined)
    return refused(
      "Use global, agent:<id>, user:<id>, project:<id>, custom:<name> or reflection:agent:<id>.",
    );
  if (!ID.test(id))
    return refused("The id of a scope consists of letters and digits, with . _ @ + / or - between them.");
  const isAgent = prefix === "agent" || prefix === "reflection:agent";
  if (isAgent && NOBODY.has(id.toLowerCase())) return refused(`"${id}" is not allowed as a name.`);
  return { ok: true, kind: prefix === "reflection:agent" ? "reflection" : (prefix as ScopeKind), id };
}

export function isScopeName(name: unknown): name is string {
  return parseScope(name).ok;
}

function refused(reason: string): ParsedScope {
  return { ok: false, reason };
}
