import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { later } from "../testing/sample-memory.ts";
import { compareValues, type FactValue, factOf, hasBegun, takesPlaceOf, whyInForce } from "./fact-order.ts";

const value = (more: Partial<FactValue> = {}): FactValue => ({
  id: "mem_b",
  validFrom: later(5),
  createdAt: later(5),
  ...more,
});
const NOW = later(50);

describe("of two values of one fact", () => {
  it.each<[string, Partial<FactValue>, Partial<FactValue>]>([
    ["began last, whenever it was created", { validFrom: later(6), createdAt: later(1) }, {}],
    ["was created last, where both began together", { createdAt: later(6), id: "mem_a" }, {}],
    ["has the higher id, where both were created together as well", { id: "mem_c" }, {}],
    ["has begun, where the other begins only later", {}, { validFrom: later(51), createdAt: later(9) }],
    ["begins last, where neither has begun", { validFrom: later(61) }, { validFrom: later(60) }],
    ["begins at this very moment", { validFrom: NOW }, {}],
  ])("the one is in force that %s", (_, winner, loser) => {
    expect(compareValues(value(winner), value(loser), NOW)).toBeGreaterThan(0);
    expect(compareValues(value(loser), value(winner), NOW)).toBeLessThan(0);
    expect(takesPlaceOf(value(winner), value(loser), NOW)).toBe(true);
    expect(takesPlaceOf(value(loser), value(winner), NOW)).toBe(false);
  });

  it.each<[string, Partial<FactValue>, Partial<FactValue>]>([
    [` since ${later(6)}, which is later than ${later(5)}`, { validFrom: later(6) }, { createdAt: later(9) }],
    [` and was stored at ${later(6)}, which is later than ${later(5)}`, { createdAt: later(6) }, {}],
    [" and has the higher id; both were stored at the same time", { id: "mem_c" }, {}],
    [` now, and the other one only from ${later(51)}`, {}, { validFrom: later(51) }],
    ["", {}, {}],
  ])("the reason is told: it holds%s", (reason, winner, loser) => {
    expect(whyInForce(value(winner), value(loser), NOW)).toBe(reason);
  });

  it("the one is in force that begins last, however late that is, where no clock is at hand", () => {
    const [soon, latest] = [value({ validFrom: later(5) }), value({ validFrom: later(500) })];
    expect(compareValues(latest, soon, null)).toBeGreaterThan(0);
    expect(hasBegun(latest, null)).toBe(true);
  });

  it("the one is in force that is told now, also within the same millisecond", () => {
    const told = value({ validFrom: NOW, createdAt: NOW, id: "mem_a" });
    expect(takesPlaceOf(told, { ...told, id: "mem_z" }, NOW)).toBe(true);
    expect(takesPlaceOf(told, value({ validFrom: later(51) }), NOW)).toBe(true);
    expect(takesPlaceOf(value({ validFrom: later(4), createdAt: NOW }), value(), NOW)).toBe(false);
    const imported = value({ id: "mem_a" });
    expect(takesPlaceOf(imported, imported, NOW)).toBe(false);
    expect(takesPlaceOf(imported, { ...imported, id: "mem_z" }, NOW)).toBe(false);
  });
});

describe("any values of one fact", () => {
  const seconds = fc.integer({ min: 0, max: 6 }).map(later);
  const values = fc.uniqueArray(
    fc.record({ id: fc.constantFrom("a", "b", "c", "d", "e"), validFrom: seconds, createdAt: seconds }),
    { selector: ({ id }) => id, minLength: 1 },
  );
  const moment = fc.option(seconds);

  it("have the same one in force, in whatever order they are looked at", () => {
    fc.assert(
      fc.property(values, moment, (some, now) => {
        const inForce = (all: readonly FactValue[]) =>
          all.toSorted((one, other) => compareValues(one, other, now)).at(-1);
        expect(inForce(some.toReversed())).toBe(inForce(some));
        const [first, ...rest] = some;
        expect(inForce([...rest, ...(first === undefined ? [] : [first])])).toBe(inForce(some));
      }),
    );
  });
});

describe("a fact", () => {
  it("is a key in a scope", () => {
    const fact = factOf({ scope: "global", factKey: "editor" });
    expect(fact).toBe(factOf({ scope: "global", factKey: "editor" }));
    for (const other of [
      { scope: "user:u", factKey: "editor" },
      { scope: "global", factKey: "shell" },
      { scope: null, factKey: "editor" },
    ])
      expect(factOf(other)).not.toBe(fact);
    expect(factOf({ scope: "global", factKey: null })).toBeNull();
  });
});
