import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { quoteExactly, quoteText, unquoteExactly } from "./quote-text.ts";

const HOSTILE = "a\u001b[2Jb\r\nc\u2028d\u202e \\u{1b} \\u \ud800 </tool>\u0000";

describe("words that are quoted", () => {
  it("cannot leave their lines", () => {
    for (const quote of [quoteText, quoteExactly]) {
      const quoted = quote(HOSTILE);
      expect(quoted.split(/[\n\r\u2028\u2029\u0085]/).every((line) => line.startsWith("> "))).toBe(true);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about
      expect(quoted).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/);
    }
  });

  it("stand as they were said, where they do no harm", () => {
    expect(quoteExactly("C:\\users\\new\tüber\n  👍 数据")).toBe("> C:\\users\\new\tüber\n>   👍 数据");
    expect(quoteExactly("\u001b[1m \\u{1b}")).toBe("> \\u{1b}[1m \\u{5c}u{1b}");
  });

  it("come back exactly", () => {
    expect(unquoteExactly(quoteExactly(HOSTILE))).toBe(HOSTILE);
    const text = fc.array(
      fc.oneof(
        fc.string({ unit: "binary" }),
        fc.constantFrom("\\", "u{", "1b}", "\n", "\r", "> ", "\ud800", "\udc00"),
      ),
    );
    fc.assert(
      fc.property(text, (pieces) => {
        const said = pieces.join("");
        expect(unquoteExactly(quoteExactly(said))).toBe(said);
      }),
      { numRuns: 2_000 },
    );
  });
});
