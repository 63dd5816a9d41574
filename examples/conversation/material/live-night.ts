/** Rows of the live night in the format of firmware 2.4.1, which says whether UTC was known. */

import { LIVE_RESULT } from "./minima-reports.ts";
import { isoSecond, LEAP_SECONDS } from "./night.ts";

/** Rows in a window of true time: what `tail` shows while the kettle boils. */
export function liveRows(from: string, to: string): string {
  const [first, last] = [Date.parse(from), Date.parse(to)];
  let early = true;
  let previous = 0;
  const rows = LIVE_RESULT.csv
    .trimEnd()
    .split("\n")
    .slice(1)
    .map((line) => {
      const cells = line.split(",");
      const stamp = Date.parse(cells[2] ?? "");
      if (cells[0] === "72" && stamp < previous) early = false;
      previous = stamp;
      const leapKnown = cells[0] !== "72" || !early;
      return {
        stamp,
        actual: leapKnown ? stamp : stamp - LEAP_SECONDS * 1000,
        text: `${line},${leapKnown ? 1 : 0}`,
      };
    });
  return rows
    .filter((row) => row.actual >= first && row.actual <= last)
    .map((row) => row.text)
    .join("\n");
}

export function liveSummary(at: string): string {
  const rows = liveRows("2026-03-14T20:30:00Z", at).split("\n");
  const last = rows.at(-1)?.split(",") ?? [];
  return `rows so far ${rows.length}, last ${last[2]}, counts ${last[3]}, temp ${last[4]} C, vin ${last[5]} V, leap=${last[7]} (asked at ${isoSecond(Date.parse(at))})`;
}

/** The light going down, a line every three minutes, with a bar for the eye. */
export function liveCurve(from: string, to: string): string {
  const rows = liveRows(from, to).split("\n");
  return rows
    .filter((_, i) => i % 18 === 0)
    .map((row) => {
      const [, , utc = "", counts = "", temperature = ""] = row.split(",");
      return `${utc.slice(11, 19)}  ${counts.padStart(6)}  ${temperature.padStart(5)} C  ${"#".repeat(Math.round(Number(counts) / 2000))}`;
    })
    .join("\n");
}
