/** The forms of anchors, one by one, with near misses. */
import { describe, expect, it } from "vitest";
import { codeAnchors, commandKey } from "../anchors.ts";
import { anchor } from "./anchor.ts";
import { AnchorTable } from "./anchor-table.ts";
import { numberKey } from "./classify-token.ts";
import { FIRST_WORD_OF_MONTH, monthNumber, readDate, readWrittenDate } from "./read-date.ts";
import { isUnit, readNumber, roundingError, scaleOf } from "./read-number.ts";
import { baseName, readPath, withoutEndingSlashes } from "./read-path.ts";
import { tokenAnchors } from "./token-anchors.ts";

describe("a number", () => {
  it.each<[string, number, string, boolean]>([
    ["5", 5, "", true],
    ["12,345", 12_345, "", true],
    ["1,234,567", 1_234_567, "", true],
    ["12.345.678", 12_345_678, "", true],
    ["12_345", 12_345, "", true],
    ["1,087.5", 1_087.5, "", false],
    ["1.087,5", 1_087.5, "", false],
    ["1087,5", 1_087.5, "", false],
    ["1,5", 1.5, "", false],
    ["12.345", 12.345, "", false],
    ["1,234.", 1_234, "", true],
    ["7,", 7, "", true],
    ["7,.", 7, "", true],
    ["1234,567", 1_234.567, "", false],
    ["5mst", 5, "mst", true],
    ["5thx", 5, "thx", true],
    ["~5", 5, "", true],
    ["+5", 5, "", true],
    ["-5", 5, "", true],
    ["−5", 5, "", true],
    ["$99", 99, "", true],
    ["€1.200,50", 1_200.5, "", false],
    ["-£3", 3, "", true],
    ["¥3", 3, "", true],
    ["10K", 10, "k", true],
    ["2.5MB", 2.5, "mb", false],
    ["25%", 25, "%", true],
    ["3µm", 3, "µm", true],
    ["20°C", 20, "°c", true],
    ["5megabyte", 5, "megabyte", true],
  ])("is %s", (token, value, unit, isWhole) => {
    expect(readNumber(token)).toEqual({ value, unit, isWhole });
  });

  it.each([
    "",
    "x5",
    "5x5",
    "1.2.3",
    "1.23.456",
    "1.234.567.8",
    "1,234,56",
    "1234.567.890",
    "1.2,3.4",
    "1,23,4",
    "1st",
    "2nd",
    "3RD",
    "4th",
    "5megabytes",
    "$$5",
    "--5",
    "#5",
    "5-6",
  ])("is not %s", (token) => {
    expect(readNumber(token)).toBeUndefined();
  });

  it.each([
    ["7", 0],
    ["99", 0],
    ["50", 0],
    ["100", 50],
    ["110", 5],
    ["111", 0.5],
    ["1001", 0.5],
    ["12,000", 500],
    ["12,345", 0.5],
    ["3.4", 0.1],
    ["3.41", 0.01],
    ["100.0", 0.1],
    ["2.5M", 0.1],
    ["word", 0],
  ])("%s may be rounded from one that is %d away", (token, error) => {
    expect(roundingError(token)).toBeCloseTo(error, 12);
  });

  it("has units of several languages, in either case, and letters that scale it", () => {
    for (const unit of ["ms", "V", "%", "kWh", "Zeilen", "líneas", "°C", "Ω", "Tokens"])
      expect(isUnit(unit)).toBe(true);
    for (const word of ["", "of", "things", "boxes"]) expect(isUnit(word)).toBe(false);
    expect(["k", "m", "g", "b", "", "ms", "kb"].map(scaleOf)).toEqual([1e3, 1e6, 1e9, 1e9, 1, 1, 1]);
  });

  it("is itself in any unit when it is large or fractional", () => {
    expect(numberKey(99, "ms")).toBe("99 ms");
    expect(numberKey(99, "minutes")).toBe("99 min");
    expect(numberKey(100, "ms")).toBe("100");
    expect(numberKey(1.5, "ms")).toBe("1.5");
    expect(numberKey(2, "k")).toBe("2000");
    expect(numberKey(0.05, "k")).toBe("50 k");
  });
});

