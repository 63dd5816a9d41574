import { describe, expect, it } from "vitest";
import { estimateTokens } from "../../text/estimate-tokens.ts";
import { checkFidelity } from "./check-fidelity.ts";
import { judgeSummary } from "./judge-summary.ts";

const SOURCE = Array.from(
  { length: 60 },
  (_, i) => `Sentence number ${i} tells about the dome, the star and the kettle.`,
).join(" ");

function judge(text: string) {
  return judgeSummary({
    text,
    source: SOURCE,
    sourceTokens: estimateTokens(SOURCE),
    summaryTokens: estimateTokens(text),
    targetTokens: 300,
    overageFactor: 3,
    fidelity: checkFidelity(SOURCE, text),
  });
}

describe("a summary", () => {
  it("may stand when it is short and true", () => {
    expect(judge("Sixty sentences about the dome, the star and the kettle.")).toEqual({ ok: true });
  });

  it.each([
    ["empty", ""],
    ["empty", " …\n--- "],
    ["echo", SOURCE],
    ["echo", SOURCE.slice(0, 2_000)],
    ["echo", SOURCE.slice(700, 1_900).replaceAll(" ", "\n")],
    ["unfaithful", "The dome is at /srv/dome/secret.py."],
  ])("is refused as %s", (reason, text) => {
    expect(judge(text)).toEqual({ ok: false, reason });
  });

  it.each([
    [900, { ok: true }],
    [901, { ok: false, reason: "too-long" }],
  ])("of %i tokens for a target of 300 and an overage of 3 is judged %j", (summaryTokens, judgement) => {
    const text = "The star is seen from the dome.";
    const fidelity = checkFidelity(SOURCE, text);
    const sizes = { sourceTokens: 5_000, summaryTokens, targetTokens: 300, overageFactor: 3 };
    expect(judgeSummary({ text, source: SOURCE, fidelity, ...sizes })).toEqual(judgement);
  });

  it("may quote sentences", () => {
    const quotes = SOURCE.split(". ")
      .filter((_, i) => i % 7 === 0)
      .join(". … ");
    expect(judge(quotes)).toEqual({ ok: true });
  });
});
