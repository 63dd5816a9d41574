import { describe, expect, it } from "vitest";
import { stripReasoning } from "./strip-reasoning.ts";

describe("stripping reasoning", () => {
  it.each([
    ["nothing to strip", "A summary.", "A summary."],
    ["a leading block", "<think>hm</think>A summary.", "A summary."],
    ["several blocks", "<think>a</think>\n<reasoning>b</reasoning>\nA summary.", "A summary."],
    ["any case", "<Thinking>\nhm\n</Thinking>\n\nA summary.", "A summary."],
    ["an empty block", "<think>\n\n</think>\nA summary.", "A summary."],
    ["a closing tag alone", "hm, so\n</think>\n\nA summary.", "A summary."],
    ["a block that never ends", "<think>hm, so the user", ""],
    ["nothing but a block", "<think>hm</think>", ""],
    ["tags in the answer", "It strips <think>x</think> tags.", "It strips <think>x</think> tags."],
    ["a closing tag in a sentence", "They end with </think> there.", "They end with </think> there."],
    ["an example", "Like so: <think>\nx\n</think>\nDone.", "Like so: <think>\nx\n</think>\nDone."],
    ["other tags", "<summary>x</summary>", "<summary>x</summary>"],
  ])("handles %s", (_, text, expected) => {
    expect(stripReasoning(text)).toBe(expected);
  });

  it("comes to an end on text made to be slow", { timeout: 60_000 }, () => {
    expect(stripReasoning(`${"<think>".repeat(500_000)}x`)).toBeTypeOf("string");
    expect(stripReasoning("</think \n".repeat(500_000))).toBeTypeOf("string");
  });
});
