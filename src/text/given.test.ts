import { describe, expect, it } from "vitest";
import { z } from "zod";
import { parseGiven } from "./given.ts";

const schema = z.strictObject({ text: z.string(), key: z.custom<string>(), limit: z.int().exactOptional() });

describe("what was given", () => {
  it("must be an object", () => {
    for (const given of [undefined, null, "text"])
      expect(() => parseGiven("memory.store", schema, given)).toThrow("memory.store needs an object");
  });

  it("is told what is missing, without words of the library that checks it", () => {
    expect(() => parseGiven("call", schema, { text: "a" })).toThrow(/^call: key is missing$/);
    expect(() => parseGiven("call", schema, { key: "k" })).toThrow("text is missing; it must be text");
  });

  it("may leave a field undefined", () => {
    expect(parseGiven("call", schema, { text: "a", key: "k", limit: undefined })).toEqual({
      text: "a",
      key: "k",
    });
  });
});
