/** Times that a person types are local to the time zone in which times are shown to them. */
import type { Engine } from "../engine.ts";
import { PalimpsestError } from "../errors.ts";
import type { Setup } from "../operations/setup.ts";
import { pointInTime, TIME_ADVICE } from "../text/asked-time.ts";
import type { Parameter } from "./parameters.ts";

export function withLocalTimes(
  input: Readonly<Record<string, unknown>>,
  parameters: readonly Parameter[],
  on: Engine | Setup,
): object {
  if (!("config" in on)) return input;
  const times = parameters.filter(({ value }) => value === "time");
  const given = times.flatMap(({ field, name }) => {
    const text = input[field];
    return typeof text === "string" ? [[field, timeOf(name, text, on.config.timezone)]] : [];
  });
  return { ...input, ...Object.fromEntries(given) };
}

function timeOf(name: string, text: string, timezone: string): string {
  const time = pointInTime(text, Date.now(), timezone);
  if (time !== undefined) return time;
  throw new PalimpsestError("invalid-input", `invalid --${name} value '${text}'`, { advice: TIME_ADVICE });
}
