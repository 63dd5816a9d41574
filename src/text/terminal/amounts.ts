/** Sizes, durations and ranges as people read them. */
import { counted } from "../counted.ts";

export { count, counted, countedIn } from "../counted.ts";

const UNITS = ["B", "kB", "MB", "GB", "TB"];

export function bytes(value: number): string {
  const power = Math.min(UNITS.length - 1, value < 1000 ? 0 : Math.floor(Math.log10(value) / 3));
  return power === 0 ? `${value} B` : `${(value / 1000 ** power).toFixed(1)} ${UNITS[power]}`;
}

export function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}

const SHOWN_RANGES = 6;

/** `#3–#7, #12`, and how many more there are. */
export function ranges(list: readonly { readonly from: number; readonly to: number }[]): string {
  const shown = list
    .slice(0, SHOWN_RANGES)
    .map(({ from, to }) => (from === to ? `#${from}` : `#${from}–#${to}`));
  const rest = list.length - shown.length;
  return rest > 0 ? `${shown.join(", ")} and ${counted(rest, "more run", "more runs")}` : shown.join(", ");
}
