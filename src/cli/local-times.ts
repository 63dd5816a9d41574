/** Times that a person gives are meant in the time zone in which times are shown to them. */
import { askedTime } from "../text/asked-time.ts";

const TIMES: ReadonlySet<string> = new Set(["since", "before", "at", "validFrom", "validUntil"]);

/** What is no time, such as how long ago something was, stays as it is. */
export function withLocalTimes(input: object, timezone: string): object {
  return Object.fromEntries(
    Object.entries(input).map(([name, value]: [string, unknown]) =>
      TIMES.has(name) && typeof value === "string"
        ? [name, askedTime(value, timezone) ?? value]
        : [name, value],
    ),
  );
}
