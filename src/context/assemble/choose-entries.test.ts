import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { estimateTokens } from "../../text/estimate-tokens.ts";
import { asPinned, chooseEntries, type ReadEntries } from "./choose-entries.ts";
import type { Entry } from "./entry.ts";
import { Meter } from "./measure.ts";
import { systemPromptAddition } from "./system-prompt-addition.ts";
import { sampleEntry, sampleSummaryEntry } from "./testing/sample-entries.ts";

type Scores = ReadonlyMap<string, number> | null;

/** No note on left-out items, unless a test asks for it. */
const leftOf = () => 0;

function choose(read: Partial<ReadEntries>, budget: number, scores: Scores = null) {
  const whole = { pinned: [], candidates: [], summaries: [], before: 0, first: null, ...read };
  return chooseEntries(whole, { budget, format: "original", scores, leftOf }, new Meter(estimateTokens));
}

const shown = (read: Partial<ReadEntries>, budget: number, scores: Scores = null) =>
  choose(read, budget, scores).entries.map(({ id }) => id);

/** Assistant messages, numbered from `first`. */
const messages = (first: number, ...sizes: number[]): Entry[] =>
  sizes.map((tokens, index) => sampleEntry(first + index, tokens));
const user = (seq: number, tokens: number) => sampleEntry(seq, tokens, { role: "user" });
const system = (seq: number, tokens: number, rule = seq) => {
  const entry = sampleEntry(seq, tokens, { role: "system", reason: "system message" });
  const parts = [{ type: "text", text: `rule ${rule}` }] as const;
  return { ...entry, wire: { type: "message", role: "system", value: entry.original, parts } as const };
};
/** Tokens of the note that is added when summaries are shown: the short one, and that of large budgets. */
const [ADDITION, LONG_ADDITION] = [1_000, 10_000].map((budget) =>
  estimateTokens(systemPromptAddition([sampleSummaryEntry(1, 50)], { left: 0, budget }) ?? ""),
) as [number, number];

describe("when everything fits", () => {
  it("shows all candidates as they are, up to the last token", () => {
    const candidates = [user(1, 100), ...messages(2, 100, 100)];
    expect(choose({ candidates }, 300).entries).toBe(candidates);
    expect(shown({ candidates }, 299)).not.toEqual(["m1", "m2", "m3"]);
  });

  it("counts what stands before the candidates, without what is pinned of it", () => {
    const candidates = messages(5, 100, 100);
    const pinned = [user(1, 55)];
    expect(shown({ candidates, pinned, before: 55 }, 255)).toEqual(["m1", "m5", "m6"]);
    expect(shown({ candidates, pinned, before: 56 }, 255)).not.toEqual(["m1", "m5", "m6"]);
  });

  it("says nothing of summaries where none is shown", () => {
    expect(choose({ candidates: messages(1, 50) }, 100).addition).toBeNull();
    expect(choose({ candidates: [sampleSummaryEntry(1, 50)] }, 1_000).addition).not.toBeNull();
  });

  it("takes the room of that text from the budget", () => {
    const candidates = [sampleSummaryEntry(1, 100), ...messages(2, 100)];
    expect(shown({ candidates }, 200 + ADDITION)).toEqual(["s1", "m2"]);
    expect(shown({ candidates }, 199 + ADDITION)).not.toEqual(["s1", "m2"]);
  });
});

