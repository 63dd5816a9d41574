/**
 * A time as callers write it: a date, or a date and a time, in the form of ISO 8601. Without an offset it is meant in a
 * time zone; a bare date is the beginning of that day. Undefined for anything else, also for a day that does not exist.
 */
import { offsetAt } from "./local-time.ts";
import { isoTime } from "./timestamps.ts";

const ISO =
  /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(?:(Z)|([+-])([01]\d|2[0-3]):?([0-5]\d))?)?$/i;

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

/** Where a clock on the wall shows this. The offset is that of the moment itself, which may lie behind a change of clocks. */
function instantOf(wall: number, timezone: string): number {
  return wall - offsetAt(wall - offsetAt(wall, timezone), timezone);
}

const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** Milliseconds of `90m`, `12h`, `3d` or `2w`; undefined for any other text. */
export function howLongAgo(text: string): number | undefined {
  const [, amount, unit = ""] = /^(\d{1,6})([mhdw])$/.exec(text) ?? [];
  return amount === undefined ? undefined : Number(amount) * (UNIT_MS[unit] ?? 0);
}
