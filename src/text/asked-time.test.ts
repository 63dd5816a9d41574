import { describe, expect, it } from "vitest";
import { pointInTime } from "./asked-time.ts";
import { readWholeNumber } from "./read-whole-number.ts";

/** A Wednesday, 08:30 in UTC and 17:30 in Tokyo; in Los Angeles still before dawn. */
const NOW = Date.parse("2026-11-18T08:30:00Z");

describe("a point in time", () => {
  it.each([
    ["2026-11-16", "2026-11-16T00:00:00.000Z"],
    ["90m", "2026-11-18T07:00:00.000Z"],
    ["3 days ago", "2026-11-15T08:30:00.000Z"],
    ["2 weeks", "2026-11-04T08:30:00.000Z"],
    ["today", "2026-11-18T00:00:00.000Z"],
    ["Yesterday", "2026-11-17T00:00:00.000Z"],
    ["this week", "2026-11-16T00:00:00.000Z"],
    ["last week", "2026-11-09T00:00:00.000Z"],
    ["last-week", "2026-11-09T00:00:00.000Z"],
    ["last month", "2026-10-01T00:00:00.000Z"],
    ["last year", "2025-01-01T00:00:00.000Z"],
  ])("%s is %s", (text, expected) => {
    expect(pointInTime(text, NOW)).toBe(expected);
  });

  it("begins at midnight of the time zone, also across a change of clocks", () => {
    expect(pointInTime("yesterday", NOW, "Asia/Tokyo")).toBe("2026-11-16T15:00:00.000Z");
    expect(pointInTime("yesterday", NOW, "America/Los_Angeles")).toBe("2026-11-17T08:00:00.000Z");
    // Clocks were set back on 1 November: October began at UTC−7.
    expect(pointInTime("last month", NOW, "America/Los_Angeles")).toBe("2026-10-01T07:00:00.000Z");
  });

  it.each(["tomorrowish", "last", "week", "2026-02-30", "3 fortnights", ""])(
    "is not read from '%s'",
    (text) => {
      expect(pointInTime(text, NOW)).toBeUndefined();
    },
  );
});

describe("a whole number", () => {
  it.each([
    ["800", 800],
    ["32k", 32_000],
    ["1.5M", 1_500_000],
    ["0", 0],
    ["1.5", undefined],
    ["-3", undefined],
    ["32kb", undefined],
    ["", undefined],
    ["99999999999999999", undefined],
  ])("%j is %j", (text, expected) => {
    expect(readWholeNumber(text)).toBe(expected);
  });
});
