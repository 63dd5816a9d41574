import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { clip, cutMiddle } from "./cut-text.ts";
import { hideBase64 } from "./hide-base64.ts";

describe("a cut in the middle", () => {
  it("keeps both ends and says how much is gone", () => {
    const text = `first line\n${"x".repeat(5_000)}\nlast line`;
    const cut = cutMiddle(text, 400);
    expect(cut.startsWith("first line")).toBe(true);
    expect(cut.endsWith("last line")).toBe(true);
    const left = Number(/\[… ([\d,]+) characters left out …\]/.exec(cut)?.[1]?.replaceAll(",", ""));
    expect(cut.length - `\n[… ${left.toLocaleString("en-US")} characters left out …]\n`.length).toBe(
      text.length - left,
    );
  });

  it("leaves short text as it is", () => {
    expect(cutMiddle("short", 3)).toBe("short");
  });

  it("never splits a surrogate pair", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 60 }),
        fc.string({ unit: "grapheme", minLength: 150, maxLength: 400 }),
        (limit, text) => {
          expect(cutMiddle(text, limit).isWellFormed()).toBe(text.isWellFormed());
          expect(clip(text, limit).isWellFormed()).toBe(text.isWellFormed());
        },
      ),
    );
  });
});

describe("a clipped line", () => {
  it.each([
    ["short", 10, "short"],
    ["one two three four", 15, "one two three…"],
    ["絶対に切らないでください", 6, "絶対に切ら…"],
  ])("%j at %i is %j", (text, limit, clipped) => {
    expect(clip(text, limit)).toBe(clipped);
  });
});

describe("base64", () => {
  const encoded = Buffer.from(Array.from({ length: 600 }, (_, i) => (i * 197 + 31) % 256)).toString("base64");

  it("is named, not shown", () => {
    expect(hideBase64(`before ${encoded} after`)).toBe("before [800 characters of base64] after");
    expect(hideBase64(`![x](data:image/png;base64,${encoded})`)).toBe("![x]([822 characters of base64])");
  });

  it("is not seen in long paths, rulers and words", () => {
    for (const text of [
      `/${"folder/".repeat(60)}file`,
      "-".repeat(400),
      "a".repeat(400),
      "A1b2".repeat(30),
      "Folder1/sub2/".repeat(40),
    ])
      expect(hideBase64(text)).toBe(text);
  });
});
