import { describe, expect, it } from "vitest";
import { sampleDecision } from "../testing/sample-memory.ts";
import { NewDecisions } from "./new-decisions.ts";

describe("decisions of a dump", () => {
  it("are taken for equal ones on record, as often as there are such", () => {
    const decision = sampleDecision("global");
    const decisions = new NewDecisions();
    decisions.addKnown(decision);
    decisions.addKnown({ ...decision });
    expect([1, 2, 3, 4].map(() => decisions.isNew(decision))).toEqual([false, false, true, true]);
  });

  it("are new when any field differs", () => {
    const decision = sampleDecision("global", { firstSeq: 1, lastSeq: 2 });
    const others = [
      { at: "2027-01-01T00:00:00.000Z" },
      { agent: "other" },
      { stage: "dedup" },
      { verdict: "merge" },
      { reason: "" },
      { detail: "{}" },
      { memory: "mem_1" },
      { scope: "user:u" },
      { conversation: "conv_1" },
      { firstSeq: 2 },
      { lastSeq: null },
    ] as const;
    const decisions = new NewDecisions();
    decisions.addKnown(decision);
    for (const other of others) expect(decisions.isNew({ ...decision, ...other })).toBe(true);
    expect(decisions.isNew(decision)).toBe(false);
  });
});
