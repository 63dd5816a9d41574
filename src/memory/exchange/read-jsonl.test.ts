import { describe, expect, it } from "vitest";
import { readJsonl } from "./read-jsonl.ts";
import { collect, NOW, sampleMemory } from "./testing/sample-memories.ts";

const HEADER = `{"palimpsest":"memories","version":1,"exportedAt":"${NOW}"}`;
const GOOD = JSON.stringify(sampleMemory());
const END = '{"palimpsest":"end","memories":1}';

async function read(...lines: string[]): Promise<string[]> {
  const items = await collect(readJsonl(lines));
  return items.map((item) => `${item.line} ${"problem" in item ? item.problem : item.memory.id}`);
}

describe("reading lines of JSON", () => {
  it("goes on behind a line that holds no memory, and says which and why", async () => {
    const items = await read(
      HEADER,
      "not json",
      "[]",
      `{"a":"${"x".repeat(10_000_000)}"}`,
      GOOD,
      "\0",
      "",
      GOOD,
    );
    expect(items[0]).toMatch(/^2 is not JSON/);
    expect(items[1]).toMatch(/^3 must be an object/);
    expect(items[2]).toMatch(/^4 .*does not take "a"|^4 id is missing/);
    expect(items[3]).toBe(`5 ${sampleMemory().id}`);
    expect(items[4]).toMatch(/^6 is not JSON/);
    expect(items[5]).toBe(`8 ${sampleMemory().id}`);
    expect(items.every((item) => item.length < 500)).toBe(true);
  });

  it("notices a torn last line, and an end that is missing at a line's border", async () => {
    const torn = await read(HEADER, GOOD, GOOD.slice(0, 200));
    expect(torn[1]).toMatch(/^3 is not JSON, or is truncated/);
    expect(torn[2]).toMatch(/^3 .*the file is truncated/);
    expect((await read(HEADER, GOOD)).at(-1)).toMatch(/^2 .*the file is truncated/);
    expect((await read(HEADER)).at(-1)).toMatch(/^1 .*the file is truncated/);
  });

  it("notices that lines were taken out or put behind the end", async () => {
    expect(await read(HEADER, END)).toEqual(["2 states 1 memories, but the file has 0"]);
    expect((await read(HEADER, GOOD, END, GOOD)).at(-1)).toMatch(/^4 is after the closing line/);
  });

  it("takes lines with carriage returns, a byte order mark and empty lines", async () => {
    expect(await read(`\ufeff${HEADER}\r`, "\r", `${GOOD}\r`, `${END}\r`)).toEqual([
      `3 ${sampleMemory().id}`,
    ]);
  });

  it.each([
    ["nothing at all", [], /^1 the file is empty/],
    ["another object", ['{"a":1}', GOOD], /^1 is not the header/],
    ["no JSON", ["# Memories", GOOD], /^1 is not JSON.*a header of Palimpsest was expected/],
    [
      "a later version",
      ['{"palimpsest":"memories","version":2,"new":1}', GOOD],
      /^1 .*version 2.*update Palimpsest/,
    ],
    [
      "a version that is no number",
      ['{"palimpsest":"memories","version":"1"}', GOOD],
      /^1 is not the header/,
    ],
  ])("reads nothing behind %s", async (_, lines, expected) => {
    const items = await read(...lines);
    expect(items).toHaveLength(1);
    expect(items[0]).toMatch(expected);
  });
});
