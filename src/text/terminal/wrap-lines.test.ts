import { expect, it } from "vitest";
import { wrapLines } from "./wrap-lines.ts";

it.each([
  ["fits", 10, 0, "fits"],
  ["one two three", 8, 0, "one two\nthree"],
  ["  one two three", 9, 0, "  one two\n  three"],
  ["name  one two", 9, 6, "name  one\n      two"],
  ["a unbreakableword b", 6, 0, "a\nunbreakableword\nb"],
  ["one two\n\nthree four", 8, 0, "one two\n\nthree\nfour"],
  ["\u001b[2mone two\u001b[22m three", 7, 0, "\u001b[2mone two\u001b[22m\nthree"],
  ["日本 日本", 6, 0, "日本\n日本"],
])("breaks %j at spaces within %d columns", (text, columns, hanging, expected) => {
  expect(wrapLines(text, columns, hanging)).toBe(expected);
});
