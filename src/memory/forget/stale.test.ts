import { expect, it } from "vitest";
import { aMemory, dayMs } from "../testing/a-memory.ts";
import { findStale } from "./stale.ts";

it("what faded below 0.3 is stale, the most faded first", () => {
  const fresh = aMemory({ id: "mem_fresh" });
  const poor = aMemory({ id: "mem_poor", importance: 0.5 });
  const worthless = aMemory({ id: "mem_worthless", importance: 0 });
  // After 90 days: 0.4·e^(−0.7277) + 0.147 = 0.340; 0.4·e^(−0.9823) + 0.105 = 0.255; 0.4·0.125 = 0.05
  const stale = findStale([fresh, poor, worthless], dayMs(90));
  expect(stale.map(({ memory }) => memory.id)).toEqual(["mem_worthless", "mem_poor"]);
  expect(stale[0]?.composite).toBeCloseTo(0.05, 5);
  expect(stale[0]?.reason).toBe("Faded to 0.050 in 90 days, below 0.3.");
});
