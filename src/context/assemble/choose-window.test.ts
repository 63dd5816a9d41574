import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Candidate, chooseCut, newestUnit } from "./choose-window.ts";

const plain = (...sizes: number[]): Candidate[] =>
  sizes.map((tokens) => ({ tokens, toolCalls: [], toolResults: [] }));
const cutAt = (...[candidates, room]: Parameters<typeof chooseCut>) => chooseCut(candidates, room).index;
const sum = (list: readonly Candidate[]) => list.reduce((total, { tokens }) => total + tokens, 0);

describe("choosing what is shown", () => {
  it("shows everything that fits", () => {
    expect(cutAt(plain(10, 20, 30), { before: 0, budget: 60 })).toBe(0);
  });

  it("moves the cut in steps and keeps it in between", () => {
    const cuts = Array.from({ length: 40 }, (_, turns) =>
      cutAt(plain(...Array(turns + 1).fill(10)), { before: 0, budget: 160 }),
    );
    const moves = cuts.filter((cut, index) => index > 0 && cut !== cuts[index - 1]).length;
    expect(moves).toBeLessThanOrEqual(13);
    expect(cuts.at(-1)).toBeGreaterThan(20);
  });

  it("gives the same cut for a window that starts later", () => {
    const all = plain(...Array(30).fill(10));
    const cut = cutAt(all, { before: 0, budget: 100 });
    const dropped = 12;
    expect(cutAt(all.slice(dropped), { before: sum(all.slice(0, dropped)), budget: 100 })).toBe(
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
          const cut = cutAt(candidates, { before: 0, budget });
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

  it("cuts at the first item that begins a whole step after what is too much", () => {
    // A step is an eighth of 80. 130 tokens exceed the budget by 50.
    const list = plain(...Array<number>(13).fill(10));
    expect(cutAt(list, { before: 0, budget: 80 })).toBe(5);
    expect(cutAt(list.slice(1), { before: 10, budget: 80 })).toBe(4);
    expect(cutAt(list, { before: 5, budget: 80 })).toBe(6);
    expect(cutAt(list, { before: 0, budget: 80, extraSteps: 1 })).toBe(6);
    expect(cutAt(list, { before: 0, budget: 80, extraSteps: 3 })).toBe(8);
    expect(cutAt(list, { before: 0, budget: 130 })).toBe(0);
    expect(cutAt(list, { before: 0, budget: 129 })).toBe(2);
    expect(cutAt(list, { before: 0, budget: 130, extraSteps: 1 })).toBe(2);
    expect(cutAt(plain(10, 10), { before: 0, budget: 3 })).toBe(1);
  });

  it("keeps the newest item, however large it is and however many steps are taken", () => {
    expect(cutAt(plain(10, 10, 500), { before: 0, budget: 80 })).toBe(2);
    expect(cutAt(plain(10, 10, 10), { before: 0, budget: 80, extraSteps: 99 })).toBe(2);
    expect(cutAt(plain(500), { before: 0, budget: 80 })).toBe(0);
    expect(cutAt([], { before: 500, budget: 80 })).toBe(0);
  });

  it("moves on past a pair, and back to the newest pair where nothing would be left", () => {
    const pair = (tokens: number, toolCalls: string[], toolResults: string[]) => ({
      tokens,
      toolCalls,
      toolResults,
    });
    const list = [
      ...plain(10, 10, 10, 10),
      pair(10, ["a"], []),
      pair(10, [], ["a"]),
      ...plain(10, 10, 10, 10, 10, 10, 10),
    ];
    expect(cutAt(list, { before: 0, budget: 80 })).toBe(6);
    // A cut directly before a pair already keeps it whole.
    expect(cutAt([...plain(10), ...list.slice(0, -1)], { before: 0, budget: 80 })).toBe(5);
    const both = [...plain(100), pair(10, ["b"], []), pair(10, ["c"], ["b"]), pair(10, [], ["c"])];
    expect(cutAt(both, { before: 0, budget: 20 })).toBe(1);
    expect(cutAt(both.slice(0, 3), { before: 0, budget: 10 })).toBe(1);
  });
});

describe("the room that items leave free", () => {
  const spare = (sizes: number[], budget: number) => chooseCut(plain(...sizes), { before: 0, budget }).spare;

  it("is what the last left-out item has more than the cut needs", () => {
    // 20 tokens too many are two steps of 10; the first item has 70.
    expect(spare([70, 10, 20], 80)).toBe(50);
    expect(spare([20, 60, 20], 80)).toBe(0);
    expect(spare([30, 30], 80)).toBe(0);
    expect(spare([70, 500], 80)).toBe(0);
  });

  it("is the same until the cut needs another step", () => {
    for (let more = 0; more < 10; more++) expect(spare([70, 10, 11 + more], 80)).toBe(50);
    expect(spare([70, 10, 21], 80)).toBe(40);
  });
});

describe("the newest unit", () => {
  const item = (toolCalls: string[] = [], toolResults: string[] = []) => ({
    tokens: 1,
    toolCalls,
    toolResults,
  });

  it.each<[string, Candidate[], number]>([
    ["the last item", [item(), item()], 1],
    ["a pair", [item(), item(["a"]), item([], ["a"])], 1],
    ["a pair with what is between", [item(["a"]), item(), item([], ["a"])], 0],
    ["a chain of pairs", [item(), item(["a"]), item(["b"], ["a"]), item([], ["b"])], 1],
    ["not a pair before it", [item(["a"]), item([], ["a"]), item()], 2],
    ["the first of several calls of one name", [item(["a"]), item(["a"]), item([], ["a"])], 0],
    ["a single item", [item()], 0],
    ["nothing", [], 0],
  ])("is %s", (_, candidates, start) => {
    expect(newestUnit(candidates)).toBe(start);
  });
});
