import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pathByDefinition } from "./testing/path-by-definition.ts";
import { createBranchTracker, type Placement, type TrackedEntry } from "./track-branches.ts";

const BLANK: Omit<TrackedEntry, "index"> = {
  entryKey: null,
  parentKey: null,
  response: null,
  toolCalls: [],
  toolResults: [],
  sidechain: false,
  injected: false,
  isMessage: true,
};

type Fields = Partial<TrackedEntry>;

function entry(entryKey: string, parentKey: string | null, fields: Fields = {}): Fields {
  return { entryKey, parentKey, ...fields };
}

/** A piece of response `response`, calling a tool or not. */
function piece(key: string, parent: string, response: string, call?: string): Fields {
  return entry(key, parent, { response, toolCalls: call === undefined ? [] : [call] });
}

function result(key: string, parent: string, call: string): Fields {
  return entry(key, parent, { toolResults: [call] });
}

function event(key: string, parent: string | null): Fields {
  return entry(key, parent, { isMessage: false });
}

function withIndex(all: readonly Fields[]): TrackedEntry[] {
  return all.map((fields, index) => ({ ...BLANK, ...fields, index }));
}

/** Adds all entries and applies the results: the placements, and the resulting path. */
function track(all: readonly Fields[]): { placements: Placement[]; path: number[] } {
  const tracker = createBranchTracker();
  const onPath = new Set<number>();
  const placements = withIndex(all).map((tracked) => {
    const placement = tracker.add(tracked);
    for (const index of placement.left) expect(onPath.delete(index)).toBe(true);
    for (const index of placement.entered) expect(onPath.has(index)).toBe(false);
    for (const index of placement.entered) onPath.add(index);
    if (placement.onPath) onPath.add(tracked.index);
    return placement;
  });
  return { placements, path: [...onPath].sort((a, b) => a - b) };
}

/** The keys on the path, in the order of the file. */
function keysOnPath(all: readonly Fields[]): string {
  return track(all)
    .path.map((index) => all[index]?.entryKey ?? "?")
    .join(" ");
}

const PROMPT = entry("u1", null);
/** Two parallel calls: the parent of each result is its own call. */
const PARALLEL = [
  PROMPT,
  piece("a1", "u1", "X", "call1"),
  piece("a2", "a1", "X", "call2"),
  result("r1", "a1", "call1"),
  result("r2", "a2", "call2"),
];

describe("the path of a linear transcript", () => {
  it("is all of it", () => {
    const { placements, path } = track([PROMPT, piece("a1", "u1", "X"), entry("u2", "a1")]);
    expect(path).toEqual([0, 1, 2]);
    expect(placements.every(({ left, entered }) => left.length + entered.length === 0)).toBe(true);
  });

  it("takes entries without ids in their order", () => {
    expect(track([{}, {}, {}]).path).toEqual([0, 1, 2]);
  });

  it("goes on from the leaf where a parent is not in the file", () => {
    expect(keysOnPath([PROMPT, piece("a1", "u1", "X"), event("b", "gone"), entry("u2", "b")])).toBe(
      "u1 a1 b u2",
    );
  });

  it("leaves events without ids out", () => {
    const { placements } = track([PROMPT, { isMessage: false }, piece("a1", "u1", "X")]);
    expect(placements.map(({ onPath }) => onPath)).toEqual([true, false, true]);
  });

  it("starts with whatever root comes first", () => {
    expect(keysOnPath([event("hook", null), entry("u1", "hook")])).toBe("hook u1");
    expect(keysOnPath([event("hook", null), entry("u1", null)])).toBe("hook u1");
  });
});

