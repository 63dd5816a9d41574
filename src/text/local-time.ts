export interface LocalTime {
  /** `YYYY-MM-DD`; empty when the instant cannot be read. */
  readonly date: string;
  /** `HH:mm`; empty when the instant cannot be read. */
  readonly time: string;
}

/** Offsets change only at quarters of an hour. */
const QUARTER = 900_000;
const MINUTE = 60_000;
const UNKNOWN: LocalTime = { date: "", time: "" };
/** Creating a formatter takes about a thousand times as long as using it. */
const formatters = new Map<string, Intl.DateTimeFormat>();
/** The UTC offset in the last requested quarter, since messages are close together. */
let last = { timezone: "UTC", quarter: 0, offset: 0 };

/** The local time of the last requested minute, counted as if it were UTC. */
let lastShown: { readonly minute: number; readonly shown: LocalTime } = {
  minute: Number.NaN,
  shown: UNKNOWN,
};

/** An ISO instant as local time in a time zone, to the minute. */
export function localTime(instant: string, timezone: string): LocalTime {
  const milliseconds = Date.parse(instant);
  if (Number.isNaN(milliseconds)) return UNKNOWN;
  const shifted = milliseconds + offsetAt(milliseconds, timezone);
  const minute = Math.floor(shifted / MINUTE);
  if (lastShown.minute !== minute) lastShown = { minute, shown: shownAt(shifted) };
  return lastShown.shown;
}

function shownAt(milliseconds: number): LocalTime {
  const instant = new Date(milliseconds);
  if (Number.isNaN(instant.getTime())) return UNKNOWN;
  const iso = instant.toISOString();
  const start = iso.indexOf("T");
  return { date: iso.slice(0, start), time: iso.slice(start + 1, start + 6) };
}

export function offsetAt(milliseconds: number, timezone: string): number {
  const quarter = Math.floor(milliseconds / QUARTER);
  if (last.quarter !== quarter || last.timezone !== timezone)
    last = { timezone, quarter, offset: readOffset(quarter * QUARTER, timezone) };
  return last.offset;
}

/** The zone's local time, read as UTC, minus the instant itself. */
function readOffset(milliseconds: number, timezone: string): number {
  if (timezone === "UTC") return 0;
  const parts = new Map<string, number>();
  for (const { type, value } of formatterOf(timezone).formatToParts(milliseconds))
    parts.set(type, Number(value));
  const read = (type: string) => parts.get(type) ?? 0;
  const shown = new Date(0);
  shown.setUTCFullYear(read("year"), read("month") - 1, read("day"));
  shown.setUTCHours(read("hour"), read("minute"), read("second"));
  return shown.getTime() - Math.floor(milliseconds / 1000) * 1000;
}

function formatterOf(timezone: string): Intl.DateTimeFormat {
  const known = formatters.get(timezone);
  if (known !== undefined) return known;
  const numeric = {
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  } as const;
  const formatter = new Intl.DateTimeFormat("en-GB", { timeZone: timezone, hourCycle: "h23", ...numeric });
  formatters.set(timezone, formatter);
  return formatter;
}
