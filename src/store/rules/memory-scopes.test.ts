import { describe, expect, it } from "vitest";
import { EVERY_SCOPE } from "../memory-store.ts";
import { memoryScopes, requireAllowed, requireAnyScope, scopesAmong } from "./memory-scopes.ts";

const holder = { tenant: "t", scopes: ["global", "user:u"] };
const operator = { tenant: "t", scopes: null };

describe("the scopes of a holder", () => {
  it("are plain data, with null for every scope", () => {
    expect(memoryScopes({ tenant: "t", scopes: EVERY_SCOPE })).toEqual(operator);
    expect(memoryScopes(holder)).toEqual(holder);
  });

  it("are all of them, or those among the wanted ones", () => {
    expect(scopesAmong(holder)).toEqual(["global", "user:u"]);
    expect(scopesAmong(holder, ["agent:a", "user:u"])).toEqual(["user:u"]);
    expect(scopesAmong(holder, [])).toEqual([]);
    expect(scopesAmong(operator)).toBeNull();
    expect(scopesAmong(operator, ["agent:a"])).toEqual(["agent:a"]);
  });

  it("are refused where one is outside, or where there is none", () => {
    expect(() => requireAllowed(holder, "agent:a")).toThrow(
      expect.objectContaining({
        code: "not-found",
        message: "the memory scope agent:a is not accessible",
        advice: expect.stringContaining("nothing was written"),
      }),
    );
    expect(() => requireAnyScope({ tenant: "t", scopes: [] })).toThrow(
      expect.objectContaining({
        code: "not-found",
        message: "no memory scope is accessible",
        advice: expect.stringContaining("nothing was written"),
      }),
    );
    requireAllowed(holder, "user:u");
    requireAnyScope(holder);
    requireAnyScope(operator);
  });
});