describe("a response in several entries", () => {
  it("keeps all results of parallel calls, and says to which response they belong", () => {
    const { placements, path } = track([...PARALLEL, piece("b1", "r2", "Y")]);
    expect(path).toEqual([0, 1, 2, 3, 4, 5]);
    expect(placements.map(({ response }) => response)).toEqual([null, "X", "X", "X", "X", "Y"]);
  });

  it("keeps them in any order, with events and injected text between", () => {
    const all = [
      PROMPT,
      piece("a1", "u1", "X", "call1"),
      event("p1", "a1"),
      piece("a2", "a1", "X", "call2"),
      result("r2", "a2", "call2"),
      entry("hook", "r2", { injected: true }),
      result("r1", "a1", "call1"),
      piece("b1", "r2", "Y"),
    ];
    expect(keysOnPath(all)).toBe("u1 a1 p1 a2 r2 hook r1 b1");
  });

  it("knows the response of a result whose call nobody remembers by its parent", () => {
    const all = [
      ...PARALLEL.slice(0, 3).map((fields) => ({ ...fields, toolCalls: [] })),
      ...PARALLEL.slice(3),
    ];
    expect(track(all).placements[3]?.response).toBe("X");
    expect(keysOnPath(all)).toBe("u1 a1 a2 r1 r2");
  });

  it("keeps a result that comes after other words, if its call is still open", () => {
    const interrupted = [...PARALLEL.slice(0, 4), entry("stop", "r1"), result("r2", "a2", "call2")];
    expect(keysOnPath([...interrupted, entry("u2", "stop")])).toBe("u1 a1 a2 r1 stop r2 u2");
  });

  it("takes another result of an answered call for a branch", () => {
    const all = [...PARALLEL, piece("b1", "r2", "Y"), result("again", "a2", "call2")];
    expect(keysOnPath(all)).toBe("u1 a1 a2 r1 r2 again");
  });

  it("keeps a parent that is written after its child", () => {
    const all = [PROMPT, result("r1", "a1", "call1"), piece("a1", "u1", "X", "call1"), entry("u2", "r1")];
    expect(keysOnPath(all)).toBe("u1 r1 a1 u2");
  });
});

describe("a branch", () => {
  const TURNS = [...PARALLEL, piece("b1", "r2", "Y"), entry("u2", "b1"), piece("c1", "u2", "Z")];

  it("takes what came after its parent off the path", () => {
    const { placements, path } = track([...TURNS, entry("u2b", "b1")]);
    expect(placements.at(-1)).toMatchObject({ onPath: true, left: [6, 7], entered: [] });
    expect(path).toEqual([0, 1, 2, 3, 4, 5, 8]);
  });

  it("brings back what it returns to, parallel results included", () => {
    const away = [...TURNS, entry("other", "u1"), entry("back", "b1")];
    const { placements } = track(away);
    expect(placements.at(-2)).toMatchObject({ left: [1, 2, 3, 4, 5, 6, 7] });
    expect(placements.at(-1)).toMatchObject({ left: [8], entered: [1, 2, 3, 4, 5] });
    expect(keysOnPath(away)).toBe("u1 a1 a2 r1 r2 b1 back");
  });

  it("brings back a whole response when it goes on from its first entry", () => {
    const away = [...TURNS, entry("other", "u1"), entry("back", "a1")];
    expect(keysOnPath(away)).toBe("u1 a1 a2 r1 r2 back");
  });

  it("replaces a response that was tried again", () => {
    expect(keysOnPath([PROMPT, piece("a1", "u1", "X"), piece("b1", "u1", "Y")])).toBe("u1 b1");
  });

  it("may be a new root", () => {
    const { placements, path } = track([PROMPT, piece("a1", "u1", "X"), entry("v1", null)]);
    expect(placements[2]).toMatchObject({ onPath: true, left: [0, 1] });
    expect(path).toEqual([2]);
  });

  it("is never started by an event or by injected text, only by a message that follows them", () => {
    const quiet = [
      ...TURNS,
      event("progress", "a1"),
      entry("note", "b1", { injected: true }),
      event("root", null),
    ];
    expect(track(quiet).path).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(keysOnPath([...quiet, entry("u3", "note")])).toBe("u1 a1 a2 r1 r2 b1 note u3");
    expect(keysOnPath([...quiet, entry("u3", "root")])).toBe("root u3");
  });

  it("is not taken for one when the host's own summary stands between", () => {
    const all = [
      ...TURNS,
      event("boundary", "c1"),
      entry("summary", "boundary", { injected: true }),
      entry("u3", "c1"),
    ];
    expect(keysOnPath(all)).toBe("u1 a1 a2 r1 r2 b1 u2 c1 boundary summary u3");
  });
});

