import { expect, it } from "vitest";
import { dayIso, dayMs } from "../testing/a-memory.ts";
import { expiryOf } from "./expiry.ts";

it.each([
  [null, 1],
  [dayIso(2), 1],
  [dayIso(1), 0.5],
  [dayIso(0), 0.5],
  ["no time", 1],
])("until %s, on day 1: %f", (validUntil, factor) => {
  expect(expiryOf(validUntil, dayMs(1)).factor).toBe(factor);
});