describe("when not everything fits", () => {
  it("shows the newest of the summaries before the window", () => {
    const summaries = [1, 11, 21, 31].map((seq) => sampleSummaryEntry(seq, 100));
    // A quarter of what remains after the note on summaries: 4 × 200.
    const budget = (tokens: number) => 4 * tokens + ADDITION;
    const kept = (tokens: number) =>
      shown({ summaries, candidates: messages(41, 3 * tokens), before: 5_000 }, budget(tokens)).filter((id) =>
        id.startsWith("s"),
      );
    expect(kept(199)).toEqual(["s31"]);
    expect(kept(200)).toEqual(["s21", "s31"]);
    expect(kept(299)).toEqual(["s21", "s31"]);
    expect(kept(300)).toEqual(["s11", "s21", "s31"]);
  });

  it("cuts the first summary that does not fit to the room that is left, if that is at least 120 tokens with the marker", () => {
    const kept = (newest: number) =>
      choose(
        {
          summaries: [
            sampleSummaryEntry(1, 50),
            sampleSummaryEntry(11, 1_000),
            sampleSummaryEntry(21, newest),
          ],
          candidates: messages(41, 600),
          before: 5_000,
        },
        800 + ADDITION,
      )
        .entries.filter(({ type }) => type === "summary")
        .map(({ id, cutTo }) => [id, cutTo]);
    expect(kept(80)).toEqual([
      ["s11", 100],
      ["s21", null],
    ]);
    expect(kept(81)).toEqual([["s21", null]]);
  });

  it("gives the newest summary more than a quarter, up to one half, and cuts a longer one to a quarter", () => {
    const kept = (tokens: number) =>
      choose(
        {
          summaries: [sampleSummaryEntry(1, tokens)],
          candidates: messages(41, 800 - Math.max(200, tokens % 401)),
          before: 5_000,
        },
        800 + ADDITION,
      ).entries.find(({ id }) => id === "s1")?.cutTo;
    expect([200, 201, 400, 401].map(kept)).toEqual([null, null, null, 180]);
  });

  it("gives summaries the room that messages cannot use, however many turns are added before the cut moves", () => {
    const summaries = [sampleSummaryEntry(1, 5_000)];
    const kept = (added: number) =>
      choose(
        { summaries, candidates: messages(11, 1_500, 200, 100 + added), before: 5_000 },
        2_000,
      ).entries.map(({ id, tokens }) => [id, tokens]);
    const [summary, ...rest] = kept(0);
    expect(summary?.[0]).toBe("s1");
    expect(summary?.[1]).toBeGreaterThan(1_000);
    expect(rest).toHaveLength(2);
    expect(kept(100)[0]).toEqual(summary);
  });

  it("gives no summary to a budget in which it would be useless", () => {
    const read = {
      summaries: [sampleSummaryEntry(1, 5_000)],
      candidates: messages(11, 120),
      before: 5_000,
    };
    expect(shown(read, 240 + ADDITION)).toEqual(["s1", "m11"]);
    expect(shown(read, 239 + ADDITION)).toEqual(["m11"]);
  });

  it("leaves room for summaries beside a newest user message that is longer than the budget", () => {
    const pinned = [asPinned(user(30, 5_000))];
    const read = { summaries: [sampleSummaryEntry(1, 1_000)], candidates: messages(41, 100), pinned };
    const { entries, rendered } = choose({ ...read, before: 9_000 }, 2_400);
    expect(entries.map(({ id }) => id)).toEqual(["s1", "m30", "m41"]);
    expect(rendered.tokens).toBeLessThanOrEqual(2_400);
  });

  it("shows summaries among the candidates that the cut left out, each once", () => {
    const summary = sampleSummaryEntry(1, 100);
    const candidates = [summary, ...messages(11, 300, 300, 300)];
    const kept = shown({ summaries: [summary], candidates }, 800 + ADDITION);
    expect(kept.filter((id) => id === "s1")).toEqual(["s1"]);
    expect(kept.at(-1)).toBe("m13");
  });

  it("goes by the newest summary among the candidates, not by older ones before them", () => {
    const candidates = [sampleSummaryEntry(11, 350), ...messages(21, 300, 300, 300)];
    const kept = shown({ summaries: [sampleSummaryEntry(1, 20)], candidates, before: 500 }, 800 + ADDITION);
    expect(kept).toContain("s11");
  });

  it("always shows system messages and the newest user message, in their places", () => {
    const candidates = [
      system(1, 50),
      user(2, 50),
      user(3, 50),
      ...messages(4, 200, 200, 200),
      system(7, 50),
    ];
    const { entries } = choose({ candidates }, 560);
    expect(entries.map(({ id }) => id)).toEqual(["m1", "m3", "m5", "m6", "m7"]);
    expect(entries.map(({ reason }) => reason)).toEqual([
      "system message",
      "newest user message",
      "in the window",
      "in the window",
      "system message",
    ]);
  });

  it("shows a system message once, where it stood first, however often it was logged", () => {
    const pinned = [system(1, 100, 7), system(2, 100, 7)];
    const candidates = [system(11, 100, 7), ...messages(12, 100, 100), system(14, 100, 7)];
    const kept = choose({ pinned, candidates, before: 200 }, 400);
    expect(kept.entries.map(({ id }) => id)).toEqual(["m1", "m12", "m13"]);
    expect(kept.rendered.tokens).toBe(300);
  });

  it("lets older system messages give way to the newest when they take more than half of the room", () => {
    const last = [...messages(3, 100), system(4, 100, 1), user(5, 50)];
    expect(shown({ candidates: [system(1, 100), system(2, 100), ...last] }, 400)).toEqual([
      "m1",
      "m2",
      "m3",
      "m5",
    ]);
    // The last occurrence decides, wherever the first one was.
    expect(shown({ candidates: [system(1, 100), system(2, 150), ...last] }, 400)).toEqual(["m1", "m3", "m5"]);
    expect(shown({ candidates: [system(1, 100), system(2, 150), user(3, 50)] }, 400)).toEqual(["m2", "m3"]);
  });

  it("cuts the newest system message where it is too large, and leaves it out before what was said last", () => {
    const large = choose({ candidates: [system(1, 5_000), user(2, 300)] }, 1_000);
    expect(large.entries.map(({ id, cutTo }) => [id, cutTo])).toEqual([
      ["m1", 500],
      ["m2", null],
    ]);
    const tight = choose({ candidates: [system(1, 900), user(2, 300)] }, 1_000);
    expect(tight.entries.map(({ id }) => id)).toEqual(["m1", "m2"]);
    expect(tight.rendered.tokens).toBeLessThanOrEqual(1_000);
    expect(shown({ candidates: [system(1, 900), user(2, 990)] }, 1_000)).toContain("m2");
    // Neither can be cut so far that both fit.
    const [only, ...more] = choose({ candidates: [system(1, 90), user(2, 80)] }, 100).entries;
    expect([only?.id, only?.cutTo, more]).toEqual(["m2", null, []]);
  });

  it("takes the room of system messages, and of what is pinned, from the rest", () => {
    // 10 × 1,000 with a step of 1,000: what is always shown takes two of them, and the others stay whole.
    const rest = messages(11, ...Array<number>(10).fill(1_000));
    const count = (read: Partial<ReadEntries>) =>
      choose(read, 10_000).entries.filter(({ seq, cutTo }) => seq > 10 && cutTo === null).length;
    expect(count({ candidates: rest })).toBe(10);
    expect(count({ candidates: [system(1, 2_000), ...rest] })).toBe(8);
    expect(count({ candidates: rest, pinned: [system(1, 2_000)], before: 2_000 })).toBe(8);
    expect(
      count({ candidates: [system(2, 1_000), ...rest], pinned: [system(1, 1_000)], before: 1_000 }),
    ).toBe(8);
  });

  it("leaves the room of summaries free of messages", () => {
    const summaries = [sampleSummaryEntry(1, 2_500)];
    const candidates = messages(11, ...Array<number>(20).fill(500));
    const kept = choose({ summaries, candidates, before: 50_000 }, 10_000 + LONG_ADDITION);
    expect(kept.entries[0]?.id).toBe("s1");
    expect(kept.entries.every(({ cutTo }) => cutTo === null)).toBe(true);
    // 7,500 are left, in steps of 937: 57 steps of the 60,000 are left out, which are the first 7 messages.
    expect(kept.entries).toHaveLength(1 + 13);
  });

  it("does not take a summary for something that the user said", () => {
    const candidates = [user(1, 50), sampleSummaryEntry(2, 50), ...messages(3, 300, 300)];
    expect(shown({ candidates }, 560 + ADDITION)).toContain("m1");
  });

  it("shows what is pinned before everything else", () => {
    const pinned = [system(1, 50), user(2, 50)];
    const kept = shown({ pinned, candidates: messages(11, 300, 300, 300), before: 1_000 }, 800);
    expect(kept.slice(0, 2)).toEqual(["m1", "m2"]);
    expect(kept.slice(2)).toEqual(["m12", "m13"]);
  });

  it("prefers what matches the prompt", () => {
    const candidates = messages(1, 100, 100, 100, 100, 100, 100);
    expect(shown({ candidates }, 350)).toEqual(["m4", "m5", "m6"]);
    expect(shown({ candidates }, 350, new Map([["m1", 1]]))).toContain("m1");
    expect(shown({ candidates }, 350, new Map())).toEqual(["m4", "m5", "m6"]);
    // The newest request is not a match for itself; it is shown once.
    const asked = [...messages(1, 100, 100), user(3, 100), ...messages(4, 100, 100)];
    expect(shown({ candidates: asked }, 350, new Map([["m3", 1]]))).toEqual(["m3", "m4", "m5"]);
    // Without scores the cut moves in steps; with scores the room is filled.
    const many = messages(1, ...Array<number>(20).fill(100));
    expect(shown({ candidates: many }, 1_050)).toHaveLength(9);
    expect(shown({ candidates: many }, 1_050, new Map())).toHaveLength(9);
    expect(shown({ candidates: many }, 1_050, new Map([["m1", 1]]))).toHaveLength(10);
  });

  it("cuts the newest when even they do not fit", () => {
    const [only] = choose({ candidates: messages(1, 2_000) }, 300).entries;
    expect(only?.cutTo).toBeLessThanOrEqual(300);
    const { entries, rendered } = choose({ candidates: messages(1, 500, 2_000) }, 1_000);
    expect(entries.map(({ id, cutTo }) => [id, cutTo === null])).toEqual([["m2", false]]);
    expect(rendered.tokens).toBeLessThanOrEqual(1_000);
    expect(rendered.tokens).toBeGreaterThan(700);
  });
});

