import { describe, expect, it } from "vitest";
import { utf16Border } from "./utf16-border.ts";

describe("a position in UTF-16", () => {
  const text = Buffer.from("a\nb😀c", "utf16le");

  it.each([
    ["where a character begins stays", 0, 0],
    ["inside of a character goes back", 1, 0],
    ["inside of a line feed goes on behind it", 3, 4],
    ["between the halves of a pair goes back", 8, 6],
    ["inside of the second half goes back", 9, 6],
    ["at the end stays", 12, 12],
  ])("%s", (_, position, border) => {
    expect(utf16Border(text, position, { isOdd: false, encoding: "utf-16le" })).toBe(border);
    const swapped = Buffer.from(text).swap16();
    expect(utf16Border(swapped, position, { isOdd: false, encoding: "utf-16be" })).toBe(border);
    const later = Buffer.concat([Buffer.from([0]), text]);
    expect(utf16Border(later, position + 1, { isOdd: true, encoding: "utf-16le" })).toBe(border + 1);
  });

  it("at the second half of the first character goes back to its beginning", () => {
    const pair = Buffer.from("😀", "utf16le");
    expect(utf16Border(pair, 2, { isOdd: false, encoding: "utf-16le" })).toBe(0);
    expect(utf16Border(pair.subarray(2), 0, { isOdd: false, encoding: "utf-16le" })).toBe(0);
  });

  it("at a half that is cut off says nothing of a pair", () => {
    const cut = Buffer.from("a😀", "utf16le").swap16().subarray(0, 5);
    expect(utf16Border(cut, 4, { isOdd: false, encoding: "utf-16be" })).toBe(4);
  });
});
