import { expect, it } from "vitest";
import { saysTheSame } from "./says-the-same.ts";

it.each([
  ["The deploy goes out every Tuesday at 9", "Deploys: goes out on every Tuesday, at 9."],
  ["Prefers tea to coffee", "prefers tea, to coffee!"],
  ["喜欢喝茶", "喜欢喝茶。"],
])("takes %s and %s for the same", (a, b) => expect(saysTheSame(a, b)).toBe(true));

it.each([
  ["The deploy goes out every Tuesday at 9", "The deploy does not go out every Tuesday at 9"],
  ["The deploy goes out every Tuesday at 9", "The deploy doesn't go out every Tuesday at 9"],
  ["Deploys go out on Tuesday at 9", "Deploys go out on Tuesday at 10"],
  ["Likes long walks by the sea", "Dislikes long walks by the sea"],
  ["Always asks before a release", "Never asks before a release"],
  ["Anna reports to Bob", "Bob reports to Anna"],
  ["Lives in Berlin", "Used to live in Berlin"],
  ["喜欢喝茶", "不喜欢喝茶"],
])("keeps %s and %s apart", (a, b) => expect(saysTheSame(a, b)).toBe(false));
