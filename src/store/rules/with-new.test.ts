import { describe, expect, it } from "vitest";
import { withNew } from "./with-new.ts";

describe("rows that come together", () => {
  it("are the known ones, and after them those that differ in a field", () => {
    const known = [{ a: 1, b: 2 }];
    expect(
      withNew(known, [
        { a: 1, b: 3 },
        { a: 1, b: 2 },
        { a: 0, b: 2 },
      ]),
    ).toEqual([
      { a: 1, b: 2 },
      { a: 1, b: 3 },
      { a: 0, b: 2 },
    ]);
    expect(withNew(known, [])).toEqual(known);
  });

  it("are the same whatever the order of their fields, and come once", () => {
    expect(withNew([{ a: 1, b: 2 }], [{ b: 2, a: 1 }])).toEqual([{ a: 1, b: 2 }]);
    expect(
      withNew(
        [],
        [
          { b: 2, a: 1 },
          { a: 1, b: 2 },
        ],
      ),
    ).toHaveLength(1);
    expect(withNew([{ a: 1, b: 2 }], [{ a: 2, b: 1 }])).toHaveLength(2);
  });
});
