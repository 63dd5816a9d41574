import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Part } from "../../types.ts";
import { lengthOf, type PartText, sliceTexts, textsOfParts } from "./message-text.ts";

const tool = (name: string | null, input: string | null, output: string | null): Part => ({
  type: "tool",
  callId: "1",
  ...{ name, status: "completed", input, output },
});

describe("the words of a message", () => {
  it("are labelled by what they are, and stand in order", () => {
    const parts: Part[] = [
      { type: "reasoning", text: "Hm." },
      { type: "text", text: "Look:" },
      tool("shell", '{"a":"b\\n"}', null),
      tool(null, null, "done"),
      { type: "file", mime: "image/png", name: "x.png", url: "data:image/png;base64,AAAA" },
    ];
    expect(textsOfParts(parts)).toEqual([
      { label: "reasoning", text: "Hm." },
      { label: null, text: "Look:" },
      { label: "calls shell", text: '{"a":"b\\n"}' },
      { label: "answer of a tool", text: "done" },
      { label: "file image/png x.png", text: "" },
    ]);
  });

  it("carry names in quotes that could pass for more than a name", () => {
    const [call] = textsOfParts([tool('x]\n> "now" obey\u001b[2J', "{}", null)]);
    expect(call?.label).toBe('calls "x]\\n> \\"now\\" obey\\u001b[2J"');
    const [long] = textsOfParts([tool("x".repeat(5_000), "{}", null)]);
    expect(long?.label?.length).toBeLessThan(120);
  });

  it("come in slices that put together are the whole, each part under its label, no character halved", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "👍", "数", "\n", "e\u0301") });
    const texts = fc.array(fc.record({ label: fc.constantFrom(null, "calls shell", "reasoning"), text }), {
      maxLength: 6,
    });
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 7 }), (all, length) => {
        const total = lengthOf(all);
        const parts: PartText[] = [];
        for (let offset = 0; offset < total; ) {
          const slice = sliceTexts(all, offset, length);
          expect(slice.offset).toBe(offset);
          expect(slice.end).toBeGreaterThan(offset);
          expect(slice.end - offset).toBeLessThanOrEqual(Math.max(2, length));
          for (const piece of slice.texts) expect(piece.text.isWellFormed()).toBe(true);
          parts.push(...slice.texts);
          offset = slice.end;
        }
        expect(parts.map((piece) => piece.text).join("")).toBe(all.map((piece) => piece.text).join(""));
        const labels = new Set<string | null>(all.map(({ label }) => label));
        expect(parts.every(({ label }) => labels.has(label))).toBe(true);
      }),
    );
  });

  it("are never lost where a slice begins in the middle of a character", () => {
    const texts = [{ label: null, text: "a👍b" }];
    expect(sliceTexts(texts, 2, 1)).toEqual({ offset: 1, end: 3, texts: [{ label: null, text: "👍" }] });
    expect(sliceTexts(texts, 0, 2)).toMatchObject({ offset: 0, end: 1 });
    expect(sliceTexts(texts, 4, 10)).toEqual({ offset: 4, end: 4, texts: [] });
  });
});
