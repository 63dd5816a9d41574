import { describe, expect, it } from "vitest";
import { sampleMessage } from "../testing/sample.ts";
import { placedInOrder } from "./placed-in-order.ts";

const placed = (seq: number) => ({ key: `stored ${seq}`, seq, existed: false, erased: false });

describe("where the message of a line ended up", () => {
  it("gives the messages of one key in their order, and the last of them from then on", () => {
    const messages = ["a", "b", "a", "a"].map((key) => sampleMessage(key));
    const placeOf = placedInOrder({ messages }, [placed(1), placed(2), placed(3), placed(4)]);
    expect(["a", "b", "a", "b", "a", "a", "a"].map((key) => placeOf(key)?.seq)).toEqual([
      1, 2, 3, 2, 4, 4, 4,
    ]);
  });

  it("is null for a key that was not written, and for a message that was not placed", () => {
    const messages = ["a", "b"].map((key) => sampleMessage(key));
    const placeOf = placedInOrder({ messages }, [placed(1)]);
    expect(placeOf("a")).toEqual(placed(1));
    expect(placeOf("b")).toBeNull();
    expect(placeOf("c")).toBeNull();
  });
});
