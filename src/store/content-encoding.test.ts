import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeContent, encodeContent } from "./content-encoding.ts";

describe("content encoding", () => {
  it("keeps short text as text and compresses longer content where that saves room", () => {
    expect(encodeContent("a".repeat(2048))).toEqual({ encoding: "text", stored: "a".repeat(2048) });
    expect(encodeContent("a".repeat(2049)).encoding).toBe("zstd");
    expect(encodeContent("é".repeat(1024)).encoding).toBe("text");
    expect(encodeContent("é".repeat(1025)).encoding).toBe("zstd");
    expect(encodeContent(randomBytes(5_000)).encoding).toBe("bytes");
  });

  it("keeps what no text column can hold as bytes", () => {
    expect(encodeContent("a\0b").encoding).toBe("bytes");
    expect(encodeContent(Uint8Array.of(0xff)).encoding).toBe("bytes");
    expect(encodeContent(Buffer.from("plain")).encoding).toBe("text");
  });

  it("gives every text and all bytes back, from whichever form the engine hands out", () => {
    const text = fc.string({ unit: "binary", maxLength: 5_000 }).filter((value) => value.isWellFormed());
    fc.assert(
      fc.property(fc.oneof(text, fc.uint8Array({ maxLength: 5_000 })), (content) => {
        const { encoding, stored } = encodeContent(content);
        const bytes = Buffer.from(content);
        for (const form of [stored, typeof stored === "string" ? Buffer.from(stored) : stored]) {
          const decoded = decodeContent(encoding, form);
          expect(Buffer.from(decoded ?? "missing").equals(bytes)).toBe(true);
          if (typeof decoded === "string") expect(decoded).not.toContain("\0");
        }
      }),
    );
  });

  it.each([2_049, 5_000, 65_535, 65_536, 65_791, 65_792, 300_000])(
    "gives %i bytes back that were compressed",
    (length) => {
      const content = "compress ".repeat(length).slice(0, length);
      const { encoding, stored } = encodeContent(content);
      expect([encoding, decodeContent(encoding, stored) === content]).toEqual(["zstd", true]);
    },
  );

  it("gives null for what was erased, and a damaged frame as it lies there", () => {
    expect(decodeContent("erased", null)).toBeNull();
    expect(decodeContent(null, null)).toBeNull();
    expect(decodeContent("zstd", Buffer.from("no frame"))).toBe("no frame");
  });
});
