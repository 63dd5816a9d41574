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
    ["a closing tag behind the last thought", "hm, so it is</think>\nA summary.", "A summary."],
    ["a closing tag right before the answer", "hm, so it is </think>A summary.", "A summary."],
    ["a closing tag behind a quoted one", "They end with </think> here.</think>\nA summary.", "A summary."],
    [
      "a block between sentences",
      "It is done. <reasoning>hm</reasoning> All of it.",
      "It is done.  All of it.",
    ],
    ["a block behind the last sentence", "It is done.\n<reasoning>hm</reasoning>", "It is done."],
    [
      "a sentence about a block",
      "It strips. <think>x</think> is gone.",
      "It strips. <think>x</think> is gone.",
    ],
    [
      "channels",
      "<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>final<|message|>A summary.<|return|>",
      "A summary.",
    ],
    ["a channel that is not final", "It is done. <|channel|>analysis<|message|>hm<|end|>", "It is done."],
    ["a channel that never ends", "<|channel|>analysis<|message|>hm, so the user", ""],
    [
      "a channel that is spoken of",
      "It drops `<|channel|>final<|message|>`.",
      "It drops `<|channel|>final<|message|>`.",
    ],
    ["other tags", "<summary>x</summary>", "<summary>x</summary>"],
  ])("handles %s", (_, text, expected) => {
    expect(stripReasoning(text)).toBe(expected);
  });

  it("comes to an end on text made to be slow", { timeout: 60_000 }, () => {
    expect(stripReasoning(`${"<think>".repeat(500_000)}x`)).toBeTypeOf("string");
    expect(stripReasoning("</think \n".repeat(500_000))).toBeTypeOf("string");
    expect(stripReasoning(`x${"a </think> b".repeat(300_000)}`)).toBeTypeOf("string");
    expect(stripReasoning(`x${". <think>".repeat(300_000)}`)).toBeTypeOf("string");
    expect(stripReasoning("<|channel|>a<|message|>".repeat(200_000))).toBeTypeOf("string");
  });
});
