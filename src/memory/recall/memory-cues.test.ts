import { expect, it } from "vitest";
import { hasMemoryCue } from "./memory-cues.ts";

it.each([
  ["what did I say last time", true],
  ["my wife", true],
  ["wie gestern", true],
  ["上次说的", true],
  ["지난번", true],
  ["beforehand", false],
  ["agony", false],
  ["Antonio", false],
])("%s: %s", (text, expected) => {
  expect(hasMemoryCue(text)).toBe(expected);
});
