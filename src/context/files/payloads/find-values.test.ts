import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dataText } from "../../../message/read-tool-output.ts";
import type { Part } from "../../../types.ts";
import { changeLarge } from "./change-large.ts";
import { findValues, type ReadParts } from "./find-values.ts";

const VALUE = { rows: Array.from({ length: 60 }, (_, i) => ({ i, name: `row ${i}` })) };

type ToolPart = Extract<Part, { type: "tool" }>;

/** A message with one result, as some family may read it. */
function readBy(read: (output: unknown) => Partial<ToolPart>): (value: unknown) => ReadParts {
  const part: ToolPart = {
    ...{ type: "tool", callId: "c", name: "t", status: "completed", input: null, output: null },
  };
  return (value) => ({ role: "tool", parts: [{ ...part, ...read((value as { output: unknown }).output) }] });
}

function find(
  read: (output: unknown) => Partial<ToolPart>,
  value: object = { output: VALUE },
  original = JSON.stringify(value),
): string[] {
  const search = { value, original, read: readBy(read), secret: "0123456789abcdef", bytes: 500 };
  const found = [...findValues(search, () => true).values()];
  return found.map(({ start, end }) => original.slice(start, end));
}

describe("finding results that are data", () => {
  it("finds what is read as data, where a string is read as itself", () => {
    expect(find((output) => ({ output: dataText(output) }))).toEqual([JSON.stringify(VALUE)]);
    const message = { before: [VALUE], output: VALUE, after: VALUE };
    expect(find((output) => ({ output: dataText(output) }), message)).toEqual([JSON.stringify(VALUE)]);
  });

  it("finds nothing where a string would be read otherwise", () => {
    for (const read of [
      (output: unknown) => ({ output: JSON.stringify(output) }),
      (output: unknown) => ({ output: typeof output === "string" ? "" : dataText(output) }),
      (output: unknown) => ({ output: dataText(output), name: typeof output }),
      (output: unknown) => ({ output: dataText(output), callId: typeof output }),
      (output: unknown) =>
        ({ output: dataText(output), status: typeof output === "string" ? "error" : "completed" }) as const,
    ])
      expect(find(read)).toEqual([]);
  });

  it("finds nothing where a value is only a part of the result, or is taken by its fields", () => {
    expect(find((output) => ({ output: `Result: ${dataText(output)}` }))).toEqual([]);
    expect(find((output) => ({ output: (output as typeof VALUE).rows.map(dataText).join() }))).toEqual([]);
    expect(find((output) => ({ output: Object.keys(output as object).join() }))).toEqual([]);
  });

  it("shows the reader every field as it is, and nothing beside it", () => {
    const seen: unknown[] = [];
    find((output) => {
      if (typeof output !== "object" || output === null) return { output: dataText(output) };
      const { rows } = output as typeof VALUE;
      seen.push(Object.keys(output), Array.isArray(rows), Object.keys(rows).length, rows[59], rows.length);
      return { output: dataText(output) };
    });
    expect(seen).toEqual([["rows"], true, 60, VALUE.rows[59], 60]);
  });

  it("finds nothing in a text that is not what JSON makes of the value", () => {
    const read = (output: unknown) => ({ output: dataText(output) });
    const value = { output: VALUE, more: 1 };
    const plain = JSON.stringify(value);
    for (const text of [
      `${plain}x`,
      `x${plain}`,
      `${plain}\n0`,
      plain.replace("row 3", "row 4"),
      plain.slice(0, -1),
      "",
    ])
      expect(find(read, value, text)).toEqual([]);
  });
});

describe("changing large values", () => {
  it("meets all that JSON writes in more bytes, and gives the same back when nothing is changed", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(60), (value, bytes) => {
        const met: number[] = [];
        const same = changeLarge(value, bytes, (one) => {
          met.push(Buffer.byteLength(JSON.stringify(one)));
          return one;
        });
        expect(same).toBe(value);
        let large = 0;
        JSON.parse(JSON.stringify(value), (_key, one: unknown) => {
          const isObject = typeof one === "object" && one !== null;
          if (isObject && Buffer.byteLength(JSON.stringify(one)) > bytes) large++;
          return one;
        });
        expect(met.filter((size) => size > bytes)).toHaveLength(large);
      }),
    );
  });
});
