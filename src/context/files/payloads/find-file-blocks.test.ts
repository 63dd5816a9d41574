import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findFileBlocks } from "./find-file-blocks.ts";

function contents(text: string): string[] {
  return findFileBlocks(text).map(({ contentStart, contentEnd }) => text.slice(contentStart, contentEnd));
}

describe("finding file blocks", () => {
  it("finds name, type and content in both forms", () => {
    const text =
      'Look:\n<file name="paper.pdf" mime="application/pdf">\nwords\n</file>\nand <file name="b.txt">x</file>.';
    const [first, second, ...more] = findFileBlocks(text);
    expect(more).toEqual([]);
    expect(first).toMatchObject({ name: "paper.pdf", mime: "application/pdf", start: 6 });
    expect(text.slice(first?.contentStart, first?.contentEnd)).toBe("\nwords\n");
    expect(text.slice(first?.start, first?.end)).toMatch(/^<file .*<\/file>$/s);
    expect(second).toMatchObject({ name: "b.txt", mime: null });
  });

  it.each([
    [`<file name='it "is".txt'>x</file>`, 'it "is".txt'],
    [`<file mime="text/plain" name="a&amp;b &lt;1&gt; &#8364; &#x1F600;">x</file>`, "a&b <1> € 😀"],
    [`<file\n  name="two lines"\n  mime="a/b"\n>x</file  >`, "two lines"],
    [`<file name="a > b.txt">x</file>`, "a > b.txt"],
    ["<file name=plain.txt>x</file>", "plain.txt"],
    [`<file name="&unknown; &#0; &#xD800;">x</file>`, "&unknown; &#0; &#xD800;"],
    [`<file name="" >x</file>`, ""],
    [`<file name="first" name="second">x</file>`, "first"],
    [`<FILE NAME="loud.txt">x</FILE>`, "loud.txt"],
    [`<File Name="mixed.txt">x</file>`, "mixed.txt"],
  ])("reads the attributes of %s", (text, name) => {
    expect(findFileBlocks(text)).toMatchObject([{ name }]);
    expect(contents(text)).toEqual(["x"]);
  });

  it.each([
    ['<file filename="a.txt">', "a.txt", null],
    ['<file path="src/a.ts" type="text/typescript">', "src/a.ts", "text/typescript"],
    ['<file src="a.png" type="image/png">', "a.png", "image/png"],
    ['<file src="4" path="3" filename="2" name="1" type="c/d" mime="a/b">', "1", "a/b"],
    ['<file src="4" path="3" filename="2">', "2", null],
    ['<file src="4" path="3">', "3", null],
  ])("understands what others call name and type: %s", (tag, name, mime) => {
    expect(findFileBlocks(`${tag}x</file>`)).toMatchObject([{ name, mime }]);
  });

  it("takes the outermost of nested blocks", () => {
    const inner = '<file name="in">1</file>';
    expect(contents(`<file name="out">a${inner}b${inner}c</file>`)).toEqual([`a${inner}b${inner}c`]);
    expect(contents(`<file name="out">a<file>b</file>c</file>`)).toEqual(["a<file>b</file>c"]);
  });

  it("leaves what is never closed as it is, and finds what is closed inside of it", () => {
    expect(contents('<file name="open">text')).toEqual([]);
    expect(contents('<file name="open">a<file name="whole">b</file>c')).toEqual(["b"]);
    expect(contents('</file><file name="a">b</file></file>')).toEqual(["b"]);
  });

  it.each([
    "<file>x</file>",
    '<files name="a">x</files>',
    '<file title="a" type="text/plain">x</file>',
    '<file name="a"/>',
    '<file name="a>x</file>',
    "<file name=>x</file>",
    "<filename>x</file>",
    '< file name="a">x</file>',
  ])("finds nothing in %s", (text) => {
    expect(findFileBlocks(text)).toEqual([]);
  });

  const piece = fc.constantFrom(
    ...[
      '<file name="a">',
      "<file name='b' mime=\"c/d\">",
      "<file>",
      "</file>",
      "</file >",
      "<file ",
      "<",
      ">",
      '"',
      "'",
      "text",
      "\n",
    ],
  );

  it("gives ranges that lie in order, beside each other, and around whole blocks", () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const text = pieces.join("");
        let before = 0;
        for (const { start, end, contentStart, contentEnd } of findFileBlocks(text)) {
          expect(start).toBeGreaterThanOrEqual(before);
          expect(text.slice(start, contentStart)).toMatch(/^<file\s[\s\S]*>$/);
          expect(text.slice(contentEnd, end)).toMatch(/^<\/file\s*>$/);
          expect(contentStart).toBeLessThanOrEqual(contentEnd);
          before = end;
        }
      }),
    );
  });

  it("finds every block that was put between other words", () => {
    const words = fc
      .string({ unit: fc.constantFrom(..."abc <>\"'&/\n") })
      .filter((text) => !text.includes("<file") && !text.includes("</file"));
    fc.assert(
      fc.property(fc.array(fc.tuple(words, words), { maxLength: 8 }), (parts) => {
        const text = parts.map(([before, inside]) => `${before}\n<file name="n">${inside}</file>`).join("");
        expect(contents(text)).toEqual(parts.map(([, inside]) => inside));
      }),
    );
  });

  it.each([
    "<file ",
    '<file name="a">',
    '<file name="',
    "</file",
    `<file a='<file b="`,
    '<file name="a"></file>',
    "<file name=a ",
    `<file${" ".repeat(50)}`,
  ])("takes twice as long for twice as much of %s", (unit) => {
    const small = unit.repeat(Math.ceil(500_000 / unit.length));
    findFileBlocks(small);
    const once = shortest(() => findFileBlocks(small));
    const twice = shortest(() => findFileBlocks(small + small));
    expect(twice).toBeLessThan(6 * once + 50);
  });
});

/** CPU time in milliseconds, because other processes may be running. */
function shortest(run: () => unknown): number {
  const times = Array.from({ length: 3 }, () => {
    const before = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.min(...times);
}
