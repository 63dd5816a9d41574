/**
 * Times as callers write them: ISO 8601, a duration before now (`3d`, `2 weeks ago`), or the beginning of a named period
 * (`yesterday`, `last week`). Without an offset they are local to a time zone. Undefined for anything else.
 */
import { PalimpsestError } from "../errors.ts";
import { offsetAt } from "./local-time.ts";
import { isoTime } from "./timestamps.ts";

const ISO =
  /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(?:(Z)|([+-])([01]\d|2[0-3]):?([0-5]\d))?)?$/i;

const TIME_ADVICE =
  "Use a date or time (2026-11-16 or 2026-11-16T08:30:00Z), a duration before now (90m, 12h, 3d, 2w), or today, yesterday, 'last week' or 'last month'.";

/** Any of the forms, as ISO 8601 in UTC. */
export function pointInTime(text: string, now: number, timezone = "UTC"): string | undefined {
  const ago = howLongAgo(text);
  if (ago !== undefined) return isoTime(now - ago);
  return askedTime(text, timezone) ?? startOfPeriod(text, now, timezone);
}

/** The same, or an error with the name of the input. */
export function requirePointInTime(name: string, text: string, now: number, timezone = "UTC"): string {
  const time = pointInTime(text, now, timezone);
  if (time !== undefined) return time;
  throw new PalimpsestError("invalid-input", `invalid ${name} value '${text}'`, { advice: TIME_ADVICE });
}

/** ISO 8601 only. A bare date is the beginning of that day; a day that does not exist is undefined. */
export function askedTime(text: string, timezone = "UTC"): string | undefined {
  const parts = ISO.exec(text.trim());
  if (parts === null) return undefined;
  const [, day, minute = "00:00", second = "00", fraction = "", utc, sign, hours, minutes] = parts;
  const written = `${day}T${minute}:${second}.${fraction.padEnd(3, "0").slice(0, 3)}Z`;
  const wall = Date.parse(written);
  // A day that does not exist is read as the one some days later.
  if (Number.isNaN(wall) || isoTime(wall) !== written) return undefined;
  if (utc !== undefined) return written;
  if (sign === undefined) return isoTime(instantOf(wall, timezone));
  const offset = (Number(hours) * 60 + Number(minutes)) * 60_000;
  return isoTime(sign === "-" ? wall + offset : wall - offset);
}

/** The instant of a local time. Uses the offset at that instant, which may be after a change of clocks. */
function instantOf(wall: number, timezone: string): number {
  return wall - offsetAt(wall - offsetAt(wall, timezone), timezone);
}

const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };
const AGO = /^(\d{1,6}) ?(m|h|d|w|min(?:ute)?s?|hours?|days?|weeks?)(?: ago)?$/i;

/** Milliseconds of `90m`, `12h`, `3d`, `2w` or `2 weeks ago`; undefined for any other text. */
function howLongAgo(text: string): number | undefined {
  const [, amount, unit = ""] = AGO.exec(text.trim()) ?? [];
  return amount === undefined ? undefined : Number(amount) * (UNIT_MS[unit.charAt(0).toLowerCase()] ?? 0);
}

/** The first day of each period, given today as year, month (from 0), day of the month and day of the week (Monday 0). */
const PERIODS: Readonly<
  Record<string, (year: number, month: number, day: number, weekday: number) => number>
> = {
  today: (year, month, day) => Date.UTC(year, month, day),
  yesterday: (year, month, day) => Date.UTC(year, month, day - 1),
  "this week": (year, month, day, weekday) => Date.UTC(year, month, day - weekday),
  "last week": (year, month, day, weekday) => Date.UTC(year, month, day - weekday - 7),
  "this month": (year, month) => Date.UTC(year, month, 1),
  "last month": (year, month) => Date.UTC(year, month - 1, 1),
  "this year": (year) => Date.UTC(year, 0, 1),
  "last year": (year) => Date.UTC(year - 1, 0, 1),
};

function startOfPeriod(text: string, now: number, timezone: string): string | undefined {
  const start =
    PERIODS[
      text
        .trim()
        .toLowerCase()
        .replaceAll(/[-_ ]+/g, " ")
    ];
  if (start === undefined) return undefined;
  const today = new Date(now + offsetAt(now, timezone));
  const weekday = (today.getUTCDay() + 6) % 7;
  const wall = start(today.getUTCFullYear(), today.getUTCMonth(), today.getUTCDate(), weekday);
  return isoTime(instantOf(wall, timezone));
}
