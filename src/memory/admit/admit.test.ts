import { describe, expect, it } from "vitest";
import type { MemoryCategory } from "../../memory-types.ts";
import { dayIso, dayMs } from "../testing/a-memory.ts";
import { type AdmissionInput, decideAdmission } from "./admit.ts";
import { ADMISSION } from "./presets.ts";

const SAID = "I live in Berlin";

function input(category: MemoryCategory, changes: Partial<AdmissionInput> = {}): AdmissionInput {
  return {
    candidate: { category, abstract: SAID, content: "" },
    conversation: SAID,
    compared: [],
    utility: null,
    now: dayMs(14),
    ...changes,
  };
}

const KNOWN = { id: "mem_a", cosine: 0.95, category: "events", createdAt: dayIso(0) };
const UNSAID = "Nothing of the sort was ever talked about";

describe("admission", () => {
  it("weighs the five features", () => {
    const admission = decideAdmission(input("events"));
    // 0.1 · (0.5 + 1 + 1 + 1) + 0.6 · 0.45
    expect(admission.score).toBeCloseTo(0.62, 10);
    expect(admission).toMatchObject({ decision: "pass", hint: "add" });
  });

  it("rejects an event that nobody said and that is known", () => {
    const admission = decideAdmission(input("events", { conversation: UNSAID, compared: [KNOWN] }));
    // 0.1 · (0.5 + 0 + 0.05 + 0.5) + 0.27
    expect(admission.score).toBeCloseTo(0.375, 10);
    expect(admission).toMatchObject({ decision: "reject", hint: "update_or_merge" });
    expect(admission.reason).toBe(
      "Scores 0.375, below 0.45 (lowest: typePrior), similar to 1 known memories.",
    );
    expect(admission.audit).toMatchObject({
      preset: "balanced",
      matchedIds: ["mem_a"],
      wasUtilityRated: false,
    });
  });

  it.each([
    // the same poor candidate, by category: 0.105 + 0.6 · prior, since other categories are compared too
    ["profile", 0.675, "pass"],
    ["preferences", 0.645, "pass"],
    ["patterns", 0.615, "pass"],
    ["cases", 0.585, "pass"],
    ["entities", 0.555, "pass"],
    ["events", 0.375, "reject"],
  ] as const)("balanced, a poor one of %s: %f, %s", (category, score, decision) => {
    const admission = decideAdmission(input(category, { conversation: UNSAID, compared: [KNOWN] }));
    expect(admission.score).toBeCloseTo(score, 10);
    expect(admission.decision).toBe(decision);
  });

  it.each([
    // conservative: 0.16 · 0.5 + 0 + 0.18 · 0.05 + 0.08 · (1 − 2^−1.4 = 0.621071) + 0.42 · 0.68
    ["conservative", "entities", 0.424286, "reject"],
    // high-recall: 0.08 · 0.5 + 0 + 0.08 · 0.05 + 0.14 · (1 − 2^(−14/21) = 0.370039) + 0.6 · 0.6
    ["high-recall", "events", 0.455805, "pass"],
  ] as const)("%s, a poor one of %s: %f, %s", (preset, category, score, decision) => {
    const admission = decideAdmission(
      input(category, { conversation: UNSAID, compared: [KNOWN] }),
      ADMISSION[preset],
    );
    expect(admission.score).toBeCloseTo(score, 5);
    expect(admission.decision).toBe(decision);
  });

  it("a veto of utility rejects whatever the score, and only when there is one", () => {
    const useless = input("profile", { utility: 0.1 });
    expect(decideAdmission(useless).decision).toBe("pass");
    const strict = { ...ADMISSION.balanced, utilityVeto: 0.25 };
    expect(decideAdmission(useless, strict)).toMatchObject({
      decision: "reject",
      reason: "Its utility of 0.10 does not exceed 0.25.",
    });
  });

  it("hints at what is known already, and at what is not certain", () => {
    expect(decideAdmission(input("profile", { compared: [KNOWN] })).hint).toBe("update_or_merge");
    expect(decideAdmission(input("events", { conversation: UNSAID })).hint).toBe("update_or_merge"); // 0.52
    expect(decideAdmission(input("profile")).hint).toBe("add");
  });

  it("the weights of every preset add up to one", () => {
    for (const { weights } of Object.values(ADMISSION))
      expect(Object.values(weights).reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 10);
  });
});
