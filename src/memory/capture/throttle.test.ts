import { describe, expect, it } from "vitest";
import { stretchValue, throttle } from "./throttle.ts";

const HOUR = 3_600_000;
const NOW = 100 * HOUR;

describe("the throttle", () => {
  it("allows thirty in any sixty minutes", () => {
    const times = Array.from({ length: 29 }, (_, i) => NOW - i * 1000);
    expect(throttle(times, NOW)).toMatchObject({ allowed: true, used: 29, retryAt: null });
    expect(throttle([...times, NOW - 30_000], NOW)).toMatchObject({
      allowed: false,
      used: 30,
      retryAt: NOW - 30_000 + HOUR,
    });
  });

  it("forgets what is an hour old, and ignores the future", () => {
    const old = Array.from({ length: 50 }, () => NOW - HOUR);
    expect(throttle([...old, NOW + 1], NOW)).toMatchObject({ allowed: true, used: 0 });
  });

  it("waits for as many as are too many", () => {
    // Three are allowed and five were made: the third oldest must go first.
    const times = [1, 2, 3, 4, 5].map((minute) => NOW - 60_000 * (10 - minute));
    expect(throttle(times, NOW, { perHour: 3 }).retryAt).toBe(NOW - 7 * 60_000 + HOUR);
  });
});

describe("the value of a stretch", () => {
  const long = "This sentence is long enough to count as something. ";
  it.each([
    [["hi", "how are you"], 0, true],
    [["Remember that my code is 7."], 0.5, false],
    [["<tool_call>x</tool_call>"], 0.4, false],
    [["We decided to move."], 0.3, false],
    [[long.repeat(5)], 0.2, false],
    [Array.from({ length: 7 }, () => "ok"), 0.1, true],
    [[long.repeat(5), "We decided to move."], 0.5, false],
    [["我们决定用它"], 0.3, false],
  ])("%j: %f", (texts, score, skip) => {
    expect(stretchValue(texts)).toMatchObject({ score, skip });
  });
});
