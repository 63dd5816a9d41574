import fc from "fast-check";
import { countTokens } from "gpt-tokenizer";
import { describe, expect, it } from "vitest";
import { estimateTokens } from "./estimate-tokens.ts";
import { idIn, isMessageId, messageId, newConversationId, newFileId, parseMessageId } from "./identifiers.ts";
import { splitLines } from "./split-lines.ts";
import { normaliseTimestamp } from "./timestamps.ts";
import { decodeExactly } from "./utf8.ts";

describe("token estimate", () => {
  it.each([
    ["", 0],
    ["a", 1],
    ["abcd", 1],
    ["abcde", 2],
    ["日", 2],
    ["日本", 3],
    ["ひらがな", 6],
    ["한국어", 5],
    ["。", 2],
    ["🥛", 2],
    ["𠀀", 2],
    ["aé日🥛", 4],
    ["\ud800", 1],
  ])("of %j is %i", (text, tokens) => {
    expect(estimateTokens(text)).toBe(tokens);
  });

  it("is the sum over code points, rounded up", () => {
    const weigh = (character: string) => {
      const point = character.codePointAt(0) ?? 0;
      return point > 0xffff
        ? 2
        : /[\u2e80-\u9fff\uac00-\ud7ff\uf900-\ufaff\uff00-\uffef\ufe30-\ufe4f\u1100-\u11ff\ua960-\ua97f]/.test(
              character,
            )
          ? 1.5
          : 0.25;
    };
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(estimateTokens(text)).toBe(
          Math.ceil([...text].reduce((sum, character) => sum + weigh(character), 0)),
        );
      }),
    );
  });

  it("lies near a real tokenizer for prose", () => {
    const prose =
      "The dome motor stalled twice during the night, so we lowered the slew rate to four degrees per second. ";
    expect(estimateTokens(prose) / countTokens(prose)).toBeGreaterThan(0.7);
    expect(estimateTokens(prose) / countTokens(prose)).toBeLessThan(1.5);
  });
});

describe("timestamps", () => {
  it.each([
    ["2026-03-01T10:00:00Z", "2026-03-01T10:00:00.000Z"],
    ["2026-03-01T10:00:00.123+02:00", "2026-03-01T08:00:00.123Z"],
    [1_772_359_200_123, "2026-03-01T10:00:00.123Z"],
    [1_772_359_200, "2026-03-01T10:00:00.000Z"],
    ["Tue Mar 31 2026 10:31:29 GMT+0530", "2026-03-31T05:01:29.000Z"],
    ["2026-01-31T00:00:00+14:00", "2026-01-30T10:00:00.000Z"],
    ["Feb 29 2024 10:30 GMT", "2024-02-29T10:30:00.000Z"],
    ["Feb 30 2026", undefined],
    ["February 29, 2026", undefined],
    ["30 Feb 2026 10:00 UTC", undefined],
    ["4/31/2026", undefined],
    ["yesterday", undefined],
    ["", undefined],
    [Number.NaN, undefined],
    ["+275760-09-13T00:00:00.000Z", undefined],
    ["0000-01-01T00:00:00Z", undefined],
    [null, undefined],
  ])("%j becomes %j", (value, expected) => {
    expect(normaliseTimestamp(value)).toBe(expected);
  });
});

describe("identifiers", () => {
  it("names files by chance", () => {
    const id = newFileId((size) => new Uint8Array(size).fill(0xab));
    expect(id).toBe("file_abababababababab");
  });

  it("of messages name their conversation and place", () => {
    const conversation = newConversationId(() => Uint8Array.of(0, 1, 2, 3, 4, 5, 6, 255));
    expect(conversation).toBe("conv_00010203040506ff");
    expect(parseMessageId(messageId(conversation, 42))).toEqual({ conversation, seq: 42 });
    expect(isMessageId("msg_00010203040506ff_0")).toBe(false);
    expect(() => parseMessageId("msg_x")).toThrow(/not a message id/);
  });

  it.each([
    ["[sum_00010203040506ff]", "sum_00010203040506ff"],
    [" msg_00010203040506ff_42\n", "msg_00010203040506ff_42"],
    ['"CONV_00010203040506FF"', "conv_00010203040506ff"],
    ["(`mem_00010203`).", "mem_00010203"],
    ["“File_00010203040506ff”,", "file_00010203040506ff"],
    ["[LCM File: file_00010203040506ff | a.txt]", "[LCM File: file_00010203040506ff | a.txt]"],
    ["[my session]", "[my session]"],
    ["SUM_total", "SUM_total"],
  ])("are found in %j", (text, id) => {
    expect(idIn(text)).toBe(id);
  });
});

describe("bytes and lines", () => {
  it("decode exactly or not at all", () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        const text = decodeExactly(bytes);
        if (text !== undefined) expect(Buffer.from(text, "utf8").equals(Buffer.from(bytes))).toBe(true);
      }),
    );
    expect(decodeExactly(Buffer.from("\ufeffbom"))).toBe("\ufeffbom");
    expect(decodeExactly(Uint8Array.of(97, 0))).toBeUndefined();
    expect(decodeExactly(Uint8Array.of(0xed, 0xa0, 0x80))).toBeUndefined();
  });

  it("end at a line feed and at nothing else", async () => {
    async function* chunks() {
      yield Buffer.from("a\u2028b\r");
      yield Buffer.from("\nc\u0085");
    }
    const lines = [];
    for await (const line of splitLines(chunks()))
      lines.push([Buffer.from(line.bytes).toString(), line.terminated]);
    expect(lines).toEqual([
      ["a\u2028b\r", true],
      ["c\u0085", false],
    ]);
  });
});
