/** Times that a person gives are meant in the time zone in which times are shown to them. */
import type { Engine } from "../engine.ts";
import type { Setup } from "../operations/setup.ts";
import { askedTime } from "../text/asked-time.ts";
import { TIMES } from "./parameters.ts";

/** What is no time, such as how long ago something was, stays as it is. */
export function withLocalTimes(input: object, on: Engine | Setup): object {
  if (!("config" in on)) return input;
  const { timezone } = on.config;
  return Object.fromEntries(
    Object.entries(input).map(([name, value]: [string, unknown]) =>
      TIMES.has(name) && typeof value === "string"
        ? [name, askedTime(value, timezone) ?? value]
        : [name, value],
    ),
  );
}
