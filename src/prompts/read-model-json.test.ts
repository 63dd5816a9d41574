import { describe, expect, it } from "vitest";
import { readModelJson } from "./read-model-json.ts";

describe("JSON in an answer", () => {
  it.each([
    ['{"a": 1}', { a: 1 }],
    ['Sure! Here it is:\n```json\n{"a": 1}\n```\nAnything else?', { a: 1 }],
    ['<think>maybe {"a": 0}?</think>\n{"a": 1}', { a: 1 }],
    ['{"a": 1,}', { a: 1 }],
    ["{'a': 'it'}", { a: "it" }],
    ["{a: 1, // why\n b: [1, 2,]}", { a: 1, b: [1, 2] }],
    ['[{"a": 1}]', [{ a: 1 }]],
    ['The answer is {"a": "x } y"} and more {"b": 2}.', { a: "x } y" }],
    ['{"a": "line\nbreak"}', { a: "line\nbreak" }],
    ['{"a": "she said "yes" twice"}', { a: 'she said "yes" twice' }],
  ])("%s", (answer, value) => {
    expect(readModelJson(answer)).toEqual({ ok: true, value, isCutOff: false });
  });

  it("that was cut off is closed, and said to be", () => {
    expect(readModelJson('{"memories": [{"a": 1}, {"a": "hal')).toEqual({
      ok: true,
      value: { memories: [{ a: 1 }, { a: "hal" }] },
      isCutOff: true,
    });
  });

  it.each(["", "   ", "I cannot do that.", "42", "<think>hm</think>"])("there is none in: %s", (answer) => {
    const read = readModelJson(answer);
    expect(read.ok).toBe(false);
    if (!read.ok) expect(read.reason).toMatch(/\.$/);
  });
});