describe("the first request", () => {
  const candidates = messages(30, ...Array<number>(20).fill(100));
  const first = user(2, 80);

  it("stays in view when not everything fits", () => {
    expect(shown({ candidates, before: 3_000, first }, 1_000)[0]).toBe("m2");
    expect(shown({ candidates: candidates.slice(0, 3), first }, 1_000)).not.toContain("m2");
  });

  it("is cut to a tenth of the budget, to 60 tokens in a small one, and left out where these are over 0.3", () => {
    const { entries, rendered } = choose({ candidates, before: 9_000, first: user(2, 5_000) }, 1_000);
    expect(entries[0]).toMatchObject({ id: "m2", cutTo: 100, reason: "first request" });
    expect(rendered.tokens).toBeLessThanOrEqual(1_000);
    const small = choose({ candidates, before: 3_000, first: user(2, 5_000) }, 400);
    expect(small.entries[0]).toMatchObject({ id: "m2", cutTo: 60 });
    expect(small.rendered.tokens).toBeLessThanOrEqual(400);
    const short = user(2, 60);
    expect(shown({ candidates, before: 3_000, first: short }, 200)).toContain("m2");
    expect(shown({ candidates, before: 3_000, first: short }, 199)).not.toContain("m2");
  });

  it("is whole when it takes just a tenth, and its room is that of no other message", () => {
    const large = messages(30, ...Array<number>(20).fill(1_000));
    const { entries } = choose({ candidates: large, before: 30_000, first: user(2, 1_000) }, 10_000);
    expect(entries[0]?.id).toBe("m2");
    expect(entries.filter(({ cutTo }) => cutTo !== null)).toEqual([]);
  });

  it("gets the room that the smallest choice leaves free, and then the newest user message gets it", () => {
    const kept = (budget: number, request: number, asked: number) => {
      const pinned = [asPinned(user(20, asked))];
      const read = { candidates: messages(30, 4_000, 50), pinned, before: 3_000 };
      const { entries, rendered } = choose({ ...read, first: user(2, request) }, budget);
      expect(rendered.tokens).toBeLessThanOrEqual(budget);
      return entries.map(({ id, cutTo }) => [id, cutTo]);
    };
    expect(kept(400, 200, 30)).toEqual([
      ["m2", null],
      ["m20", null],
      ["m31", null],
    ]);
    expect(kept(400, 900, 30)[0]).toEqual(["m2", 300]);
    const [first, newest] = kept(260, 61, 300);
    expect(first).toEqual(["m2", null]);
    expect(newest?.[1]).toBeGreaterThan(60);
  });

  it("comes back after it was left out for a system message of many short texts, which cannot be cut", () => {
    const parts = Array.from(
      { length: 40 },
      (_, i) => ({ type: "text", text: `Rule ${i}: ${"word ".repeat(20)}` }) as const,
    );
    const value = { role: "system", content: parts };
    const wire = { type: "message", role: "system", value, parts } as const;
    const pinned = [{ ...system(1, 1_200), original: value, wire }, asPinned(user(20, 170))];
    const read = { pinned, candidates: messages(30, 4_000, 61), before: 9_000, first: user(3, 79) };
    expect(shown(read, 300)).toEqual(["m3", "m20", "m31"]);
  });

  it("gets the room that messages cannot use, and changes in few steps as turns are added", () => {
    const kept = Array.from({ length: 100 }, (_, added) => {
      const grown = messages(30, 40_000, ...Array<number>(6).fill(500), ...Array<number>(added).fill(50));
      const read = { candidates: grown, before: 30_000, first: user(2, 9_000) };
      const { entries, rendered } = choose(read, 10_000);
      expect(rendered.tokens).toBeLessThanOrEqual(10_000);
      expect(entries[0]?.id).toBe("m2");
      return entries[0]?.cutTo ?? 0;
    });
    expect(kept[0]).toBeGreaterThan(5_000);
    expect(kept.filter((size, turn) => turn > 0 && size !== kept[turn - 1]).length).toBeLessThan(12);
  });

  it("is not repeated where it is shown, or a summary of the beginning is", () => {
    const pinned = [{ ...first, reason: "newest user message" as const }];
    expect(
      shown({ candidates, pinned, before: 3_000, first }, 1_000).filter((id) => id === "m2"),
    ).toHaveLength(1);
    for (const seq of [1, 2]) {
      const summary = sampleSummaryEntry(seq, 100);
      const [shownFirst, next] = shown({ candidates, summaries: [summary], before: 3_000, first }, 2_000);
      expect([shownFirst, next?.[0]]).toEqual([summary.id, "m"]);
      expect(next).not.toBe("m2");
    }
  });

  it("stays beside what is no summary of it", () => {
    const summaries = [sampleSummaryEntry(11, 100)];
    expect(shown({ candidates, summaries, before: 3_000, first }, 2_000).slice(0, 2)).toEqual(["m2", "s11"]);
    const pinned = [system(1, 50)];
    expect(shown({ candidates, pinned, before: 3_000, first }, 1_000).slice(0, 2)).toEqual(["m1", "m2"]);
  });
});

