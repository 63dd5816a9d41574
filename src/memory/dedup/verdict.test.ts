import { describe, expect, it } from "vitest";
import type { MemoryCategory } from "../../memory-types.ts";
import { VERDICTS } from "../../prompts/judge-duplicates.ts";
import { type Match, planVerdict } from "./verdict.ts";

const SCOPE = "agent:main";

function match(id: string, category: MemoryCategory, changes: Partial<Match> = {}): Match {
  return { id, scope: SCOPE, category, factKey: null, isActive: true, ...changes };
}

function plan(
  category: MemoryCategory,
  verdict: string | null,
  matchIndex: number | null = 1,
  label: string | null = null,
  matches: readonly Match[] = [match("a", category), match("b", category)],
) {
  const judgement = verdict === null ? null : { verdict, matchIndex, label, reason: "Because." };
  return planVerdict({ candidate: { scope: SCOPE, category, factKey: null }, matches, judgement });
}

describe("what a verdict comes to", () => {
  it.each([
    // preferences and entities are replaced by newer values
    ["preferences", "create", 1, null, { kind: "create" }],
    ["preferences", "skip", 1, null, { kind: "skip", target: "a" }],
    ["preferences", "merge", 2, null, { kind: "merge", targets: ["b"], label: "general" }],
    ["preferences", "merge", null, null, { kind: "merge", targets: ["a"], label: "general" }],
    ["preferences", "support", null, "晚上", { kind: "support", target: "a", label: "evening" }],
    ["preferences", "contextualize", 2, "work", { kind: "contextualize", target: "b", label: "work" }],
    ["preferences", "contradict", 1, "work", { kind: "contradict", target: "a", label: "work" }],
    ["preferences", "contradict", 1, null, { kind: "supersede", targets: ["a"] }],
    ["entities", "contradict", 1, "general", { kind: "supersede", targets: ["a"] }],
    ["entities", "supersede", 2, null, { kind: "supersede", targets: ["b"] }],
    // a destructive verdict needs an existing match
    ["entities", "supersede", null, null, { kind: "create" }],
    ["entities", "supersede", 3, null, { kind: "create" }],
    ["entities", "supersede", 0, null, { kind: "create" }],
    ["entities", "contradict", null, "work", { kind: "create" }],
    ["entities", "merge", 9, null, { kind: "create" }],
    // patterns are merged, never replaced
    ["patterns", "merge", 1, null, { kind: "merge", targets: ["a"], label: "general" }],
    ["patterns", "supersede", 1, null, { kind: "create" }],
    ["patterns", "contradict", 1, null, { kind: "contradict", target: "a", label: "general" }],
    // events and cases are append-only
    ["events", "merge", 1, null, { kind: "create" }],
    ["events", "supersede", 1, null, { kind: "create" }],
    ["events", "contradict", 1, null, { kind: "create" }],
    ["cases", "contextualize", 1, "work", { kind: "create" }],
    ["cases", "skip", 1, null, { kind: "skip", target: "a" }],
    ["events", "support", 1, null, { kind: "support", target: "a", label: "general" }],
    // an unknown verdict keeps the candidate
    ["preferences", "destroy", 1, null, { kind: "create" }],
    ["preferences", null, null, null, { kind: "create" }],
  ] as const)("%s, %s at %s under %s", (category, verdict, index, label, effect) => {
    const result = plan(category, verdict, index, label);
    expect(result.effects).toEqual([effect]);
    expect(result.applied).toBe(effect.kind);
    expect(result.reason).not.toBe("");
  });

  it("profile merges with all of its scope that has no key", () => {
    const matches = [
      match("a", "profile"),
      match("b", "profile"),
      match("old", "profile", { isActive: false }),
      match("other", "profile", { scope: "agent:bob" }),
      match("keyed", "profile", { factKey: "profile:home" }),
      match("c", "preferences"),
    ];
    for (const verdict of [null, ...VERDICTS, "nonsense"])
      expect(plan("profile", verdict, 1, null, matches).effects).toEqual([
        { kind: "merge", targets: ["a", "b"], label: "general" },
      ]);
    expect(plan("profile", "merge", 1, null, []).effects).toEqual([{ kind: "create" }]);
  });

  it("nothing of another scope or out of force is touched", () => {
    const matches = [
      match("old", "entities", { isActive: false }),
      match("bob", "entities", { scope: "agent:bob" }),
      match("mine", "entities"),
    ];
    for (const verdict of ["supersede", "merge", "contradict", "support"]) {
      for (const index of [1, 2])
        expect(plan("entities", verdict, index, null, matches).applied).toBe("create");
      expect(plan("entities", verdict, 3, null, matches).applied).not.toBe("create");
    }
    expect(plan("entities", "support", null, null, matches).effects).toMatchObject([{ target: "mine" }]);
  });

  it("what has a key of its own is merged with nothing else", () => {
    const keyed = [match("a", "entities", { factKey: "entities:atlas port" })];
    expect(plan("entities", "merge", 1, null, keyed).effects).toEqual([{ kind: "create" }]);
    expect(plan("entities", "support", 1, null, keyed).applied).toBe("support");
  });

  it("another category is neither merged with nor replaced", () => {
    const matches = [match("a", "patterns")];
    expect(plan("preferences", "merge", 1, null, matches).applied).toBe("create");
    expect(plan("preferences", "supersede", 1, null, matches).applied).toBe("create");
  });
});
