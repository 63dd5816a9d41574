import { describe, expect, it } from "vitest";
import { askedPeriods, nearnessTo } from "./asked-periods.ts";

const NOW = Date.parse("2026-02-25T09:00:00Z");
const NEWEST = Date.parse("2026-02-20T00:00:00Z");
const days = (question: string) =>
  askedPeriods(question, NOW, NEWEST).map(({ from, to }) =>
    [from, to].map((time) => new Date(time).toISOString().slice(0, 10)).join(" "),
  );

describe("the times that a question names", () => {
  it.each([
    ["on May 7th, 2023", ["2023-05-07 2023-05-08"]],
    ["on the 7th of May 2023", ["2023-05-07 2023-05-08"]],
    ["on 2023-05-07", ["2023-05-07 2023-05-08"]],
    ["2023年5月7日", ["2023-05-07 2023-05-08"]],
    ["in February", ["2026-02-01 2026-03-01"]],
    ["in March", ["2025-03-01 2025-04-01"]],
    ["in Dec 2024", ["2024-12-01 2025-01-01"]],
    ["between 3 May and 9 June", ["2025-05-03 2025-05-04", "2025-06-09 2025-06-10"]],
    ["yesterday", ["2026-02-24 2026-02-25"]],
    ["last week", ["2026-02-16 2026-02-23"]],
    ["last weekend", ["2026-02-21 2026-02-23"]],
    ["last month", ["2026-01-01 2026-02-01"]],
    ["two days ago", ["2026-02-23 2026-02-24"]],
    ["a week ago", ["2026-02-15 2026-02-22"]],
    ["who may march in 2023, at version 1.2.3", []],
  ])("%s: %j", (question, expected) => {
    expect(days(question)).toEqual(expected);
  });

  it("are met within, half met some days afterwards, and else not", () => {
    const periods = askedPeriods("on 7 May 2023", NOW, NEWEST);
    const at = (day: string) => nearnessTo(periods, Date.parse(day));
    expect(["2023-05-06", "2023-05-07", "2023-05-09", "2023-05-20"].map(at)).toEqual([0, 1, 0.5, 0]);
  });
});