describe("a date of digits", () => {
  it.each([
    ["2026-04-21", "2026-04-21", ""],
    ["2026/4/1", "2026-04-01", ""],
    ["2026.12.31", "2026-12-31", ""],
    ["2026-04-21T08:05", "2026-04-21", "08:05"],
    ["2026-04-21T08:05:59.123Z", "2026-04-21", "08:05"],
    ["2026-04-21T080559+0200", "2026-04-21", "08:05"],
    ["2026-04-21_08:05:59-02:00", "2026-04-21", "08:05"],
    ["21.04.2026", "2026-04-21", ""],
    ["1.4.2026", "2026-04-01", ""],
    ["4/21/2026", "2026-04-21", ""],
    ["21/4/2026", "2026-04-21", ""],
    ["4/5/2026", "2026-04-05", ""],
    ["12/13/2026", "2026-12-13", ""],
    ["13/12/2026", "2026-12-13", ""],
    ["8:05", "", "08:05"],
    ["08:05:59.5Z", "", "08:05"],
    ["08:05:59.123", "", "08:05"],
    ["24:00", "", "24:00"],
    ["23:59", "", "23:59"],
    ["0:00", "", "00:00"],
  ])("is %s", (token, date, time) => {
    expect(readDate(token)).toEqual({ date, time });
  });

  it.each([
    "1234-2026-04-21",
    "1.21.4.2026",
    "1/4/21/2026",
    "2026-00-21",
    "2026-13-21",
    "2026-04-00",
    "2026-04-32",
    "32.04.2026",
    "0.4.2026",
    "21.13.2026",
    "13/13/2026",
    "25:00",
    "12:60",
    "45:99",
    "8:5",
    "108:05",
    "2026-04",
    "2026-04-21x",
    "x2026-04-21",
    "21.04.26",
    "121.4.2026",
    "21.4.20266",
    "4/21/26",
    "4/21/20266",
    "114/21/2026",
    "2026-04-21T8:05",
    "8:05:5",
    "2026",
  ])("is not %s", (token) => {
    expect(readDate(token)).toBeUndefined();
  });
});

describe("a date in words", () => {
  const read = (text: string) => readWrittenDate(text, 0, text.split(/[ \u00a0年년月월]/)[0] ?? "");

  it.each([
    ["9 March 2026.", "9 March 2026", "2026-03-09"],
    ["9 March in", "9 March", "03-09"],
    ["9th March 2026", "9th March 2026", "2026-03-09"],
    ["1st Jan", "1st Jan", "01-01"],
    ["2nd Feb 2026", "2nd Feb 2026", "2026-02-02"],
    ["3rd Sept", "3rd Sept", "09-03"],
    ["21. Dezember 2026", "21. Dezember 2026", "2026-12-21"],
    ["1er août 2026", "1er août 2026", "2026-08-01"],
    ["21 de abril de 2026", "21 de abril de 2026", "2026-04-21"],
    ["21\u00a0avril\u00a02026", "21\u00a0avril\u00a02026", "2026-04-21"],
    ["March 9, 2026", "March 9, 2026", "2026-03-09"],
    ["March 9 2026", "March 9 2026", "2026-03-09"],
    ["March 9th, and", "March 9th", "03-09"],
    ["March 9. Then", "March 9", "03-09"],
    ["May 31", "May 31", "05-31"],
    ["2026年3月9日と", "2026年3月9日", "2026-03-09"],
    ["2026년 3월 9일", "2026년 3월 9일", "2026-03-09"],
    ["3月9日", "3月9日", "03-09"],
    ["12月9日", "12月9日", "12-09"],
  ])("is %s", (text, found, date) => {
    expect(read(text)).toEqual({ text: found, date });
  });

  it.each([
    "32 March",
    "0 March",
    "March 32",
    "March 0",
    "9 Marching",
    "9 march",
    "9 things",
    "March 9.5",
    "March 9:30",
    "March 9x",
    "March of 9",
    "12345 March",
    "13月9日",
    "3月32日",
    "Then 9 March",
  ])("is not %s", (text) => {
    expect(read(text)).toBeUndefined();
  });

  it("is read where it starts", () => {
    expect(readWrittenDate("May I come on March 9", 0, "May")).toBeUndefined();
    expect(readWrittenDate("on 9 March", 3, "9")).toEqual({ text: "9 March", date: "03-09" });
    expect(readWrittenDate("on 9 March", 0, "9")).toBeUndefined();
  });

  it("knows the months of four languages", () => {
    const names = [
      "January Januar Jan janvier enero",
      "February Februar Feb février febrero",
      "March März Mar mars marzo",
      "April Apr avril abril",
      "May Mai mai mayo",
      "June Juni Jun juin junio",
      "July Juli Jul juillet julio",
      "August Aug août agosto",
      "September Sept Sep septembre septiembre",
      "October Oktober Oct Okt octobre octubre",
      "November Nov novembre noviembre",
      "December Dezember Dec Dez décembre diciembre",
    ].map((month) => month.split(" "));
    for (const [index, month] of names.entries())
      for (const name of month) {
        expect(monthNumber(name)).toBe(`${index + 1}`);
        expect(FIRST_WORD_OF_MONTH.has(name)).toBe(true);
        expect(read(`2 ${name} 2026`)?.date).toBe(`2026-${`${index + 1}`.padStart(2, "0")}-02`);
        expect(read(`${name} 2, 2026`)?.date).toBe(`2026-${`${index + 1}`.padStart(2, "0")}-02`);
      }
    expect(["march", "Monday", ""].map(monthNumber)).toEqual(["", "", ""]);
  });
});

