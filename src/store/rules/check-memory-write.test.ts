import { describe, expect, it } from "vitest";
import { isPalimpsestError } from "../../errors.ts";
import type { MemoryWrite, NewMemory, PassageVectors } from "../memory-store.ts";
import { sampleDecision, sampleMemory, sampleRemember, sampleRevise } from "../testing/sample-memory.ts";
import { checkMemoryWrite } from "./check-memory-write.ts";

const check = (write: MemoryWrite, scopes: readonly string[] | null = null) => {
  try {
    checkMemoryWrite({ tenant: "t", scopes }, write);
    return "accepted";
  } catch (error) {
    return isPalimpsestError(error) ? error.code : error;
  }
};
const remember = (more: Partial<NewMemory>) => sampleRemember(sampleMemory("global", more));
const vectors = (...lists: readonly (readonly number[])[]): PassageVectors => ({
  model: "m",
  vectors: lists.map((list) => Float32Array.from(list)),
});

describe("a write to memories is refused before it is tried", () => {
  it("without a first line, or with shares that are not from 0 to 1", () => {
    expect(check(remember({ abstract: "" }))).toBe("invalid-input");
    for (const share of [-0.01, 1.01, Number.NaN, JSON.parse("null")]) {
      expect(check(remember({ importance: share }))).toBe("invalid-input");
      expect(check(sampleRevise("mem_1", { confidence: share }))).toBe("invalid-input");
    }
    expect(check(remember({ importance: 0, confidence: 1 }))).toBe("accepted");
    expect(check(sampleRevise("mem_1", {}))).toBe("accepted");
  });

  it("with vectors that are none, empty, of several lengths, or not of numbers", () => {
    for (const wrong of [vectors(), vectors([]), vectors([1], [1, 0]), vectors([1, Number.NaN], [1, 0])]) {
      expect(check(sampleRemember(sampleMemory("global"), { vectors: wrong }))).toBe("invalid-input");
      expect(check({ kind: "vectors", ref: { scope: "global", number: 1 }, vectors: wrong })).toBe(
        "invalid-input",
      );
    }
    expect(check(sampleRemember(sampleMemory("global"), { vectors: vectors([1, 0], [0, 1]) }))).toBe(
      "accepted",
    );
  });

  it("outside the holder's scopes, and without any scope", () => {
    const captured = { kind: "captured", conversation: "conv_1", from: 0, to: 1, at: "" } as const;
    const decide = { kind: "decide", decision: sampleDecision("global") } as const;
    expect(check(remember({}), ["user:u"])).toBe("not-found");
    expect(check(decide, ["user:u"])).toBe("not-found");
    expect(check(remember({}), ["user:u", "global"])).toBe("accepted");
    expect(check(captured, [])).toBe("not-found");
    expect(check({ kind: "use", ids: [], how: "access", at: "" }, [])).toBe("accepted");
    const run = { scope: "global", first: 1, last: 1, erased: 0, content: new Uint8Array() };
    expect(check({ kind: "memory-index", replaces: [], segment: run }, ["user:u"])).toBe("not-found");
    expect(check({ kind: "memory-index", replaces: [], segment: run }, ["global"])).toBe("accepted");
    expect(check({ kind: "memory-index", replaces: [1], segment: null }, [])).toBe("accepted");
    expect(check(captured, ["user:u"])).toBe("accepted");
  });

  it.each([
    [remember({ abstract: "" }), "a memory needs a first line"],
    [remember({ confidence: 2 }), "confidence is 2, but must be from 0 to 1"],
    [
      sampleRemember(sampleMemory("global"), { vectors: vectors() }),
      "m must have at least one embedding, and all must have the same length",
    ],
    [
      sampleRemember(sampleMemory("global"), { vectors: vectors([Number.NaN]) }),
      "an embedding by m contains a value that is not a finite number",
    ],
  ])("and says why", (write, message) => {
    expect(() => checkMemoryWrite({ tenant: "t", scopes: null }, write)).toThrow(
      expect.objectContaining({ message, advice: "Nothing was written." }),
    );
  });
});
