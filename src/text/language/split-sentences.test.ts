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

  it.each([
    ["Mein Geburtstag ist am 3. Mai."],
    ["Mein Geburtstag ist am 12. Oktober 1990."],
    ["Seit 1. Jan. 2024 gilt das."],
    ["Geboren 12. Okt. 1990 in Wien."],
    ["Vom 3. bis 5. Jänner ist zu."],
    ["Wir kommen 3./4. Mai, oder 3.–5. Juni."],
    ["Ech kommen den 3. Abrëll."],
    ["Das Büro liegt im 3. Stock."],
    ["Der 2. Weltkrieg endete 1945."],
    ["Der 2. „Weltkrieg“ endete."],
    ["Es gilt ab 5. Klasse bis 100. Folge."],
    ["Sie feiert ihren 30. Geburtstag zur 2. Stunde jeden 2. Dienstag."],
    ["On Oct. 12 we ship."],
  ])("keep an ordinal and its noun together: %j", (sentence) => {
    expect(splitSentences(`${sentence} ${sentence}`)).toEqual([sentence, sentence]);
  });

  it.each([
    ["I have 3. He has 4.", ["I have 3.", "He has 4."]],
    ["I am 42. Anna is 40.", ["I am 42.", "Anna is 40."]],
    ["im 30. My wife is 31.", ["im 30.", "My wife is 31."]],
    ["Wir warten bis 3. Dann gehen wir.", ["Wir warten bis 3.", "Dann gehen wir."]],
    ["Es ist am 12. Bitte komm.", ["Es ist am 12.", "Bitte komm."]],
    ["Ich bin 42. Berlin ist schön.", ["Ich bin 42.", "Berlin ist schön."]],
    ["Seit 1990. Berlin wuchs.", ["Seit 1990.", "Berlin wuchs."]],
    ["Es waren 99. Mai war es.", ["Es waren 99.", "Mai war es."]],
    ["Wir kommen im Okt. Anna auch.", ["Wir kommen im Okt.", "Anna auch."]],
  ])("end at a number that is no ordinal: %j", (text, sentences) => {
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
