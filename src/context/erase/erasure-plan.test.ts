import { expect, it } from "vitest";
import { ErasurePlan } from "./erasure-plan.ts";

it("takes in no conversation that was only looked at, so that none is certified without a loss", () => {
  const plan = new ErasurePlan();
  plan.add({ type: "message", conversation: "a", seq: 1 });
  expect(plan.of("b").retold.has(1)).toBe(false);
  expect(plan.conversations).toEqual(["a"]);
});
