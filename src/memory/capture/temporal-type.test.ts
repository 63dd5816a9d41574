import { describe, expect, it } from "vitest";
import { dayIso, dayMs } from "../testing/a-memory.ts";
import { readTemporal } from "./temporal-type.ts";

const NOW = dayMs(0);

describe("what is over at a time ends after it", () => {
  it.each([
    ["Meeting tomorrow at 3", 3],
    ["I have a dentist appointment tomorrow.", 3],
    ["The exam is the day after tomorrow", 4],
    ["Dinner with Anna tonight", 2],
    ["I have to call the bank today", 2],
    ["I am on vacation next week", 15],
    ["Flight to Rome this week", 8],
    ["The deadline is next month", 63],
    ["Besprechung morgen um 15 Uhr", 3],
    ["Réunion demain à 15 h", 3],
    ["Reunión mañana a las 3", 3],
    ["Встреча завтра в три", 3],
    ["明天下午三点开会", 3],
    ["明日の会議は三時です", 3],
    ["내일 3시에 회의가 있어요", 3],
  ])("%s", (text, days) => {
    expect(readTemporal(text, NOW)).toMatchObject({ type: "dynamic", validUntil: dayIso(days) });
  });
});

describe('"today" does not make a permanent fact expire', () => {
  it.each([
    "User told today that he moved to Berlin permanently",
    "He told me today that he moved to Berlin.",
    "We decided today to use Postgres.",
    "Bought a house today.",
    "From tomorrow on I work for Acme.",
    "I learned today that Anna is allergic to nuts.",
    "Prefers meetings in the morning, never today's leftovers",
    "Standup meeting every day, also today",
    "Hat heute gesagt, dass er nach Bonn gezogen ist.",
    "她今天告诉我她搬到了上海",
    "Today's weather app is written in Go.",
  ])("%s", (text) => {
    expect(readTemporal(text, NOW).validUntil).toBeNull();
  });
});

describe("what holds for now", () => {
  it.each([
    ["Currently works on the billing module", "dynamic"],
    ["Arbeitet derzeit an der Abrechnung", "dynamic"],
    ["目前在做支付模块", "dynamic"],
    ["Lives in Berlin", "static"],
    ["Currently moved to Berlin for good", "static"],
    ["Allergic to peanuts", "static"],
  ])("%s is %s", (text, type) => {
    expect(readTemporal(text, NOW)).toMatchObject({ type, validUntil: null });
  });
});
