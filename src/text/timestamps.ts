/** ISO 8601 in UTC with milliseconds: the only stored form of times. */
export function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

const EARLIEST = Date.parse("0001-01-01T00:00:00.000Z");
const LATEST = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/**
 * A host's timestamp (ISO text, or milliseconds or seconds since the epoch) in our form. Undefined for text that
 * cannot be read, names a day that does not exist, or is outside the years 1 to 9999: the original is stored, and the row
 * gets the time of arrival.
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
  // Below this, milliseconds would be in 1970 and seconds in 1970 to 5138: hosts mean seconds.
  return Math.abs(value) < 100_000_000_000 ? value * 1000 : value;
}

/** A number that can only be a day of the month: not a part of a longer number, of a time or of an offset. */
const LATE_DAY = /(?<![\d:+]|:\d\d\.)(?:29|30|31)(?![\d:])/;

/** `Date.parse` reads 30 February as 2 March, in every supported format. The 15th is in the same month in every time zone. */
function hasImpossibleDay(text: string): boolean {
  const day = LATE_DAY.exec(text)?.[0];
  if (day === undefined) return false;
  const middle = new Date(Date.parse(text.replace(LATE_DAY, "15")));
  return Number(day) > new Date(Date.UTC(middle.getUTCFullYear(), middle.getUTCMonth() + 1, 0)).getUTCDate();
}
