/** Numbers with their nouns, for people. */

/** `1234567` → `1,234,567`. Without Intl, which takes longer to start than most commands run. */
export function count(value: number): string {
  return String(value).replaceAll(/\B(?=(\d{3})+$)/g, ",");
}

/** `1 message`, `2 messages`. */
export function counted(value: number, noun: string, plural = `${noun}s`): string {
  return `${count(value)} ${value === 1 ? noun : plural}`;
}

/** The same for a unit in the plural: `1 row`, `2 rows`; `1 token read`. */
export function countedIn(value: number, units: string): string {
  return counted(value, units.replace(/^(\w+)s\b/, "$1"), units);
}

const UNITS = ["B", "kB", "MB", "GB", "TB"];

/** Sizes, durations and ranges, for people. */
export function bytes(value: number): string {
  const power = Math.min(UNITS.length - 1, value < 1000 ? 0 : Math.floor(Math.log10(value) / 3));
  return power === 0 ? `${value} B` : `${(value / 1000 ** power).toFixed(1)} ${UNITS[power]}`;
}

export function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}

const SHOWN_RANGES = 6;

/** `#3–#7, #12`, and the number of further ranges. */
export function ranges(list: readonly { readonly from: number; readonly to: number }[]): string {
  const shown = list
    .slice(0, SHOWN_RANGES)
    .map(({ from, to }) => (from === to ? `#${from}` : `#${from}–#${to}`));
  const rest = list.length - shown.length;
  return rest > 0 ? `${shown.join(", ")} and ${counted(rest, "more run", "more runs")}` : shown.join(", ");
}
