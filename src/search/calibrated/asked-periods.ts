/**
 * The times that a question names: dates (`7 May 2023`, `2023-05-07`, `2023年5月7日`), months (`in May`), and times
 * relative to the time of the question (`yesterday`, `last weekend`, `three days ago`). Month names and relative times are
 * recognised in English only. Days are UTC days.
 */
import { pointInTime } from "../../text/asked-time.ts";

interface Period {
  readonly from: number;
  readonly to: number;
}

const DAY = 86_400_000;
/** People often report an event some days later. These days count less. */
const AFTERWARDS = 7 * DAY;
const TOLD_AFTERWARDS = 0.5;

const MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
const MONTH =
  "(?<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)";
const YEAR = String.raw`(?<year>\d{4})\b`;
const DAY_OF_MONTH = String.raw`(?<day>\d{1,2})(?:st|nd|rd|th)?\b`;
/** The first pattern that matches at a position of the question reads it. */
const DATES = [
  /(?<year>\d{4})[-年](?<number>\d{1,2})[-月](?<day>\d{1,2})/g,
  new RegExp(String.raw`\b${MONTH}\.? ${DAY_OF_MONTH}(?:,? ${YEAR})?`, "gi"),
  new RegExp(String.raw`\b${DAY_OF_MONTH}(?: of)? ${MONTH}\b\.?(?:,? ${YEAR})?`, "gi"),
  new RegExp(String.raw`\b${MONTH},? ${YEAR}`, "gi"),
  // Without a year, `may` and `march` are read as months only after these words.
  new RegExp(String.raw`\b(?:in|during|since|last|this|early|late) ${MONTH}\b`, "gi"),
];

/** Each period ends where the other one begins. */
const PERIODS: Readonly<Record<string, string>> = {
  yesterday: "today",
  "last week": "this week",
  "last month": "this month",
  "last year": "this year",
};
const NUMBERS = ["", "one", "two", "three", "four", "five", "six"];
const AGO = /\b(?<count>\d{1,3}|an?|one|two|three|four|five|six) (?<unit>day|week)s? ago\b/gi;

/** `newest`: the time of the newest candidate. A date without a year means its latest occurrence up to then. */
export function askedPeriods(question: string, now: number, newest: number): readonly Period[] {
  const periods = relativePeriods(question, now);
  let rest = question;
  for (const pattern of DATES) {
    for (const { groups = {} } of rest.matchAll(pattern)) periods.push(periodOf(groups, newest));
    rest = rest.replaceAll(pattern, " ");
  }
  return periods.filter(({ from }) => !Number.isNaN(from));
}

/** 1 within one of the periods, less for some days after it, otherwise 0. */
export function nearnessTo(periods: readonly Period[], time: number): number {
  if (periods.some(({ from, to }) => time >= from && time < to)) return 1;
  return periods.some(({ to }) => time >= to && time < to + AFTERWARDS) ? TOLD_AFTERWARDS : 0;
}

function periodOf(
  { year, month = "", number, day }: Partial<Record<string, string>>,
  newest: number,
): Period {
  const place = number === undefined ? MONTHS.indexOf(month.slice(0, 3).toLowerCase()) : Number(number) - 1;
  const startIn = (one: number) => Date.UTC(one, place, Number(day ?? 1));
  const lastYear = new Date(newest).getUTCFullYear();
  const known = Number(year ?? (startIn(lastYear) > newest ? lastYear - 1 : lastYear));
  const from = startIn(known);
  return { from, to: day === undefined ? Date.UTC(known, place + 1, 1) : from + DAY };
}

function relativePeriods(question: string, now: number): Period[] {
  const text = question.toLowerCase();
  const startOf = (name: string) => Date.parse(pointInTime(name, now) ?? "");
  const named = Object.keys(PERIODS).filter((name) => new RegExp(String.raw`\b${name}\b`).test(text));
  const periods = named.map((name) => ({ from: startOf(name), to: startOf(PERIODS[name] ?? "") }));
  if (/\btoday\b/.test(text)) periods.push({ from: startOf("today"), to: now });
  if (/\blast weekend\b/.test(text))
    periods.push({ from: startOf("this week") - 2 * DAY, to: startOf("this week") });
  for (const { groups: { count = "", unit = "" } = {} } of text.matchAll(AGO)) {
    const days = Math.max(1, Number(count) || NUMBERS.indexOf(count)) * (unit === "week" ? 7 : 1);
    const from = startOf("today") - days * DAY;
    // "A week ago" seldom means the exact day.
    periods.push(unit === "week" ? { from: from - 3 * DAY, to: from + 4 * DAY } : { from, to: from + DAY });
  }
  return periods;
}