describe("special entries", () => {
  it("keeps sub-agents off the path, and nothing follows them", () => {
    const side = { sidechain: true };
    const all = [PROMPT, entry("s1", null, side), entry("s2", "s1", side), entry("u2", "s2")];
    expect(keysOnPath(all)).toBe("u1 u2");
  });

  it("lets an entry that is written again take its own place", () => {
    const { placements, path } = track([
      PROMPT,
      piece("a1", "u1", "X"),
      entry("u2", "a1"),
      piece("a1", "u1", "X"),
    ]);
    expect(placements[3]).toMatchObject({ onPath: true, response: "X", left: [1], entered: [] });
    expect(path).toEqual([0, 2, 3]);
  });

  it("changes nothing for an exact repeat", () => {
    const all = [PROMPT, { ...piece("a1", "u1", "X"), hash: "h" }, { ...piece("a1", "u1", "X"), hash: "h" }];
    const { placements } = track([...all, entry("u2", "u1")]);
    expect(placements[2]).toEqual({ response: "X", onPath: true, left: [], entered: [] });
    // The first copy is the one that leaves later, because it is the stored one.
    expect(placements[3]?.left).toEqual([1]);
  });

  it("takes the place of an entry that is written again with another hash, or without one", () => {
    const first = { ...piece("a1", "u1", "X"), hash: "h" };
    for (const again of [{ ...first, hash: "other" }, { ...first, hash: null }, piece("a1", "u1", "X")]) {
      const { placements, path } = track([PROMPT, first, again]);
      expect(placements.at(-1)).toMatchObject({ onPath: true, left: [1], entered: [] });
      expect(path).toEqual([0, 2]);
    }
  });
});

describe("any sequence of entries", () => {
  const keys = fc.constantFrom("k0", "k1", "k2", "k3", "k4", "k5", "k6", "k7");
  const few = fc.array(fc.constantFrom("c0", "c1", "c2"), { maxLength: 1 });
  const anyEntry = fc.record({
    entryKey: fc.option(keys, { freq: 12 }),
    parentKey: fc.option(keys, { freq: 8 }),
    response: fc.option(fc.constantFrom("X", "Y"), { freq: 2 }),
    toolCalls: few,
    toolResults: few,
    sidechain: fc.constantFrom(false, false, false, true),
    injected: fc.boolean(),
    isMessage: fc.boolean(),
  });

  /** Mostly new entries below one of the last few, as hosts write them. */
  const likelyTranscript = fc
    .array(
      fc.record({
        back: fc.constantFrom(1, 1, 1, 1, 2, 2, 3, 5, 8),
        kind: fc.constantFrom("prompt", "piece", "piece", "result", "result", "event", "note", "side"),
        response: fc.constantFrom("X", "Y", "Z"),
        call: fc.constantFrom("c0", "c1", "c2", "c3"),
      }),
      { maxLength: 40, size: "max" },
    )
    .map((steps) =>
      steps.map(({ back, kind, response, call }, at): Fields => {
        const fields = entry(`e${at}`, at < back ? null : `e${at - back}`);
        if (kind === "piece") return { ...fields, response, toolCalls: [call] };
        if (kind === "result") return { ...fields, toolResults: [call] };
        if (kind === "event") return { ...fields, isMessage: false };
        return { ...fields, injected: kind === "note", sidechain: kind === "side" };
      }),
    );

  it.each([
    ["likely ones", likelyTranscript],
    ["wild ones", fc.array(anyEntry, { maxLength: 25, size: "max" })],
  ])("has the path that the rules give from scratch: %s", (_, transcripts) => {
    fc.assert(
      fc.property(transcripts, (all) => {
        expect(track(all).path).toEqual(pathByDefinition(withIndex(all)).toSorted((a, b) => a - b));
      }),
      { numRuns: 2_000 },
    );
  });

  it("costs the same per entry in a long file as in a short one", { timeout: 60_000 }, () => {
    const tracker = createBranchTracker();
    for (const tracked of withIndex(
      Array.from({ length: 100_000 }, (_, at) => entry(`e${at}`, at === 0 ? null : `e${at - 1}`)),
    ))
      tracker.add(tracked);
    const end = tracker.add({ ...BLANK, ...entry("end", "e0"), index: 100_000 });
    expect(end.left).toHaveLength(99_999);
  });
});
