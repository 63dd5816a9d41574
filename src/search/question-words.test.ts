import { describe, expect, it } from "vitest";
import { questionWords } from "./question-words.ts";

const CASES: readonly [string, string][] = [
  ["What did we decide about the retry limit?", "decide retry limit"],
  ["When was v2 of src/store/open.ts released?", "v2 src/store/open.ts released"],
  ["Is the CPU ok?", "CPU"],
  ["who is it", "who is it"],
  ['Does "a.*b|c$" match [x]?', "match"],
  ["水の温度は？", "水の温度は"],
  ["?!", ""],
];

describe("the words of a question", () => {
  it.each(CASES)("%j are %j", (question, words) => {
    expect(questionWords(question)).toBe(words);
  });
});
