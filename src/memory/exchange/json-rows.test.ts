import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jsonRows } from "./json-rows.ts";
import { collect } from "./testing/sample-memories.ts";

async function read(file: string): Promise<string[]> {
  const items = await collect(jsonRows(file.split("\n")));
  return items.map((item) =>
    "problem" in item
      ? `${item.line} ! ${item.problem}`
      : `${item.line} ${item.list} ${JSON.stringify(item.row)}`,
  );
}

const anyRow = fc.record({
  id: fc.string({ unit: "binary" }),
  text: fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom('"', "\\", '\\"', "]}", "[{", "\n")),
  nested: fc.array(fc.record({ a: fc.array(fc.constantFrom("[", "}", '"')) })),
});

describe("rows of a JSON file", () => {
  it("are the same in a list, in an object of lists, and a line each", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyRow, { minLength: 1 }),
        fc.constantFrom(undefined, 2),
        async (rows, indent) => {
          const files = [
            [JSON.stringify(rows, null, indent), null],
            [JSON.stringify({ count: 1, filters: { a: [1] }, memories: rows }, null, indent), "memories"],
            [rows.map((row) => JSON.stringify(row)).join("\n"), null],
          ] as const;
          for (const [file, list] of files) {
            const items = await collect(jsonRows(file.split("\n")));
            expect(items.map((item) => ("row" in item ? item.row : item))).toEqual(rows);
            expect(items.every((item) => "list" in item && item.list === list)).toBe(true);
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  it("have the lines on which they begin, and the lists that they lie in", async () => {
    expect(
      await read('{\n "results": [\n  {\n   "a": 1 },\n  {"a": [{"b": 2}]}\n ],\n "relations": [{"c": 3}]}'),
    ).toEqual(['3 results {"a":1}', '5 results {"a":[{"b":2}]}', '7 relations {"c":3}']);
  });

  it("are given up to where a file was cut off", async () => {
    const whole = JSON.stringify([{ a: 1 }, { a: 2 }, { a: 3 }], null, 1);
    expect(await read(whole.slice(0, -8))).toEqual([
      '2 null {"a":1}',
      '5 null {"a":2}',
      "9 ! is the last line that was read, but the file is truncated",
    ]);
  });

  it.each([
    ["", ["1 ! the file is empty"]],
    ["[]", ["1 ! is the end of a file without memories"]],
    ["hello\nworld", ["2 ! is the end of a file without memories"]],
    ["\0\0", ["1 ! is the end of a file without memories"]],
    ['[1, "two", {"a":1}]', ["1 ! is not an object", "1 ! is not an object", '1 null {"a":1}']],
    ['[{"a":1},\n{"a" 2},\n{"a":3}]', ['1 null {"a":1}', "2 ! is not JSON", '3 null {"a":3}']],
    [
      '{"text":"a"}\nnot json\n{"text":"b"}',
      ['1 null {"text":"a"}', "2 ! is not JSON", '3 null {"text":"b"}'],
    ],
    [
      '{"memory":"a","categories":[]}\n[]',
      ['1 null {"memory":"a","categories":[]}', "2 ! is JSON, but not an object"],
    ],
    ['{"id":"torn', ["1 ! is not JSON"]],
  ])("of %j are told apart from what is none", async (file, expected) => {
    const items = await read(file);
    expect(items).toHaveLength(expected.length);
    for (const [index, beginning] of expected.entries()) expect(items[index]).toContain(beginning);
  });

  it("may be as long as a line of ten megabytes, and nested as deep as somebody likes", async () => {
    const text = '\\"'.repeat(5_000_000);
    expect(await collect(jsonRows([`[{"text":"${text}"}]`]))).toMatchObject([
      { line: 1, row: { text: '"'.repeat(5_000_000) } },
    ]);
    const deep = await read(`[${"[".repeat(100_000)}`);
    expect(deep.at(-1)).toContain("truncated");
  });
});
