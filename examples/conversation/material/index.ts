/** Everything that a scene can name in double braces, by name. */
import { readFileSync } from "node:fs";
import { backfillLog } from "./backfill-log.ts";
import { csvPeek, linesAroundStep } from "./csv-peek.ts";
import { ringOfLiveNight, ringOfNight } from "./firmware-log.ts";
import { darkReadings, kettleTrial } from "./last-day.ts";
import { lightCurvePng } from "./light-curve-png.ts";
import { liveCurve, liveRows, liveSummary } from "./live-night.ts";
import { exportBytes, exportHead, remagReport } from "./magnitudes.ts";
import {
  coverage,
  liveFit,
  minimaAfter,
  minimaAsFound,
  resetsAgainstResiduals,
  resultOf,
  threeFits,
  twoFits,
} from "./minima-reports.ts";
import { plugLog, plugOverview } from "./plug-log.ts";
import { serviceJournal } from "./service-journal.ts";
import { testRun } from "./test-run.ts";
import { TEST_STAGES } from "./test-stages.ts";

const GENERATED: Readonly<Record<string, () => string>> = {
  "minima-as-found": minimaAsFound,
  coverage,
  "night-csv": () => resultOf("2026-03-07").csv,
  "csv-peek": csvPeek,
  "lines-around-step": linesAroundStep,
  "two-fits": twoFits,
  "three-fits": threeFits,
  "minima-after": minimaAfter,
  "resets-against-residuals": resetsAgainstResiduals,
  "firmware-ring": () => ringOfNight("2026-03-07"),
  "plug-overview": () => plugOverview("2026-03-07"),
  "plug-log": () => plugLog("2026-03-07"),
  "service-journal": serviceJournal,
  backfill: backfillLog,
  remag: remagReport,
  "export-head": exportHead,
  "export-bytes": () => String(exportBytes()),
  "live-rows-kettle": () => liveRows("2026-03-14T21:30:00Z", "2026-03-14T21:43:30Z"),
  "live-rows-leap": () => liveRows("2026-03-14T21:51:20Z", "2026-03-14T21:52:50Z"),
  "live-ring": () => ringOfLiveNight("2026-03-14T21:56:00Z"),
  "live-summary-minimum": () => liveSummary("2026-03-15T02:59:30Z"),
  "live-curve": () => liveCurve("2026-03-15T01:00:00Z", "2026-03-15T02:59:30Z"),
  "live-fit": liveFit,
  "kettle-trial": kettleTrial,
  "dark-readings": darkReadings,
};

export function material(name: string): string {
  const [kind, rest] = name.split(/:(.*)/);
  if (kind === "listing" && rest) return listing(rest);
  if (kind === "tests" && rest) {
    const stage = TEST_STAGES[rest];
    if (!stage) throw new Error(`no such test stage: ${rest}`);
    return testRun(stage);
  }
  const make = GENERATED[name];
  if (!make) throw new Error(`no such material: ${name}`);
  return make();
}

export function image(name: string): string {
  return lightCurvePng(name);
}

function listing(file: string): string {
  return readFileSync(new URL(`listings/${file}`, import.meta.url), "utf8").trimEnd();
}
