import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cleanSummary } from "./clean-summary.ts";

describe("a cleaned summary", () => {
  it.each([
    ["<think>hm</think>The text.", "The text."],
    ["<thinking>\na\nb\n</thinking>\n\nThe text.\nFiles: none", "The text.\nFiles: none"],
    ["<think>one</think><reasoning>two</reasoning>The text.", "The text."],
    ["Before.\n<think>hm</think>\nAfter.", "Before.\n\nAfter."],
    ["I should summarise.\n</think>\nThe text.", "The text."],
    ["The text.\n<think>and then it broke off", "The text."],
    ["<think>never closed", ""],
    ["```\nThe text.\n```", "The text."],
    ["```text\nThe text.\nMore.\n```", "The text.\nMore."],
    ["<summary>The text.</summary>", "The text."],
    ["<Summary>\n```\nHere is the summary:\nThe text.\n```\n</Summary>", "The text."],
    ["Here is the summary:\n\nThe text.", "The text."],
    ["Here's a concise summary of the segment: The text.", "The text."],
    ["Sure, I can do that:\nThe text.", "The text."],
    ["**Summary**\n\nThe text.", "The text."],
    ["Summary:\nThe text.", "The text."],
    ["Hier ist die Zusammenfassung:\nDer Text.", "Der Text."],
    ["以下が要約です：\n本文。", "本文。"],
    ["Here is the summary:", ""],
    ["  \n ", ""],
    ["line\r\nline", "line\nline"],
  ])("of %j is %j", (text, cleaned) => {
    expect(cleanSummary(text)).toBe(cleaned);
  });

  it.each([
    "The parser drops <think> tags that are not closed.",
    "08:00 user: asked for a summary: short and plain.",
    "Ok, Maren decided to swap the heads.\nFiles: none",
    "```\ncode\n```\nThe text.\n```\nmore code\n```",
    "Use `<summary>` in the template.",
  ])("leaves %j alone", (text) => {
    expect(cleanSummary(text)).toBe(text);
  });

  const pieces = fc.constantFrom(
    "<think>",
    "</think>",
    "<Thinking>",
    "</thinking>",
    "```",
    "~~~\n",
    "\n",
    " ",
    "<summary>",
    "</summary>",
    "Here is the summary: ",
    "Summary:\n",
    "text",
    "要約：\n",
    "Sure, ok:\n",
  );

  it("stays as it is when cleaned again", () => {
    const texts = fc.oneof(
      fc.array(pieces, { maxLength: 14 }).map((list) => list.join("")),
      fc.string({ unit: "binary" }),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const once = cleanSummary(text);
        expect(cleanSummary(once)).toBe(once);
      }),
      { numRuns: 1_000 },
    );
  });

  it.each([
    "<think>",
    "<think>\n",
    "</think>\n",
    "<summary>",
    "```\n",
    "Summary:\n",
    " ",
    "\n",
    "\t<",
    "<think></think>",
  ])("takes linear time on 200 kB of %j", (piece) => {
    const start = process.cpuUsage();
    cleanSummary(piece.repeat(Math.ceil(200_000 / piece.length)));
    const { user, system } = process.cpuUsage(start);
    expect((user + system) / 1000).toBeLessThan(1_500);
  });
});
