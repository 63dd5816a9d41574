import { expect, it } from "vitest";
import { importanceOf } from "./importance.ts";

it.each([
  ["profile", 0.9, 0.95],
  ["preferences", 0.8, 0.9],
  ["entities", 0.7, 0.8],
  ["events", 0.6, 0.7],
  ["cases", 0.8, 0.9],
  ["patterns", 0.85, 0.95],
] as const)("%s matters %f, asked for %f", (category, plain, askedFor) => {
  expect(importanceOf(category)).toBe(plain);
  expect(importanceOf(category, true)).toBeCloseTo(askedFor, 10);
});
