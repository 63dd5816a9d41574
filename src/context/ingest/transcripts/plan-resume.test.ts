import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { planResume, type ResumePlan } from "./plan-resume.ts";

type Stored = readonly (string | null)[];

function isSame(stored: Stored, now: readonly string[]): boolean {
  return stored.length === now.length && stored.every((line, index) => line === null || line === now[index]);
}

/** Implements the definitions directly: tries every length. */
function bruteForce(stored: Stored, now: readonly string[], isEndInPlace: boolean): ResumePlan {
  const isCertain = isEndInPlace || stored.at(-1) !== null;
  if (isCertain && isSame(stored, now)) return { kind: "same" };
  if (isCertain && isSame(stored, now.slice(0, stored.length))) return { kind: "grown" };
  const related = (part: Stored, length: number) =>
    isSame(part, now.slice(0, length)) && part.some((line) => line !== null);
  const kept = stored.slice(0, now.length);
  if (now.length < stored.length && (now.length === 0 || related(kept, now.length)))
    return { kind: "truncated" };
  const lengths = Array.from({ length: Math.min(stored.length, now.length) }, (_, index) => index + 1);
  const sharedLines = lengths.findLast(
    (length) => isSame(stored.slice(0, length), now.slice(0, length)) && stored[length - 1] !== null,
  );
  if (sharedLines !== undefined) return { kind: "edited", sharedLines };
  const overlap = lengths.findLast((length) => related(stored.slice(-length), length)) ?? 0;
  return { kind: "rotated", overlap };
}

const hashes = fc.array(fc.constantFrom("a", "b"), { maxLength: 9, size: "max" });
const storedHashes = fc.array(fc.constantFrom("a", "b", null), { maxLength: 9, size: "max" });
const STORED = ["a", "b", "c"];

describe("what became of a transcript", () => {
  it.each<[string, Stored, readonly string[], ResumePlan]>([
    ["nothing on record, nothing there", [], [], { kind: "same" }],
    ["the same lines", STORED, ["a", "b", "c"], { kind: "same" }],
    ["a first reading", [], ["a"], { kind: "grown" }],
    ["lines were appended", STORED, ["a", "b", "c", "d"], { kind: "grown" }],
    ["the end was cut away", STORED, ["a", "b"], { kind: "truncated" }],
    ["everything was cut away", STORED, [], { kind: "truncated" }],
    ["the last line was changed", STORED, ["a", "b", "x"], { kind: "edited", sharedLines: 2 }],
    ["a line in the middle is missing", STORED, ["a", "c", "d"], { kind: "edited", sharedLines: 1 }],
    ["the beginning was rotated away", STORED, ["b", "c", "d"], { kind: "rotated", overlap: 2 }],
    ["only the last line is left", STORED, ["c"], { kind: "rotated", overlap: 1 }],
    [
      "lines repeat, and a shorter beginning is what both share",
      [..."zaabaaab"],
      [..."aabaaac"],
      { kind: "rotated", overlap: 3 },
    ],
    ["another file took its place", STORED, ["x", "y"], { kind: "rotated", overlap: 0 }],
    ["an erased line is still in the file", ["a", null, "c"], ["a", "b", "c", "d"], { kind: "grown" }],
    ["everything was erased", [null, null], ["a", "b"], { kind: "same" }],
    [
      "an erased line at the start proves nothing",
      [null, "b"],
      ["x", "y", "z"],
      { kind: "rotated", overlap: 0 },
    ],
    ["an erased line at the end proves nothing", ["a", null], ["x", "y"], { kind: "rotated", overlap: 0 }],
    [
      "an erased line between others",
      ["a", "b", null, "d"],
      ["b", "x", "d"],
      { kind: "rotated", overlap: 3 },
    ],
    [
      "a line was put before an erased one",
      ["a", null, "c"],
      ["a", "x", "b", "c"],
      { kind: "edited", sharedLines: 1 },
    ],
    ["the file was cut behind an erased line", ["a", null, "c"], ["a", "b"], { kind: "truncated" }],
    ["a shorter file took an erased one's place", [null, null], ["x"], { kind: "rotated", overlap: 0 }],
    ["an erased file was emptied", [null, null], [], { kind: "truncated" }],
  ])("%s", (_, stored, now, plan) => {
    expect(planResume(stored, now, true)).toEqual(plan);
  });

  it.each<[string, Stored, readonly string[], ResumePlan]>([
    ["the last line is known", ["a", null, "c"], ["a", "b", "c", "d"], { kind: "grown" }],
    ["the last line was erased", ["a", null], ["a", "x", "y"], { kind: "edited", sharedLines: 1 }],
    ["everything was erased", [null, null], ["x", "y", "z"], { kind: "rotated", overlap: 0 }],
  ])("%s, and lines end elsewhere now", (_, stored, now, plan) => {
    expect(planResume(stored, now, false)).toEqual(plan);
  });

  it("agrees with trying every length", () => {
    fc.assert(
      fc.property(hashes, hashes, fc.boolean(), (stored, now, inPlace) => {
        expect(planResume(stored, now, inPlace)).toEqual(bruteForce(stored, now, inPlace));
      }),
      { numRuns: 2_000 },
    );
  });

  it("agrees with trying every length when lines were erased", () => {
    fc.assert(
      fc.property(storedHashes, hashes, fc.boolean(), (stored, now, inPlace) => {
        expect(planResume(stored, now, inPlace)).toEqual(bruteForce(stored, now, inPlace));
      }),
      { numRuns: 4_000 },
    );
  });

  it("finds how a long file was rotated away", () => {
    fc.assert(
      fc.property(hashes, fc.nat(9), hashes, (stored, kept, added) => {
        const end = stored.slice(Math.max(0, stored.length - kept));
        const plan = planResume(["z", ...stored], [...end, ...added], true);
        if (plan.kind === "rotated") expect(plan.overlap).toBeGreaterThanOrEqual(end.length);
        else expect(plan.kind).toBe("truncated");
      }),
    );
  });

  it("takes linear time where lines repeat", { timeout: 60_000 }, () => {
    const lines = 200_000;
    const stored = ["start", ...Array.from({ length: lines }, () => "same"), "odd"];
    const now = [...Array.from({ length: lines }, () => "same"), "even"];
    expect(planResume(stored, now, true)).toEqual({ kind: "rotated", overlap: 0 });
  });
});
