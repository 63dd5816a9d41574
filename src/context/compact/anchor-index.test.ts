import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { estimateTokens } from "../../text/estimate-tokens.ts";
import { anchorIndex, withAnchorIndex } from "./anchor-index.ts";
import { extractAnchors } from "./anchors.ts";
import { checkFidelity } from "./check-fidelity.ts";

const SOURCE =
  "Never write to /mnt/archive. The head VX-40417-KITTIWAKE has 1087.5 V. Tests at 18:00 by Maren.";
const SUMMARY = "They talked.\nFiles: none\nExpand for details about: everything";
const missing = checkFidelity(SOURCE, SUMMARY).missing;

const appended = (summary: string, ...index: Parameters<typeof anchorIndex>) =>
  withAnchorIndex(summary, anchorIndex(...index));

describe("the index of anchors", () => {
  it("stands before the last line and names the heaviest first", () => {
    const lines = appended(SUMMARY, missing, 100, estimateTokens).split("\n");
    expect(lines.at(-1)).toBe("Expand for details about: everything");
    expect(lines.at(-2)).toBe(
      "Also: Never write to /mnt/archive.; VX-40417-KITTIWAKE; /mnt/archive; 1087.5 V",
    );
  });

  it("gives back what was lost", () => {
    const indexed = appended(SUMMARY, missing, 100, estimateTokens);
    const { score, invented } = checkFidelity(SOURCE, indexed);
    expect(score).toBeGreaterThan(0.9);
    expect(invented).toEqual([]);
  });

  it("names no number without a unit, which means nothing alone", () => {
    const found = checkFidelity("The offset is 40,417 and the head has 1087.5 V at 3.25.", SUMMARY).missing;
    expect(found.map(({ text }) => text).toSorted()).toEqual(["1087.5 V", "3.25", "40,417"]);
    expect(anchorIndex(found, 100, estimateTokens)).toBe("Also: 1087.5 V");
  });

  it("names no identifier that was only printed, if people or the agent named others", () => {
    const printed =
      "[2026-03-09 08:15 | tool]\nresult of read, completed: openHatch closeHatch VX-1 in /srv/hull.ts";
    const said = "[2026-03-09 08:14 | user]\nSee why turnWinch blocks.\n";
    const indexOf = (source: string) =>
      anchorIndex(checkFidelity(source, SUMMARY).missing, 100, estimateTokens);
    expect(indexOf(printed)).toContain("openHatch");
    expect(indexOf(said + printed)).toBe("Also: 2026-03-09; turnWinch; /srv/hull.ts");
  });

  it("is left out when nothing fits or nothing is missing", () => {
    expect(appended(SUMMARY, missing, 2, estimateTokens)).toBe(SUMMARY);
    expect(appended(SUMMARY, [], 100, estimateTokens)).toBe(SUMMARY);
  });

  it("goes to the end of a summary without a last line", () => {
    expect(appended("They talked.", missing, 12, estimateTokens)).toMatch(/^They talked\.\nAlso: /);
  });

  it("never costs more than its budget", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme", maxLength: 600 }),
        fc.integer({ min: 0, max: 60 }),
        (text, budget) => {
          const anchors = extractAnchors(text).map((anchor) => ({ ...anchor, isPrinted: false, start: 0 }));
          const indexed = appended("", anchors, budget, estimateTokens);
          expect(estimateTokens(indexed)).toBeLessThanOrEqual(budget);
        },
      ),
    );
  });
});
