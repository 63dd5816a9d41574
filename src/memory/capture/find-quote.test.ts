import { describe, expect, it } from "vitest";
import { findQuote } from "./find-quote.ts";

const TEXTS = [
  "What do you like?",
  "I live in  Berlin, with two cats.",
  "You live in Berlin with two cats.",
  "我住在上海。",
];

describe("the words that a memory rests on", () => {
  it.each([
    ["I live in Berlin", null, { index: 1, isExact: true, share: 1 }],
    ["“i LIVE in berlin with two cats”", null, { index: 1, isExact: true, share: 1 }],
    ["live in Berlin with two cats", 2, { index: 2, isExact: true, share: 1 }],
    ["住在上海", null, { index: 3, isExact: true, share: 1 }],
    // five of six words, in order
    ["I live in Berlin and cats", null, { index: 1, isExact: false, share: 5 / 6 }],
    ["I own a yacht in Monaco", null, null],
    ["cats Berlin", null, null],
    ["", null, null],
    ["…", null, null],
  ])("%s", (quote, named, found) => {
    expect(findQuote(quote, TEXTS, named)).toEqual(found);
  });
});
