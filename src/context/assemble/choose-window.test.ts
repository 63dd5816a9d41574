import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Candidate, chooseCut, newestUnit } from "./choose-window.ts";

const plain = (...sizes: number[]): Candidate[] =>
  sizes.map((tokens) => ({ tokens, toolCalls: [], toolResults: [] }));
const sum = (list: readonly Candidate[]) => list.reduce((total, { tokens }) => total + tokens, 0);

describe("choosing what is shown", () => {
  it("shows everything that fits", () => {
    expect(chooseCut(plain(10, 20, 30), { before: 0, budget: 60 })).toBe(0);
  });

  it("moves the cut in steps and keeps it in between", () => {
    const cuts = Array.from({ length: 40 }, (_, turns) =>
      chooseCut(plain(...Array(turns + 1).fill(10)), { before: 0, budget: 160 }),
    );
    const moves = cuts.filter((cut, index) => index > 0 && cut !== cuts[index - 1]).length;
    expect(moves).toBeLessThanOrEqual(13);
    expect(cuts.at(-1)).toBeGreaterThan(20);
  });

  it("gives the same cut for a window that starts later", () => {
    const all = plain(...Array(30).fill(10));
    const cut = chooseCut(all, { before: 0, budget: 100 });
    const dropped = 12;
    expect(chooseCut(all.slice(dropped), { before: sum(all.slice(0, dropped)), budget: 100 })).toBe(
      cut - dropped,
    );
  });

  it("stays under the budget and never parts a pair, whatever comes", () => {
    const item = fc.record({ tokens: fc.integer({ min: 1, max: 50 }), pair: fc.option(fc.nat(5)) });
    fc.assert(
      fc.property(
        fc.array(item, { minLength: 1, maxLength: 40 }),
        fc.integer({ min: 20, max: 400 }),
        (list, budget) => {
          const candidates = list.map(({ tokens, pair }, index) => ({
            tokens,
            toolCalls: pair !== null && index % 2 === 0 ? [`p${pair}`] : [],
            toolResults: pair !== null && index % 2 === 1 ? [`p${pair}`] : [],
          }));
          const cut = chooseCut(candidates, { before: 0, budget });
          const [hidden, shown] = [candidates.slice(0, cut), candidates.slice(cut)];
          if (cut < newestUnit(candidates)) expect(sum(shown)).toBeLessThanOrEqual(budget);
          const ids = (part: readonly Candidate[]) =>
            part.flatMap(({ toolCalls, toolResults }) => [...toolCalls, ...toolResults]);
          expect(shown.length).toBeGreaterThan(0);
          expect(ids(shown).filter((id) => ids(hidden).includes(id))).toEqual([]);
        },
      ),
      { numRuns: 500 },
    );
  });
});
