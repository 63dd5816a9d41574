import { expect, it } from "vitest";
import { cosine } from "./cosine.ts";

it.each([
  [[1, 0], [1, 0], 1],
  [[1, 0], [0, 1], 0],
  [[1, 0], [-2, 0], -1],
  [[3, 4], [4, 3], 0.96], // 24 / 25
  [[0, 0], [1, 0], 0],
  [[1, 0], [1, 0, 0], 0],
  [[], [], 0],
])("of %j and %j is %f", (a, b, expected) => {
  expect(cosine(a, b)).toBeCloseTo(expected, 10);
  expect(cosine(new Float32Array(a), b)).toBeCloseTo(expected, 6);
});
