import { describe, expect, it } from "vitest";
import type { Memory } from "../../memory-types.ts";
import { aMemory, dayIso, dayMs } from "../testing/a-memory.ts";
import { planConsolidation } from "./consolidate.ts";

const SAME = [1, 0, 0];
const NOW = dayMs(30);

function input(id: string, vector: number[] | null, changes: Partial<Memory> = {}) {
  return { memory: aMemory({ id, ...changes }), vector };
}

describe("consolidation", () => {
  it("sets aside what says the same for what is worth most", () => {
    const plan = planConsolidation(
      [
        input("a", SAME, { importance: 0.5 }),
        input("b", [0.9, 0.4358899, 0], { importance: 0.9 }), // cosine with a: 0.9
        input("c", [0, 1, 0]),
      ],
      NOW,
    );
    expect(plan.clusters).toEqual([
      { scope: "agent:main", category: "preferences", canonical: "b", members: ["a"] },
    ]);
    expect(plan.archive).toMatchObject([{ id: "a", canonical: "b" }]);
    expect(plan.archive[0]?.cosine).toBeCloseTo(0.9, 5);
  });

  it("is exact at its threshold", () => {
    const near = (cosine: number) => [input("a", SAME), input("b", [cosine, Math.sqrt(1 - cosine ** 2), 0])];
    expect(planConsolidation(near(0.881), NOW).archive).toHaveLength(1);
    expect(planConsolidation(near(0.879), NOW).archive).toEqual([]);
  });

  it("never mixes scopes", () => {
    const scopes = ["agent:alice", "agent:bob", "global"];
    const plan = planConsolidation(
      scopes.flatMap((scope) => [input(`${scope}-1`, SAME, { scope }), input(`${scope}-2`, SAME, { scope })]),
      NOW,
    );
    expect(plan.archive).toHaveLength(3);
    for (const { id, canonical } of plan.archive) expect(id.slice(0, -2)).toBe(canonical.slice(0, -2));
  });

  it("never mixes categories", () => {
    expect(
      planConsolidation([input("a", SAME), input("b", SAME, { category: "events" })], NOW).archive,
    ).toEqual([]);
  });

  it("neither revives nor uses what was superseded, archived or erased", () => {
    const plan = planConsolidation(
      [
        input("active", SAME, { importance: 0.1 }),
        input("superseded", SAME, { importance: 1, invalidatedAt: dayIso(5) }),
        input("archived", SAME, { importance: 1, archivedAt: dayIso(5) }),
        input("erased", SAME, { importance: 1, erasedAt: dayIso(5) }),
      ],
      NOW,
    );
    expect(plan.archive).toEqual([]);
    expect(plan.passedOver.map(({ id, reason }) => `${id}: ${reason}`)).toEqual([
      "archived: archived",
      "erased: erased",
      "superseded: superseded",
    ]);
  });

  it("keeps facts apart that differ in a figure or in what they are about", () => {
    const pairs: Partial<Memory>[][] = [
      [{ abstract: "Ran 5 km." }, { abstract: "Ran 6 km." }],
      [{ abstract: "Deploys on Tuesdays." }, { abstract: "Does not deploy on Tuesdays." }],
      [{ factKey: "entities:home" }, { factKey: "entities:office" }],
    ];
    for (const [a, b] of pairs)
      expect(planConsolidation([input("a", SAME, a), input("b", SAME, b)], NOW).archive).toEqual([]);
  });

  it("does not go along a chain", () => {
    // a–b and b–c have a cosine of 0.9, a–c only 0.62; a stays, so c is not archived for it.
    const at = (degrees: number) => [
      Math.cos((degrees * Math.PI) / 180),
      Math.sin((degrees * Math.PI) / 180),
    ];
    const plan = planConsolidation(
      [input("a", at(0), { importance: 0.9 }), input("b", at(25.8)), input("c", at(51.6))],
      NOW,
    );
    expect(plan.archive.map(({ id }) => id)).toEqual(["b"]);
  });

  it("leaves young ones and those without a vector alone", () => {
    const plan = planConsolidation(
      [input("a", SAME), input("young", SAME, { createdAt: dayIso(25) }), input("bare", null)],
      NOW,
    );
    expect(plan.archive).toEqual([]);
    expect(plan.passedOver).toHaveLength(2);
  });

  it("does not depend on the order it is given", () => {
    const inputs = [input("a", SAME), input("b", SAME), input("c", SAME)];
    expect(planConsolidation(inputs.toReversed(), NOW)).toEqual(planConsolidation(inputs, NOW));
  });
});