describe("what is left out", () => {
  it("is told to the model, within the budget", () => {
    const candidates = messages(1, ...Array<number>(20).fill(100));
    const read = { pinned: [], candidates, summaries: [], before: 0, first: null };
    const wanted = { format: "original", scores: null } as const;
    const { addition, rendered, entries } = chooseEntries(
      read,
      { ...wanted, budget: 1_000, leftOf: (chosen) => 20 - chosen.length },
      new Meter(estimateTokens),
    );
    expect(entries.length).toBeLessThan(20);
    expect(addition).toContain("left out: use lcm_grep and lcm_read");
    expect(rendered.tokens).toBeLessThanOrEqual(1_000);
    const whole = chooseEntries(
      read,
      { ...wanted, budget: 9_000, leftOf: () => 0 },
      new Meter(estimateTokens),
    );
    expect(whole.addition).toBeNull();
  });

  it("leaves the messages exactly the rest of the room", () => {
    const candidates = messages(1, ...Array<number>(40).fill(50));
    const note = estimateTokens(systemPromptAddition([], { left: 1, budget: 1_000 }) ?? "");
    const { entries, rendered } = chooseEntries(
      { pinned: [], candidates, summaries: [], before: 0, first: null },
      { budget: 1_000 + note, format: "original", scores: null, leftOf: (chosen) => 40 - chosen.length },
      new Meter(estimateTokens),
    );
    expect(entries).toHaveLength(20);
    expect(rendered.tokens).toBe(1_000 + note);
  });
});

