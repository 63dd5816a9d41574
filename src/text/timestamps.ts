/** ISO 8601 in UTC with milliseconds: the one form in which times are kept. */
export function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

const EARLIEST = Date.parse("0001-01-01T00:00:00.000Z");
const LATEST = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/**
 * A host's timestamp (ISO text, or milliseconds or seconds since the epoch) in our form. Undefined for what
 * cannot be read, names a day that does not exist, or lies outside the years 1 to 9999: the original keeps it, the row
 * takes the time of arrival.
 */
export function normaliseTimestamp(value: unknown): string | undefined {
  const milliseconds = toMilliseconds(value);
  if (milliseconds === undefined || Number.isNaN(milliseconds)) return undefined;
  if (milliseconds < EARLIEST || milliseconds > LATEST) return undefined;
  return isoTime(milliseconds);
}

function toMilliseconds(value: unknown): number | undefined {
  if (value instanceof Date) return value.getTime();
  if (typeof value === "string") return hasImpossibleDay(value) ? undefined : Date.parse(value);
  if (typeof value !== "number") return undefined;
  // Below this, milliseconds would lie in 1970 and seconds in 1970 to 5138: hosts mean seconds.
  return Math.abs(value) < 100_000_000_000 ? value * 1000 : value;
}

/** `Date.parse` reads 30 February as a day of March. */
function hasImpossibleDay(text: string): boolean {
  const [, year, month, day] = /^\s*(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?!\d)/.exec(text) ?? [];
  if (day === undefined) return false;
  return new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCDate() !== Number(day);
}
