/** The library stays small: few verbs, the rest in groups, and a way into the code that can be read at one sitting. */
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
    const verbs = ["commitTurn", "evaluate", "compact", "assemble", "expand", "read"];
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

  it("is introduced by fewer than 1,000 lines", () => {
    const path = /\*\*Reading order\*\*[^\n]*\n[^\n]*/.exec(readFileSync("AGENTS.md", "utf8"))?.[0] ?? "";
    const files = [...path.matchAll(/`(src\/[\w/.-]+)`|\]\((docs\/[\w/.-]+)\)/g)].map(
      ({ 1: source, 2: page }) => source ?? page ?? "",
    );
    expect(files).toHaveLength(4);
    const lines = files.map((file) => readFileSync(file, "utf8").split("\n").length);
    expect(lines.reduce((sum, one) => sum + one, 0)).toBeLessThan(1_000);
  });
});