describe("what is written", () => {
  /** Twice the estimated size. */
  const doubled = new Meter((text) => 2 * estimateTokens(text));

  it("is what the budget is held against, not the estimate", () => {
    const candidates = messages(1, ...Array<number>(20).fill(100));
    const { entries, rendered } = chooseEntries(
      { pinned: [], candidates, summaries: [], before: 0, first: null },
      { budget: 1_600, format: "original", scores: null, leftOf },
      doubled,
    );
    expect(rendered.tokens).toBe(1_600);
    expect(entries.map(({ id }) => id)).toEqual(candidates.slice(-8).map(({ id }) => id));
  });

  it("leaves less than a step of the cut free beside a cut summary, however much larger messages are", () => {
    const assistants = new Meter((text) => estimateTokens(text) * (text.includes("assistant") ? 1.6 : 1));
    for (let budget = 1_000; budget <= 12_000; budget += 250) {
      const read = {
        candidates: messages(30, ...Array.from({ length: 60 }, (_, index) => 50 + ((index * 97) % 400))),
        summaries: [sampleSummaryEntry(1, 9_000)],
        ...{ pinned: [], before: 9_000, first: null },
      };
      const wanted = { budget, format: "original", scores: null, leftOf: () => 1 } as const;
      const { entries, rendered } = chooseEntries(read, wanted, assistants);
      expect(entries[0]).toMatchObject({ id: "s1", cutTo: expect.any(Number) });
      expect(rendered.tokens).toBeLessThanOrEqual(budget);
      expect(budget - rendered.tokens).toBeLessThan(budget / 8 + 40);
    }
  });

  it("is less than everything when only the estimate fits", () => {
    const { entries, rendered } = chooseEntries(
      {
        pinned: [],
        candidates: messages(1, ...Array<number>(12).fill(100)),
        summaries: [],
        before: 0,
        first: null,
      },
      { budget: 1_600, format: "original", scores: null, leftOf },
      doubled,
    );
    expect(rendered.tokens).toBeLessThanOrEqual(1_600);
    expect(entries.at(-1)?.id).toBe("m12");
  });

  it("is cut in few steps where it is far too large, and on where a part of it cannot be cut", () => {
    const fits = (only: Entry, countTokens: (text: string) => number) => {
      const { rendered } = chooseEntries(
        { pinned: [], candidates: [only], summaries: [], before: 0, first: null },
        { budget: 10_000, format: "original", scores: null, leftOf },
        new Meter(countTokens),
      );
      return rendered.tokens <= 10_000;
    };
    expect(fits(sampleEntry(1, 10_000), (text) => 4 * estimateTokens(text))).toBe(true);
    const text = "word ".repeat(32_000);
    const value = {
      role: "user",
      content: [
        { type: "text", text },
        { type: "image", data: "A".repeat(36_000) },
      ],
    };
    const wire = { type: "message", role: "user", value, parts: [{ type: "text", text }] } as const;
    expect(fits(sampleEntry(1, 49_000, { wire, original: value }), estimateTokens)).toBe(true);
  });

  it("is cut more and more until it fits, when nothing more can be left out", () => {
    const { entries, rendered } = chooseEntries(
      { pinned: [], candidates: messages(1, 4_000), summaries: [], before: 0, first: null },
      { budget: 1_000, format: "original", scores: null, leftOf },
      doubled,
    );
    expect(rendered.tokens).toBeLessThanOrEqual(1_000);
    expect(rendered.tokens).toBeGreaterThan(600);
    expect(entries).toHaveLength(1);
  });

  it("has fewer matches when they are larger than they were estimated", () => {
    const candidates = messages(1, ...Array<number>(20).fill(100));
    const scores = new Map([["m1", 1]]);
    const { entries, rendered } = chooseEntries(
      { pinned: [], candidates, summaries: [], before: 0, first: null },
      { budget: 1_600, format: "original", scores, leftOf },
      doubled,
    );
    expect(rendered.tokens).toBeLessThanOrEqual(1_600);
    expect(entries.every(({ cutTo }) => cutTo === null)).toBe(true);
    expect(entries.length).toBeGreaterThanOrEqual(7);
  });

  it("leaves out before it cuts", () => {
    const candidates = messages(1, ...Array<number>(20).fill(100));
    const { entries } = chooseEntries(
      { pinned: [], candidates, summaries: [], before: 0, first: null },
      { budget: 1_600, format: "original", scores: null, leftOf },
      doubled,
    );
    expect(entries.every(({ cutTo }) => cutTo === null)).toBe(true);
  });

  it("comes to an end where it can never fit", () => {
    const { rendered } = choose({ candidates: [system(1, 500), user(2, 20)] }, 10);
    expect(rendered.tokens).toBeGreaterThan(10);
  });

  it("fits whenever there is room, is in order, and has the newest, whatever comes", () => {
    const entry = fc.record({
      tokens: fc.integer({ min: 20, max: 400 }),
      kind: fc.constantFrom("u", "a", "a", "S"),
    });
    fc.assert(
      fc.property(
        fc.array(entry, { minLength: 1, maxLength: 25 }),
        fc.integer({ min: 700, max: 3_000 }),
        (list, budget) => {
          const candidates = list.map(({ tokens, kind }, index) =>
            kind === "S"
              ? sampleSummaryEntry(index + 1, tokens)
              : kind === "u"
                ? user(index + 1, tokens)
                : sampleEntry(index + 1, tokens),
          );
          const { entries, rendered } = choose({ candidates }, budget);
          expect(rendered.tokens).toBeLessThanOrEqual(budget);
          const seqs = entries.map(({ seq }) => seq);
          expect(seqs).toEqual([...new Set(seqs)].toSorted((a, b) => a - b));
          const newestUser = candidates.findLast(({ type, role }) => type === "message" && role === "user");
          if (newestUser !== undefined) expect(seqs).toContain(newestUser.seq);
          expect(seqs).toContain(candidates.length);
        },
      ),
    );
  });
});

describe("the reason of what is pinned", () => {
  it("is that of the newest user message, unless it is a system message", () => {
    expect(asPinned(user(1, 50)).reason).toBe("newest user message");
    expect(asPinned(system(1, 50)).reason).toBe("system message");
  });
});
