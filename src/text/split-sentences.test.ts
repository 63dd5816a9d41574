import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { placeSentences, splitSentences } from "./split-sentences.ts";

describe("sentences", () => {
  it.each([
    ["One. Two! Three? Four", ["One.", "Two!", "Three?", "Four"]],
    ["See e.g. the README. Done.", ["See e.g. the README.", "Done."]],
    ["It holds 1042.0 V. They differ.", ["It holds 1042.0 V.", "They differ."]],
    ["M. Curie came. She left.", ["M. Curie came.", "She left."]],
    ["1. First item\n2. Second item", ["1. First item", "2. Second item"]],
    ['He said "stop." Then he left.', ['He said "stop."', "Then he left."]],
    ["Version 2.4.1 is out. Use it.", ["Version 2.4.1 is out.", "Use it."]],
    ["z.B. das hier. Ende.", ["z.B. das hier.", "Ende."]],
    ["訂正します。57600 ではなく 38400 です。", ["訂正します。", "57600 ではなく 38400 です。"]],
    ["「止めて。」と言った。次へ。", ["「止めて。」", "と言った。", "次へ。"]],
    ["好的！开始吧？", ["好的！", "开始吧？"]],
    ["좋아요. 시작하죠.", ["좋아요.", "시작하죠."]],
    ["", []],
    ["   \n\n ", []],
  ])("of %j", (text, sentences) => {
    expect(splitSentences(text)).toEqual(sentences);
  });

  it("joins a line that an editor wrapped, and leaves a list alone", () => {
    const [first, second] = [
      "This sentence is long enough that some editor or other has broken it",
      "right here before its end.",
    ];
    expect(splitSentences(`${first}\n${second}\n- short\n- lower`)).toEqual([
      `${first} ${second}`,
      "- short",
      "- lower",
    ]);
  });

  it("know the lines on which they begin", () => {
    const wrapped = "A long sentence comes first here. Another one has been broken by some editor";
    const text = `One. Two.\n\n${wrapped}\nright here. And then\n  Last.`;
    expect(placeSentences(text)).toEqual([
      { text: "One.", line: 0 },
      { text: "Two.", line: 0 },
      { text: "A long sentence comes first here.", line: 2 },
      { text: "Another one has been broken by some editor right here.", line: 2 },
      { text: "And then", line: 3 },
      { text: "Last.", line: 4 },
    ]);
  });

  it("lose nothing but white space", () => {
    const bare = (text: string) => text.replace(/\s/gu, "");
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 300 }), (text) => {
        expect(bare(splitSentences(text).join(""))).toBe(bare(text));
      }),
    );
  });
});
