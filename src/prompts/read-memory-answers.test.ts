import { describe, expect, it } from "vitest";
import { readVerdict } from "./judge-duplicates.ts";
import { readMergedMemory } from "./merge-memories.ts";
import { readUtility } from "./rate-utility.ts";
import { readExtractedMemories } from "./read-extracted-memories.ts";

function memory(changes: Record<string, unknown> = {}) {
  return {
    category: "profile",
    abstract: "Ada lives in Berlin.",
    overview: "",
    content: "Ada lives in Berlin since 2020.",
    message: 3,
    quote: "I live in Berlin",
    ...changes,
  };
}

function extracted(...memories: unknown[]) {
  return readExtractedMemories(JSON.stringify({ memories }));
}

describe("extracted memories", () => {
  it("are read as asked for", () => {
    expect(extracted(memory())).toEqual({ ok: true, memories: [memory()], refused: [] });
    expect(readExtractedMemories('{"memories": []}')).toEqual({ ok: true, memories: [], refused: [] });
  });

  it.each([
    [{ category: "Preference" }, { category: "preferences" }],
    [{ category: "user_profile" }, { category: "profile" }],
    [{ category: "decision" }, { category: "events" }],
    [
      { overview: undefined, content: null },
      { overview: "", content: "" },
    ],
    [{ overview: ["- a", "- b"] }, { overview: "- a\n- b" }],
    [{ abstract: "Two\nlines" }, { abstract: "Two lines" }],
    [{ message: "#12" }, { message: 12 }],
    [{ message: { odd: true } }, { message: null }],
    [{ quote: "“said”" }, { quote: "said" }],
    [{ extra: 1 }, {}],
  ])("are read although sloppy: %j", (changes, expected) => {
    expect(extracted(memory(changes))).toMatchObject({ ok: true, memories: [{ ...expected }], refused: [] });
  });

  it("are found without their list, or in one of another name", () => {
    expect(readExtractedMemories(JSON.stringify([memory()]))).toMatchObject({ memories: [{ message: 3 }] });
    expect(readExtractedMemories(JSON.stringify({ items: [memory()] }))).toMatchObject({ memories: [{}] });
    expect(readExtractedMemories(JSON.stringify(memory()))).toMatchObject({ memories: [{}] });
  });

  it.each([
    [{ category: "constructor" }, '"constructor" is no category.'],
    [{ category: 7 }, "It is not an object with a category and texts."],
    [{ abstract: " … " }, "Its abstract is empty."],
    [{ abstract: null }, "Its abstract is empty."],
  ])("are refused one by one, with a reason: %j", (changes, reason) => {
    expect(extracted(memory(), memory(changes))).toMatchObject({
      memories: [{}],
      refused: [{ index: 1, reason }],
    });
    expect(extracted("text")).toMatchObject({ memories: [], refused: [{ index: 0 }] });
  });

  it("are at most five, and never half of one", () => {
    const six = extracted(...Array.from({ length: 6 }, () => memory()));
    expect(six).toMatchObject({ refused: [{ index: 5, reason: "At most 5 are taken." }] });
    const whole = JSON.stringify({ memories: [memory(), memory()] });
    expect(readExtractedMemories(whole.slice(0, -40))).toMatchObject({
      memories: [{}],
      refused: [{ index: 1, reason: "The answer was cut off in it." }],
    });
  });

  it("are refused altogether where there are none", () => {
    expect(readExtractedMemories("I found nothing.")).toEqual({
      ok: false,
      reason: "The answer holds no JSON.",
    });
    expect(readExtractedMemories('{"a": 1}')).toEqual({
      ok: false,
      reason: "The answer has no list of memories.",
    });
  });
});

describe("a verdict", () => {
  it.each([
    [
      '{"decision":"merge","match_index":2,"reason":"Adds.","context_label":"evening"}',
      "merge",
      2,
      "evening",
    ],
    ['```json\n{"decision": "SUPERSEDE", "match_index": "1"}\n```', "supersede", 1, null],
    ['{"verdict": "create"}', "create", null, null],
    ['[{"decision": "support", "matchIndex": "#3", "contextLabel": "work"}]', "support", 3, "work"],
    ['{"decision": "supersede", "match_index": "the first"}', "supersede", 0, null],
    ['{"decision": "supersede", "match_index": -1}', "supersede", 0, null],
    ['{"decision": "merge", "match_index": 1.5}', "merge", 0, null],
    ['{"decision": "explode", "match_index": null}', "explode", null, null],
  ])("%s", (answer, verdict, matchIndex, label) => {
    const read = readVerdict(answer);
    expect(read).toMatchObject({ ok: true, judgement: { verdict, matchIndex, label } });
  });

  it.each(["nothing", "{}", '{"decision": ""}', '{"decision": 5}'])("is none: %s", (answer) => {
    expect(readVerdict(answer).ok).toBe(false);
  });
});

describe("a merged text", () => {
  it("is read whole or not at all", () => {
    const answer = '{"abstract": "Ada.", "overview": ["- x"], "content": "All."}';
    expect(readMergedMemory(answer)).toEqual({
      ok: true,
      text: { abstract: "Ada.", overview: "- x", content: "All." },
    });
    expect(readMergedMemory(answer.slice(0, -5))).toEqual({ ok: false, reason: "The answer was cut off." });
    expect(readMergedMemory('{"content": "All."}')).toEqual({ ok: false, reason: "The abstract is empty." });
    expect(readMergedMemory("no").ok).toBe(false);
  });
});

describe("a utility", () => {
  it.each([
    ['{"utility": 0.7, "reason": "Needed."}', 0.7],
    ['{"utility": "70 %"}', 0.7],
    ['{"score": "0.25"}', 0.25],
    ["0.4", 0.4],
    ["1", 1],
  ])("%s", (answer, utility) => {
    expect(readUtility(answer)).toMatchObject({ ok: true, utility });
  });

  it.each(['{"utility": 7}', '{"utility": "high"}', '{"utility": -1}', "very useful", "{}", "42"])(
    "is none: %s",
    (answer) => {
      expect(readUtility(answer).ok).toBe(false);
    },
  );
});
