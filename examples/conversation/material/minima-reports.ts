/** What the database and the fits say about the eleven nights, before and after the repair. */
import { isoSecond } from "./night.ts";
import { LIVE_NIGHT, measureNight, NIGHTS, type NightResult, rms } from "./nights.ts";
import { signed, table } from "./table.ts";

/** From Friday on, times name the middle of an integration and not its start. */
const MID_EXPOSURE = 5000;

export const RESULTS: readonly NightResult[] = NIGHTS.map(measureNight);
export const LIVE_RESULT: NightResult = measureNight(LIVE_NIGHT);

export function resultOf(night: string): NightResult {
  const result = RESULTS.find((candidate) => candidate.outline.night === night);
  if (!result) throw new Error(`no such night: ${night}`);
  return result;
}

export function minimaAsFound(): string {
  return table(
    ["night", "epoch", "t_min", "err_s", "omc_s", "n", "quality"],
    RESULTS.map((r) => [
      r.outline.night,
      String(r.outline.epoch),
      isoSecond(r.predicted + r.found.omc * 1000),
      r.found.error.toFixed(2),
      signed(r.found.omc),
      String(r.rows - r.lost),
      "unchecked",
    ]),
  );
}

export function coverage(): string {
  return table(
    ["night", "first", "last", "slots", "in_db", "missing", "gaps_over_60s"],
    RESULTS.map((r) => {
      const kept = r.rows - r.lost;
      const lines = r.csv.trimEnd().split("\n");
      return [
        r.outline.night,
        lines[1]?.split(",")[2]?.slice(11, 19) ?? "",
        lines.at(-1)?.split(",")[2]?.slice(11, 19) ?? "",
        String(r.outline.slots),
        String(kept),
        String(r.outline.slots - kept),
        String(r.outline.resets.length),
      ];
    }),
  );
}

/** The night of the pasted file, three ways. */
export function threeFits(): string {
  const r = resultOf("2026-03-07");
  const line = (label: string, rows: number, fit: { omc: number; error: number }): string =>
    `${label.padEnd(34)} n=${rows}  t_min=${isoSecond(r.predicted + fit.omc * 1000)}  O-C=${signed(fit.omc)} s  err=${fit.error.toFixed(2)} s`;
  return [
    `predicted (epoch ${r.outline.epoch}): ${isoSecond(r.predicted)}`,
    line("as found: one row per counter", r.rows - r.lost, r.found),
    line("every row of the file", r.rows, r.keyed),
    line("stamps rebuilt", r.rows, r.rebuilt),
  ].join("\n");
}

export function twoFits(): string {
  return threeFits().split("\n").slice(0, 3).join("\n");
}

export function minimaAfter(): string {
  const body = table(
    ["night", "epoch", "rows", "recovered", "shifted", "unknown", "omc_before", "omc_after", "err_s"],
    RESULTS.map((r) => [
      r.outline.night,
      String(r.outline.epoch),
      String(r.rows),
      String(r.lost),
      String(r.shifted),
      String(r.unknown),
      signed(r.found.omc),
      signed(r.rebuilt.omc),
      r.rebuilt.error.toFixed(2),
    ]),
  );
  const before = rms(RESULTS.map((r) => r.found.omc));
  const after = rms(RESULTS.map((r) => r.rebuilt.omc));
  return `${body}\n\nrms of O-C: before ${before.toFixed(2)} s, after ${after.toFixed(2)} s (11 nights)`;
}

export function resetsAgainstResiduals(): string {
  return table(
    ["night", "resets_within_60min_of_minimum", "omc_s"],
    RESULTS.map((r) => [
      r.outline.night,
      String(r.outline.resets.filter((x) => Math.abs(Date.parse(x.at) - r.predicted) < 3_600_000).length),
      signed(r.found.omc),
    ]),
  );
}

export function liveFit(): string {
  const r = LIVE_RESULT;
  return [
    `night 2026-03-14  epoch ${r.outline.epoch}  rows ${r.rows}  boots 2  clock: utc ${r.rows - r.shifted}, leap-late ${r.shifted}, unknown 0`,
    `predicted ${isoSecond(r.predicted + MID_EXPOSURE)}`,
    `measured  ${isoSecond(r.predicted + MID_EXPOSURE + r.rebuilt.omc * 1000)}  O-C ${signed(r.rebuilt.omc)} s  err ${r.rebuilt.error.toFixed(2)} s  quality good`,
  ].join("\n");
}
