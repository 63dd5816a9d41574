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
});