describe("a path", () => {
  it.each([
    ["/etc/hosts", "/etc/hosts"],
    ["/srv", "/srv"],
    ["~/notes", "~/notes"],
    ["./README.md", "readme.md"],
    ["../up/", "../up"],
    ["a.ts", "a.ts"],
    ["a.c", "a.c"],
    ["a.png", "a.png"],
    ["a.whl", "a.whl"],
    ["a.diff", "a.diff"],
    ["./abc", "abc"],
    ["../upper", "../upper"],
    ["/éé", "/éé"],
    ["a\\b\\c\\d", "a/b/c/d"],
    ["src/a:12b.ts", "src/a:12b.ts"],
    ["src/a.ts:12", "src/a.ts"],
    ["src/a.ts:12:5", "src/a.ts"],
    ["src/a.ts:12:warning", "src/a.ts"],
    ["src/a.ts-12", "src/a.ts"],
    ["a/b/page-12", "a/b/page-12"],
    ["a/b/v.x1-12", "a/b/v.x1-12"],
    ["C:\\Users\\me", "c:/users/me"],
    ["d:/data", "d:/data"],
    ["src\\lib\\a.TS", "src/lib/a.ts"],
    ["a/b/c/d", "a/b/c/d"],
    ["x.y/z-1/q", "x.y/z-1/q"],
    ["a/b/c1", "a/b/c1"],
    ["src/main.c/", "src/main.c"],
    ["a_b/c/d/", "a_b/c/d"],
    ["@scope/x.json", "@scope/x.json"],
    ["Größe.md", "größe.md"],
    ["/größe", "/größe"],
    [".github/workflows/ci.yml", ".github/workflows/ci.yml"],
  ])("is %s", (token, path) => {
    expect(readPath(token)).toBe(path);
  });

  it.each([
    "either/or",
    "/a",
    "a\\b\\c\\d\\",
    "a/b/c",
    "/a//b",
    "a//b.ts",
    "a.xyz",
    ".ts",
    "12/34/56",
    "/1/2",
    "1.2",
    "ab",
    "word",
    "end.Start",
    "a/b/c:d/e",
    "a/b/c?d/e",
    "a/b/c&d/e",
    "a/b/c%d/e",
    "=a.ts",
    "src/.ts",
    "1:/a",
    "4:c:/",
    "ab:/c",
  ])("is not %s", (token) => {
    expect(readPath(token)).toBeUndefined();
  });

  it("has a name, and no slashes at its end", () => {
    expect(["/a/b.ts", "a\\b.ts", "b.ts", "a/b\\c", "a\\b/c"].map(baseName)).toEqual([
      "b.ts",
      "b.ts",
      "b.ts",
      "c",
      "c",
    ]);
    expect(["/a//", "/a", "a/b/"].map(withoutEndingSlashes)).toEqual(["/a", "/a", "a/b"]);
  });
});

describe("code", () => {
  const found = (text: string) =>
    codeAnchors(text).map(({ kind, text: words, key, weight }) => [kind, words, key, weight]);

  it.each<[string, unknown[][]]>([
    [
      "run `git push --force origin main`",
      [["command", "git push --force origin main", "git push origin", 1.2]],
    ],
    ["a `word` in it", [["identifier", "word", "word", 1]]],
    ["a ` Word ` in it", [["identifier", "Word", "word", 1]]],
    [
      "`$value` and `_x1`",
      [
        ["identifier", "$value", "$value", 1],
        ["identifier", "_x1", "_x1", 1],
      ],
    ],
    ["`größe-x`", [["identifier", "größe-x", "größe-x", 1]]],
    ["`ab` and `1st` and `a.b`", []],
    ["`1abc` and `abc!`", []],
    ["`Two  Words`", [["identifier", "Two  Words", "two words", 1.2]]],
    [`\`${"w".repeat(57)} of\``, [["identifier", `${"w".repeat(57)} of`, `${"w".repeat(57)} of`, 1.2]]],
    [`\`${"w".repeat(58)} of\``, []],
    ["`a\nb c`", []],
    ["$ npm test -- --run", [["command", "npm test -- --run", "npm test", 1.2]]],
    ["  $ ls /tmp\nout", [["command", "ls /tmp", "ls /tmp", 1.2]]],
    ["it cost $ 5 then", []],
    [
      "tool bash(command: make all install now)",
      [["command", "make all install now)", "make all install", 1.2]],
    ],
    ["cmd:ls -la /srv", [["command", "ls -la /srv", "ls /srv", 1.2]]],
    ["recmd: ls", []],
    ["command: --only", []],
    ["nothing here", []],
  ])("in %j", (text, anchors) => {
    expect(found(text)).toEqual(anchors);
  });

  it("is known by its first three words without options and settings", () => {
    expect(commandKey("  FOO=1   Git  -C x   Push --force origin main ")).toBe("git x push");
    expect(commandKey("-a --b C=d")).toBe("");
    expect(commandKey(`a ${"b".repeat(300)}`)).toBe(`a ${"b".repeat(198)}`);
  });
});

