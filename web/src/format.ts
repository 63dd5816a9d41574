/** Formats numbers and times for people. */
const whole = new Intl.NumberFormat("en");
const short = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

export function count(value: number): string {
  return whole.format(value);
}

/** `noun`: its plural has an s. */
export function counted(value: number, noun: string): string {
  return `${count(value)} ${noun}${value === 1 ? "" : "s"}`;
}

export function compact(value: number): string {
  return short.format(value);
}

export function bytes(value: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let [left, unit] = [value, 0];
  for (; left >= 1_000 && unit < units.length - 1; unit++) left /= 1_000;
  return `${unit === 0 ? left : left.toFixed(1)} ${units[unit]}`;
}

export function time(iso: string): string {
  return new Date(iso).toLocaleString("sv-SE", { dateStyle: "short", timeStyle: "short" });
}

const AGO: readonly (readonly [ms: number, unit: Intl.RelativeTimeFormatUnit])[] = [
  [86_400_000 * 365, "year"],
  [86_400_000 * 30, "month"],
  [86_400_000, "day"],
  [3_600_000, "hour"],
  [60_000, "minute"],
];
const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

export function ago(iso: string, now = Date.now()): string {
  const past = now - Date.parse(iso);
  const [ms, unit] = AGO.find(([length]) => past >= length) ?? [1_000, "second"];
  return relative.format(-Math.round(past / ms), unit);
}

/** The last folder of a path of any system. */
export function folder(path: string): string {
  return path.split(/[\\/]/).findLast((name) => name !== "") ?? path;
}
