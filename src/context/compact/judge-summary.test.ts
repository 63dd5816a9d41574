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
    ["no-shorter", "The team worked on the matter and discussed it. ".repeat(200)],
    ["unfaithful", "The dome is at /srv/dome/secret.py."],
    ["keeps-nothing", "x"],
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

  it.each([
    ["contains nothing of", "I'm sorry, but I can't help with that.", { ok: false, reason: "keeps-nothing" }],
    ["praises", "We did some work and it went well. ".repeat(20), { ok: false, reason: "keeps-nothing" }],
    ["names one file of", "The work on src/part-7.ts went well.", { ok: false, reason: "keeps-nothing" }],
    ["names a handful of", "Parts 7001, 7002, 7003, 7004 and 7005 are done.", { ok: true }],
    ["keeps the one rule of", "Nobody may ever delete the production database.", { ok: true }],
  ])("that %s a long source is judged %#", (_, text, judgement) => {
    const source = [
      "[2026-03-09 08:14 | user]\nNever delete the production database.",
      "[2026-03-09 08:20 | tool]",
      ...Array.from({ length: 300 }, (_, i) => `src/part-${i}.ts listens on ${7000 + i}`),
    ].join("\n");
    const sizes = { sourceTokens: 9_000, summaryTokens: estimateTokens(text), targetTokens: 900 };
    const fidelity = checkFidelity(source, text);
    expect(judgeSummary({ text, source, overageFactor: 3, fidelity, ...sizes })).toEqual(judgement);
  });

  it("may quote sentences", () => {
    const quotes = SOURCE.split(". ")
      .filter((_, i) => i % 7 === 0)
      .join(". … ");
    expect(judge(quotes)).toEqual({ ok: true });
  });
});
