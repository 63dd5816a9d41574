/** The library stays small: few verbs, and the rest in groups. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { Context } from "../src/context/context.ts";
import { Engine } from "../src/engine.ts";
import { AgentMemory } from "../src/memory/memory.ts";

function membersOf({ prototype }: { readonly prototype: object }): string[] {
  return Object.getOwnPropertyNames(prototype).filter((name) => name !== "constructor");
}

describe("the library", () => {
  it("has few verbs for the context", () => {
    const verbs = ["commitTurn", "reconcile", "evaluate", "compact", "assemble", "expand", "read"];
    expect(membersOf(Context)).toEqual([...verbs, "grep", "recent", "describe", "erase"]);
  });

  it("has few verbs for the memory", () => {
    const verbs = ["store", "storeMany", "recall", "list", "get", "update", "forget", "facts", "capture"];
    expect(membersOf(AgentMemory)).toEqual(verbs);
  });

  it("has few members of an engine", () => {
    const members = ["searchesByMeaning", "ask", "contextOf", "memoryOf", "memoryOfSession", "close"];
    expect(membersOf(Engine)).toEqual(members);
  });

  it("exports at most 90 names", () => {
    const lists = [...readFileSync("src/index.ts", "utf8").matchAll(/export (?:type )?\{([^}]*)\}/g)];
    const names = lists.flatMap(({ 1: list = "" }) => list.split(",")).filter((name) => /\w/.test(name));
    expect(names.length).toBeLessThanOrEqual(90);
  });
});
