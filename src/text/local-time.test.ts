import { describe, expect, it } from "vitest";
import { localTime } from "./local-time.ts";

describe("local time", () => {
  it.each([
    ["2026-03-09T23:30:00.000Z", "UTC", "2026-03-09", "23:30"],
    ["2026-03-09T23:30:00.000Z", "Europe/Berlin", "2026-03-10", "00:30"],
    ["2026-03-29T00:59:59.000Z", "Europe/Berlin", "2026-03-29", "01:59"],
    ["2026-03-29T01:00:00.000Z", "Europe/Berlin", "2026-03-29", "03:00"],
    ["2026-03-09T23:30:00.000Z", "Asia/Kathmandu", "2026-03-10", "05:15"],
    ["2026-03-09T00:10:00.000Z", "America/Los_Angeles", "2026-03-08", "17:10"],
    ["0001-01-01T00:00:00.000Z", "UTC", "0001-01-01", "00:00"],
  ])("of %s in %s is %s %s", (instant, zone, date, time) => {
    expect(localTime(instant, zone)).toEqual({ date, time });
  });

  it("does not depend on what was asked before", () => {
    localTime("2026-03-29T00:59:59.000Z", "Asia/Tokyo");
    expect(localTime("2026-03-29T00:59:59.000Z", "Europe/Berlin").time).toBe("01:59");
  });

  it("is empty for what is no instant", () => {
    expect(localTime("yesterday", "UTC")).toEqual({ date: "", time: "" });
  });
});
