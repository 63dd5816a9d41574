import { describe, expect, it } from "vitest";
import { ShownRecords } from "./shown-records.ts";
import { type ViewKey, viewKey } from "./view-key.ts";

const keyOf = (more: Partial<ViewKey> = {}) =>
  viewKey({ said: "ab12", reasoning: null, number: 1, id: null, ...more });
const record = (seq: number, key: string, salt: string | null = "00") => ({
  seq,
  key,
  salt,
  digest: "",
  excluded: null,
});
const NONE = new Map<number, boolean>();

describe("a message that is shown under another key", () => {
  const records = new ShownRecords([
    record(9, keyOf({ number: 3 })),
    record(2, keyOf({ id: "a" })),
    record(4, keyOf({ id: "b" })),
    record(6, keyOf({ number: 2, id: "a" })),
    record(3, keyOf({ said: "cd34" })),
    record(1, keyOf(), null),
    record(5, "msg-1"),
  ]);
  const like = (key: string, afterSeq: number, taken: ReadonlyMap<number, boolean> = NONE) =>
    records.like(key, afterSeq, taken)?.seq;
  const withId = (key: string, afterSeq: number) => records.withIdOf(key, afterSeq)?.seq;

  it("is the next on record that says the same, erased ones aside", () => {
    expect([0, 1, 2, 3, 4, 5, 6, 8, 9].map((afterSeq) => like(keyOf(), afterSeq))).toEqual([
      2,
      2,
      4,
      4,
      6,
      6,
      9,
      9,
      undefined,
    ]);
    expect(like(keyOf({ said: "cd34" }), 0)).toBe(3);
    expect(like(keyOf({ said: "ef56" }), 0)).toBeUndefined();
  });

  it("is none that has another id, or is taken", () => {
    expect(like(keyOf({ id: "b" }), 0)).toBe(4);
    expect(like(keyOf({ id: "c" }), 0)).toBe(9);
    expect(
      like(
        keyOf(),
        0,
        new Map([
          [2, true],
          [4, false],
        ]),
      ),
    ).toBe(6);
  });

  it("is found by its id alone, where it has one", () => {
    expect([0, 1, 2, 5, 6].map((afterSeq) => withId(keyOf({ id: "a" }), afterSeq))).toEqual([
      2,
      2,
      6,
      6,
      undefined,
    ]);
    expect([withId(keyOf(), 0), withId(keyOf({ id: "c" }), 0), withId("msg-1", 0)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it("is not one with a key of another kind", () => {
    expect(like("msg-1", 0)).toBeUndefined();
  });
});
