import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Kind } from "./exploration.ts";
import { explore } from "./explore.ts";
import { exploreBytes, exploreText } from "./testing/explore-text.ts";

const ROWS = "id,name,count\n1,one,2\n2,two,3\n3,three,4\n4,four,5\n";

describe("an exploration", () => {
  it.each<[string, string | undefined, Kind]>([
    ['{"a": [1, 2]}', "data.txt", "json"],
    ['{"a":1}\n{"a":2}\n', "server.log", "jsonl"],
    ["This is not JSON at all.\n", "data.json", "text"],
    [
      "[2024-01-01 10:00:00] INFO a\n[2024-01-01 10:00:01] INFO b\n[2024-01-01 10:00:02] INFO c\n",
      undefined,
      "log",
    ],
    [ROWS, undefined, "csv"],
    [ROWS, "table.txt", "csv"],
    [
      "Hello, this is a letter, with commas, in it.\nAnd so on, and on, and on, forever.\n",
      undefined,
      "text",
    ],
    ["a: 1\nb:\n  - x\n  - y\nc: {d: e}\nf: g\nh: i\n", undefined, "yaml"],
    ["---\nname: x\non: push\n", "ci.txt", "yaml"],
    ["<?xml version='1.0'?><a><b/></a>", "data.json", "xml"],
    ["<svg width='1'><path d='M0'/></svg>", undefined, "xml"],
    ["#!/usr/bin/env python3\nprint(1)\n", "tool", "code"],
    ["# Title\n\nSome **bold** words.\n\n## Next\n\n- a\n- b\n", undefined, "markdown"],
    ["plain words", "a.unknown", "text"],
    ["", "a.csv", "empty"],
    ["  \n\n ", "a.json", "empty"],
  ])("takes %j named %s for %s", async (text, name, kind) => {
    expect((await exploreText(text, name === undefined ? {} : { name })).kind).toBe(kind);
  });

  it.each<[string, string, Kind]>([
    ["x = 1\n", "text/x-python", "code"],
    ["a\tb\n1\t2\n", "text/csv", "csv"],
    ["Just a line.\n", "text/markdown", "markdown"],
    ["key: value\n", "application/yaml", "yaml"],
    ['{"broken": 1, oops}', "application/json", "json"],
  ])("takes %j of type %s for %s", async (text, mime, kind) => {
    expect((await exploreText(text, { mime })).kind).toBe(kind);
  });

  it.each<[string, number[], string]>([
    [
      "PNG",
      [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 73, 72, 68, 82, 0, 0, 1, 0, 0, 0, 0, 128],
      "PNG image, 24 bytes, 256 × 128 pixels",
    ],
    ["ZIP", [0x50, 0x4b, 3, 4, 0, 0, 0, 0], "ZIP archive"],
    ["SQLite", [...Buffer.from("SQLite format 3\0\0\0\0")], "SQLite database"],
    ["unknown", [0, 1, 2, 3, 255, 254, 0, 7], "Binary data of an unknown kind"],
  ])("names %s bytes by their magic", async (_, bytes, title) => {
    const exploration = await exploreBytes(Uint8Array.from(bytes), { name: "a.txt" });
    expect(exploration.kind).toBe("binary");
    expect(exploration.title).toContain(title);
  });

  it.each<[string, Buffer, string]>([
    ["a byte order mark", Buffer.from(`\ufeff${ROWS}`), "4 rows, 3 columns"],
    ["UTF-16 with a mark", Buffer.from(`\ufeff${ROWS}`, "utf16le"), "UTF-16"],
    ["UTF-16 without one", Buffer.from(ROWS, "utf16le"), "UTF-16"],
    ["UTF-16, big end first", Buffer.from(`\ufeff${ROWS}`, "utf16le").swap16(), "UTF-16"],
    [
      "Latin letters",
      Buffer.from(ROWS.replaceAll("one", "naïve Größe"), "latin1"),
      "not UTF-8, read as Latin",
    ],
    [
      "some bytes that are no UTF-8",
      Buffer.concat([
        Buffer.from(ROWS.replaceAll("one", "naïve Größe über").repeat(9)),
        Buffer.from([0xc3, 0x28]),
      ]),
      "1 character not valid UTF-8",
    ],
  ])("reads text with %s", async (_, bytes, fact) => {
    const { kind, title } = await exploreBytes(bytes, { name: "a.csv" });
    expect(kind).toBe("csv");
    expect(title).toContain(fact);
  });

  it("is the same however the content is cut, fits, and begins with its title", async () => {
    const piece = fc.constantFrom(
      ...'{"a": 1}|[|]|,|\n|a: b|- x|# H|<a>|</a>|1,2,3|2024-01-01 10:00:00 ERROR x|word|"|\'|`|é|漢字|\t|diff --git a/b b/b|@@ -1 +1 @@'.split(
        "|",
      ),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { maxLength: 60 }),
        fc.integer({ min: 1, max: 9 }),
        async (pieces, size) => {
          const bytes = Buffer.from(pieces.join(""));
          const whole = await exploreBytes(bytes);
          expect(await exploreBytes(bytes, { piece: size })).toEqual(whole);
          expect(whole.tokens).toBeLessThanOrEqual(400);
          expect(whole.text.startsWith(whole.title)).toBe(true);
        },
      ),
    );
  });

  it.each([
    ["a.json", '{\n"a": 1,\n"b": 2}'],
    ["a.jsonl", '{"a":1}\n{"a":2}\n{"a":3}'],
    ["a.csv", "a,b\n1,2\n3,4"],
    ["a.yaml", "a: 1\nb: 2\nc: 3"],
    ["a.xml", "<?xml version='1.0'?>\n<a>\n<b/></a>"],
    ["a.log", "2024-01-01 10:00:00 ERROR one\n2024-01-01 10:00:01 INFO two\n at trace"],
    ["a.ts", "const a = 1;\nexport function f() {}\nlet b = 2;"],
    ["a.kt", "fun a() {}\nclass B\nfun f() {}"],
    ["a.md", "# A\n\nSome words."],
    ["a.txt", "one\ntwo\nthree"],
    ["a.ipynb", '{"cells": [],\n"metadata": {},\n"nbformat": 4}'],
    ["a.diff", "diff --git a/b b/b\nold mode 1\nnew mode 2"],
  ])("counts the last line of %s whether or not a line feed ends it", async (name, text) => {
    for (const [end, lines] of [["", 3] as const, ["\n", 3] as const, ["\n\n", 4] as const])
      expect((await exploreText(text + end, { name })).title).toContain(` bytes, ${lines} lines`);
  });

  it("stops when it is told to, and when reading fails", async () => {
    const input = { name: null, mime: null, bytes: 5 };
    const open = async function* () {
      yield Buffer.from("words");
    };
    await expect(explore({ ...input, open, signal: AbortSignal.abort() })).rejects.toThrow("aborted");
    const fails = async function* () {
      yield Buffer.from("words");
      throw new Error("the disk is gone");
    };
    await expect(explore({ ...input, open: fails })).rejects.toThrow("the disk is gone");
  });

  it("never goes beyond 400 tokens, however much there is to say", async () => {
    const wide = `${Array.from({ length: 900 }, (_, i) => `column name ${i}`).join(",")}\n${"1,".repeat(899)}1\n`;
    const { tokens, text } = await exploreText(wide, { name: "wide.csv" });
    expect(tokens).toBeLessThanOrEqual(400);
    expect(tokens).toBeGreaterThan(200);
    expect(text).toMatch(/… and \d+ more$/);
  });
});
