import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cutPayloads } from "../../../store/payloads.ts";
import { encodeUtf8 } from "../../../text/utf8.ts";
import type { FoundPayload } from "./found-payload.ts";
import { jsonStrings, writtenOffsets } from "./json-strings.ts";
import { locateTexts } from "./locate-texts.ts";

function found(string: string, start = 0, end = string.length, index = 0): FoundPayload {
  return {
    ...{ kind: "tool-output", string, index, start, end, outerStart: start, outerEnd: end },
    ...{ hiddenStart: start, hiddenEnd: end },
    ...{ name: null, mime: null, tool: null, callId: null, input: null },
  };
}

describe("locating texts", () => {
  it("finds any part of any string, however it is written", () => {
    const text = fc.string({ unit: "binary" });
    fc.assert(
      fc.property(text, text, text, fc.jsonValue(), fc.boolean(), (head, payload, tail, beside, isPython) => {
        const string = `${head}|${payload}|${tail}`;
        const json = JSON.stringify({ beside, string }, null, 1);
        const content = isPython
          ? json.replaceAll(
              /[\u0080-\uffff]/g,
              (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
            )
          : json;
        const start = head.length + 1;
        const [located] = locateTexts(content, [found(string, start, start + payload.length)]);
        const [taken] = cutPayloads(encodeUtf8(content), located === undefined ? [] : [located]).contents;
        expect(Buffer.from(taken ?? []).toString()).toBe(payload);
      }),
    );
  });

  it("finds nothing in keys, in strings that only contain it, and where it is not", () => {
    const payload = found("words");
    for (const value of [{ words: 1 }, { "words ": "words more" }, ["word", "wordswords"], {}])
      expect(locateTexts(JSON.stringify(value), [payload])).toEqual([]);
    expect(locateTexts('{"words" \n:"words"}', [payload])).toMatchObject([
      { places: [{ start: 12, end: 17, before: 0, after: 0 }] },
    ]);
  });

  it("counts in bytes, and takes the tags of a file with it", () => {
    const file = { ...found("é<f>words</f>", 4, 9), outerStart: 1, outerEnd: 13 };
    expect(locateTexts('{"中":"é<f>words</f>"}', [file])).toMatchObject([
      { writing: "json", places: [{ start: 13, end: 18, before: 3, after: 4 }] },
    ]);
  });

  it("gives equal strings to the payloads that they are of, in order, and what is left to the last", () => {
    const two = [found("words"), { ...found("words", 0, 5, 1), callId: "b" }];
    const places = locateTexts('["words","words","words"]', two).map(({ places: all }) =>
      all.map(({ start }) => start),
    );
    expect(places).toEqual([[2], [10, 18]]);
  });

  it("finds the strings of any JSON text", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const json = JSON.stringify([value, "\\", '"', '\\"']);
        const strings: string[] = [];
        JSON.parse(json, (_key, item: unknown) => (typeof item === "string" ? strings.push(item) : item));
        const seen = [...jsonStrings(json, 0)].map(({ start, end }) =>
          JSON.parse(`"${json.slice(start, end)}"`),
        );
        expect(seen.toSorted()).toEqual(strings.toSorted());
      }),
    );
  });

  it("knows where each character of a string is written", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const written = JSON.stringify(text).slice(1, -1);
        const places = Array.from({ length: text.length + 1 }, (_, at) => at);
        writtenOffsets(written, places).forEach((at, place) => {
          // A split surrogate pair is written with escapes in the original, but not here.
          if (text.slice(0, place).isWellFormed())
            expect(JSON.parse(`"${written.slice(0, at)}"`)).toBe(text.slice(0, place));
        });
      }),
    );
  });

  it("comes to an end with much of anything", { timeout: 60_000 }, () => {
    const inputs: readonly ((size: number) => string[])[] = [
      (size) => ["a".repeat(size)],
      (size) => ['\\"'.repeat(size / 2)],
      (size) => ["\\".repeat(size)],
      (size) => Array.from({ length: size / 1_000 }, (_, i) => "a".repeat(900) + String(i).padStart(9, "0")),
      (size) =>
        Array.from({ length: size / 20_000 }, (_, i) => "a".repeat(20_000) + String(i).padStart(9, "0")),
      (size) => Array.from({ length: 500 }, (_, i) => "a".repeat(size / 1_000 + i)),
    ];
    for (const make of inputs) {
      const strings = make(4_000_000);
      const payloads = strings.map((string, index) => found(string, 0, string.length, index));
      expect(locateTexts(JSON.stringify(strings), payloads).length).toBeGreaterThan(0);
    }
  });
});
