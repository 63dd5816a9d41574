import { describe, expect, it } from "vitest";
import { isEncodedBytes } from "./strings-inside.ts";

describe("encoded bytes", () => {
  it("are told from words", () => {
    expect(isEncodedBytes("QUJDabc0".repeat(200))).toBe(true);
    expect(isEncodedBytes(`data:${"x".repeat(2_000)}`)).toBe(true);
    expect(isEncodedBytes("words and more words ".repeat(200))).toBe(false);
    expect(isEncodedBytes("abc".repeat(800))).toBe(false);
  });

  it("may be 60 MB long, also when the expressions have been compiled", () => {
    for (let i = 0; i < 1_000; i++) isEncodedBytes("QUJDabc0".repeat(200));
    expect(isEncodedBytes("QUJDabc0".repeat(7_500_000))).toBe(true);
  });
});
