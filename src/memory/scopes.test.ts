import { describe, expect, it } from "vitest";
import { EVERY_SCOPE } from "../store/memory-store.ts";
import { parseScope } from "../text/scope-name.ts";
import { accessibleScopes, defaultWriteScope, parseAgentId, SystemCapability } from "./scopes.ts";

describe("names of scopes", () => {
  it.each([
    ["global", "global", ""],
    ["agent:main", "agent", "main"],
    ["user:ana@example.org", "user", "ana@example.org"],
    ["project:org/repo", "project", "org/repo"],
    ["custom:旅行", "custom", "旅行"],
    ["reflection:agent:main", "reflection", "main"],
    ["user:system", "user", "system"],
  ])("%s", (name, kind, id) => {
    expect(parseScope(name)).toEqual({ ok: true, kind, id });
  });

  it.each([
    "",
    "  ",
    null,
    undefined,
    7,
    "main",
    "agent:",
    "agent: main",
    "agent:a b",
    "agent:a:b",
    "agent:*",
    "agent:undefined",
    "agent:Undefined",
    "agent:null",
    "agent:system",
    "reflection:agent:system",
    "reflection:main",
    "Global",
    "agent:a\nglobal",
    `agent:${"x".repeat(129)}`,
  ])("refused: %s", (name) => {
    const parsed = parseScope(name);
    expect(parsed.ok).toBe(false);
    if (!parsed.ok) expect(parsed.reason).toMatch(/\.$/);
  });
});

describe("an agent", () => {
  it("sees the global scope, its own and its reflections", () => {
    expect(accessibleScopes("main").scopes).toEqual(["global", "agent:main", "reflection:agent:main"]);
    expect(defaultWriteScope("main")).toBe("agent:main");
  });

  it("sees what it was given instead, and its reflections", () => {
    const settings = { agentAccess: { main: ["global", "project:x", "nonsense"], walled: [] } };
    expect(accessibleScopes("main", settings)).toEqual({
      scopes: ["global", "project:x", "reflection:agent:main"],
      reason: "As given, without 1 invalid.",
    });
    expect(defaultWriteScope("main", settings)).toBe("global");
    expect(accessibleScopes("walled", settings).scopes).toEqual(["reflection:agent:walled"]);
    expect(defaultWriteScope("walled", settings)).toBeNull();
    expect(accessibleScopes("constructor", settings).scopes).toContain("agent:constructor");
  });

  it.each([
    undefined,
    null,
    "",
    " ",
    "undefined",
    "UNDEFINED",
    "null",
    "system",
    "System",
    "a b",
    "*",
    5,
    {},
  ])("that cannot be told sees nothing: %s", (agent) => {
    expect(accessibleScopes(agent).scopes).toEqual([]);
    expect(defaultWriteScope(agent)).toBeNull();
  });

  it("sees everything only by a capability that was made, not described", () => {
    expect(accessibleScopes("system", undefined, new SystemCapability()).scopes).toBe(EVERY_SCOPE);
    const described = [{}, { granted: true }, "system", JSON.parse('{"#granted":true}'), null];
    const inherited = Object.create(SystemCapability.prototype);
    for (const capability of [...described, inherited])
      expect(accessibleScopes("main", undefined, capability).scopes).toHaveLength(3);
  });
});

describe("the agent of a session key", () => {
  it.each([
    ["agent:main:discord:channel:123", "main"],
    ["agent:main", "main"],
    [" agent:main:x", "main"],
    ["agent:", null],
    ["agent::x", null],
    ["agent:undefined:x", null],
    ["agent:system", null],
    ["main", null],
    ["my-agent:main", null],
    [null, null],
    [undefined, null],
  ])("%s is %s", (key, agent) => {
    expect(parseAgentId(key)).toBe(agent);
  });
});
