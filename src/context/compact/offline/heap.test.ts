import fc from "fast-check";
import { expect, it } from "vitest";
import { Heap } from "./heap.ts";

const smaller = (a: number, b: number) => a < b;

it("gives back in order what it was built with and what was pushed", () => {
  fc.assert(
    fc.property(fc.array(fc.integer()), fc.array(fc.integer()), (first, second) => {
      const heap = new Heap(first, smaller);
      for (const item of second) heap.push(item);
      const sorted = [...first, ...second].toSorted((a, b) => a - b);
      for (const item of sorted) {
        expect(heap.peek()).toBe(item);
        expect(heap.pop()).toBe(item);
      }
      expect(heap.pop()).toBeUndefined();
    }),
  );
});
