import { describe, expect, it } from "vitest";
import { nearest } from "./nearest.ts";

describe("what somebody may have meant", () => {
  const ids = ["sum_0123456789abcdef", "sum_0123456789abcde0", "sum_ffffffffffffffff"];

  it("is a name with a sign changed, left out, added or swapped", () => {
    expect(nearest("sum_0123456789abcdee", ids)).toEqual(["sum_0123456789abcde0", "sum_0123456789abcdef"]);
    expect(nearest("sum_123456789abcdef", ids)).toContain("sum_0123456789abcdef");
    expect(nearest("sum_ffffffffffffffffff", ids)).toEqual(["sum_ffffffffffffffff"]);
    expect(nearest("sum_1023456789abcdef", ids)[0]).toBe("sum_0123456789abcdef");
  });

  it("is nothing that is far away, and not the name itself", () => {
    expect(nearest("sum_aaaaaaaaaaaaaaaa", ids)).toEqual([]);
    expect(nearest("sum_ffffffffffffffff", ids)).toEqual([]);
    expect(nearest("", ids)).toEqual([]);
  });
});