describe("a token", () => {
  const found = (text: string) =>
    tokenAnchors(text).map(({ kind, key, weight }) => `${kind} ${key} ${weight}`);

  it.each<[string, string[]]>([
    ["https://A.org/b/", ["url https://a.org/b 2"]],
    ["https://a.org/b\u2000c", ["url https://a.org/b 2"]],
    ["2026-04-21T08:05", ["date 2026-04-21 2", "time 08:05 0.5"]],
    ["at 08:05", ["time 08:05 0.5"]],
    ["1.2.3", ["identifier 1.2.3 1.5"]],
    ["1.2.3.4-rc.1", ["identifier 1.2.3.4-rc.1 1.5"]],
    ["99", []],
    ["100", ["number 100 1.2"]],
    ["99.5", ["number 99.5 2"]],
    ["5ms", ["number 5 ms 2"]],
    ["5 ms", ["number 5 ms 2"]],
    ["5\u00a0ms", ["number 5 ms 2"]],
    ["5 msx", []],
    ["GR8-2207 ms", ["identifier gr8-2207 3"]],
    ["120 volt", ["number 120 1.2"]],
    ["25 %", ["number 25 % 2"]],
    ["src/a.ts", ["path src/a.ts 2.5"]],
    ["#1234567", ["identifier #1234567 2"]],
    ["#12345678", []],
    ["9f3c1e7", ["identifier 9f3c1e7 2.5"]],
    ["9f3c1e", ["identifier 9f3c1e 3"]],
    ["defaced", []],
    ["agent:main", ["identifier agent:main 1.5"]],
    ["Module::member", ["identifier module::member 1.5"]],
    ["a:bcd", []],
    ["a.//b", []],
    ["ab::cd", ["identifier ab::cd 1.5"]],
    ["me@host", ["identifier me@host 1.5"]],
    ["VX-40417", ["identifier vx-40417 3"]],
    ["VX-40", ["identifier vx-40 1.5"]],
    ["x1y", ["identifier x1y 1.5"]],
    ["q7", ["identifier q7 0.7"]],
    ["3rd 21st 10x 5-minute 5-minute-old 20s", ["number 10 x 2", "number 20 s 2"]],
    ["snake_case", ["identifier snake_case 2.2"]],
    ["größe_case", ["identifier größe_case 2.2"]],
    ["größe__maß", ["identifier größe__maß 2.2"]],
    ["this.settings", ["identifier this.settings 2"]],
    ["österreich.wert", ["identifier österreich.wert 2"]],
    ["a.bcd", []],
    ["fooBar", ["identifier foobar 2"]],
    ["foB", []],
    ["eBay", ["identifier ebay 2"]],
    ["TypeScript", []],
    ["GitHub", []],
    ["--flag", []],
    ["HTTP", ["name http 0.6"]],
    ["HT", []],
    ["then Maren left", ["name maren 0.6"]],
    ["Maren left", []],
    ["end. Maren left", []],
    ["so,   Maren left", ["name maren 0.6"]],
    ["so,    Maren left", []],
    ["is; Maren", ["name maren 0.6"]],
    ["the Ab", []],
    ["</file>", []],
    ["on 9 March 2026 at 5 V", ["date 2026-03-09 2", "number 5 v 2"]],
    ["on March 9", ["date 03-09 2"]],
  ])("of %j", (text, anchors) => {
    expect(found(text)).toEqual(anchors);
  });

  it("is no longer than 240 characters", () => {
    expect(found(`x1${"a".repeat(238)}`)).toHaveLength(1);
    expect(found(`x1${"a".repeat(239)}`)).toEqual([]);
  });
});

describe("a table of anchors", () => {
  it("keeps values by kind and key", () => {
    const table = new AnchorTable<number>();
    const one = anchor("name", "A", "a", 1);
    expect(table.get(one)).toBeUndefined();
    table.set(one, 1);
    table.set(anchor("name", "B", "b", 1), 2);
    table.set(anchor("path", "a", "a", 1), 3);
    expect(table.get(anchor("name", "other text", "a", 9))).toBe(1);
    expect(table.get(anchor("name", "", "b", 1))).toBe(2);
    expect(table.get(anchor("path", "", "a", 1))).toBe(3);
    expect(table.get(anchor("path", "", "b", 1))).toBeUndefined();
    table.set(one, 4);
    expect(table.get(one)).toBe(4);
  });
});
