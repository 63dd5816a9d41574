import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CUE, SPACED_CUES, UNSPACED_CUES } from "../../text/language/cues.ts";
import { readCues } from "../../text/language/read-cues.ts";
import { maySetRule } from "./may-set-rule.ts";

const PIECES = [
  ...SPACED_CUES.constraint.split(", "),
  ...UNSPACED_CUES.constraint.split(" "),
  "do not touch",
  ..."do not DON'T don’t Never MÜSSEN İ word it I we ' ’ - . , 5 中 한".split(" "),
];

/** Short, so that each cue must be found on its own. */
const text = fc
  .array(fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...PIECES) }, fc.string()), { maxLength: 3 })
  .chain((pieces) => fc.constantFrom(pieces.join(""), pieces.join(" ")));

describe("text that is said to set no rule", () => {
  it("has none", () => {
    fc.assert(
      fc.property(text, (written) => {
        if (!maySetRule(written)) expect(readCues(written) & CUE.constraint).toBe(0);
      }),
      { numRuns: 5_000 },
    );
  });

  it("is most of it", () => {
    const said = ["The build took 12 minutes.", "Haruka's notes are in src/notes.md", "", "it's done"];
    expect(said.filter(maySetRule)).toEqual([]);
  });
});
