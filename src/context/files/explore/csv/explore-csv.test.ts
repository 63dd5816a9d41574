import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exploreText } from "../testing/explore-text.ts";
import { inPieces } from "../testing/value-builder.ts";
import { CsvScanner } from "./scan-csv.ts";

function scan(text: string, size: number): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  const scanner = new CsvScanner(",", {
    field: (field) => row.push(field),
    endRow: () => {
      rows.push(row);
      row = [];
    },
  });
  for (const piece of inPieces(text, size)) scanner.write(piece);
  scanner.finish();
  return rows;
}

describe("CSV", () => {
  it("is read as it was written, however it is cut", () => {
    const field = fc.string({ unit: fc.constantFrom(...'ab ",\n;é'), maxLength: 8 });
    const rows = fc.array(fc.array(field, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(rows, fc.integer({ min: 1, max: 9 }), fc.constantFrom("\n", "\r\n"), (table, size, end) => {
        const text = table
          .map((row) => row.map((one) => `"${one.replaceAll('"', '""')}"`).join(",") + end)
          .join("");
        expect(scan(text, size)).toEqual(table);
      }),
    );
  });

  it("is described by dialect, rows and columns with types, ranges and examples", async () => {
    const rows = Array.from(
      { length: 30 },
      (_, i) =>
        `${i};2024-01-${String((i % 28) + 1).padStart(2, "0")};${i / 4};${i % 3 ? "open" : "closed"};${i % 2 ? "true" : "false"};${i % 5 ? "x" : ""}`,
    );
    const { kind, text } = await exploreText(`id;day;amount;state;paid;note_type\n${rows.join("\n")}\n`);
    expect(kind).toBe("csv");
    expect(text).toContain("30 rows, 6 columns, header in the first line, separated by semicolon");
    expect(text).toContain("id: integer 0 – 29");
    expect(text).toContain("day: date 2024-01-01 – 2024-01-28");
    expect(text).toContain("amount: number 0 – 7.25");
    expect(text).toContain("state: text, 2 distinct: open | closed");
    expect(text).toContain("paid: boolean");
    expect(text).toContain("note_type: text, 6 empty");
  });

  it.each([
    ["11502.63", "105435039507024.1", "number 11502.63 – about 105400000000000"],
    ["-0.25", "123456.789", "number -0.25 – 123456.789"],
    ["0.30000000000000004", "1.5", "number about 0.3 – 1.5"],
    ["1.5", "4111111111111111", "number 1.5 – about 4111000000000000"],
    ["-999999999999", "999999999999", "integer -999999999999 – 999999999999"],
    ["5", "4111111111111111", "integer"],
  ])("gives the range from %s to %s as it is, or says that it is rounded", async (first, last, range) => {
    const { text } = await exploreText(`year,amount\n1990,${first}\n1991,${last}\n`, { name: "a.csv" });
    expect(text).toMatch(new RegExp(`amount: ${range}$`, "m"));
  });

  it("without a header numbers its columns and shows no text", async () => {
    const { text } = await exploreText("1,alice,2\n2,bob,3\n3,carol,4\n", { name: "a.csv" });
    expect(text).toContain("no header");
    expect(text).toContain("column 1: integer 1 – 3");
    expect(text).not.toContain("alice");
  });

  it("counts rows of another length, and lines inside of quotes are no rows", async () => {
    const { text } = await exploreText('id,note\n1,"two\nlines"\n2,x,extra\n3,y\n4\n', { name: "a.csv" });
    expect(text).toContain("4 rows");
    expect(text).toContain("2 rows with another number of fields, the first is row 2");
  });

  it("says which quote is never closed", async () => {
    const { text } = await exploreText(`id,note\n1,a\n2,"b\n${"3,c\n".repeat(100)}`, { name: "a.csv" });
    expect(text).toContain("the quote opened in line 3 is never closed");
  });

  it.each([
    ["\t", "tab", "TSV"],
    ["|", "pipe", "CSV"],
    [",", "comma", "CSV"],
  ])("may be separated by %j", async (delimiter, word, label) => {
    const rows = Array.from({ length: 9 }, (_, i) => ["id", i, i * 2].join(delimiter));
    const { title } = await exploreText(`${["name", "first", "second"].join(delimiter)}\n${rows.join("\n")}`);
    expect(title).toContain(`separated by ${word}`);
    expect(title).toContain(label);
  });

  it("estimates how many values differ when there are many", async () => {
    const rows = Array.from({ length: 20_000 }, (_, i) => `${i},id${i}`);
    const { text } = await exploreText(`number,label\n${rows.join("\n")}`, { name: "a.csv" });
    const [, found = "0"] = /label: text, about ([\d,]+) distinct/.exec(text) ?? [];
    expect(Number(found.replaceAll(",", ""))).toBeGreaterThan(18_000);
    expect(Number(found.replaceAll(",", ""))).toBeLessThan(22_000);
  });
});
