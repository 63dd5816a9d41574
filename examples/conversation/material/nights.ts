/** The twelve eclipse nights of the story: eleven behind the team, one that they watch together. */
import { asFound, everyRow, fitMinimum, rebuilt, rowsLost } from "./minimum.ts";
import { type NightPlan, nightCsv, type Reset, simulateNight } from "./night.ts";

/** Heliocentric details are left out on purpose: the team's ephemeris is in plain UTC. */
const FIRST_MINIMUM = Date.parse("2025-11-29T21:39:15Z");
const PERIOD_DAYS = 2.391417;

export function predictedMinimum(epoch: number): number {
  return FIRST_MINIMUM + epoch * PERIOD_DAYS * 86_400_000;
}

export interface NightOutline {
  readonly night: string;
  readonly epoch: number;
  readonly startsAt: string;
  readonly slots: number;
  readonly seed: number;
  readonly firstBoot: number;
  readonly firstSeq: number;
  readonly eveningTemperature: number;
  readonly resets: readonly Reset[];
}

const reset = (at: string, leapKnownAfter: number | null): Reset => ({ at, leapKnownAfter });

export const NIGHTS: readonly NightOutline[] = [
  outline("2025-12-06", 3, "2025-12-06T23:00:00Z", 2100, 31, 4, 1210, -1.2, []),
  outline("2025-12-11", 5, "2025-12-11T18:00:00Z", 2300, 32, 4, 5377, 3.1, [
    reset("2025-12-11T21:03:00Z", 1430),
  ]),
  outline("2025-12-18", 8, "2025-12-18T21:30:00Z", 2400, 33, 5, 9148, 0.4, [
    reset("2025-12-19T01:10:20Z", 1480),
    reset("2025-12-19T03:02:00Z", 610),
  ]),
  outline("2025-12-30", 13, "2025-12-30T20:00:00Z", 2500, 34, 7, 14803, -4.0, []),
  outline("2026-01-11", 18, "2026-01-11T19:30:00Z", 2450, 35, 3, 20996, 1.7, [
    reset("2026-01-11T23:11:30Z", 1460),
  ]),
  outline("2026-01-18", 21, "2026-01-18T23:30:00Z", 2300, 36, 9, 25310, -0.6, []),
  outline("2026-01-23", 23, "2026-01-23T18:45:00Z", 2500, 37, 14, 29874, 2.2, [
    reset("2026-01-23T20:51:00Z", 740),
    reset("2026-01-23T22:09:10Z", 1390),
  ]),
  outline("2026-01-30", 26, "2026-01-30T22:30:00Z", 2350, 38, 21, 34402, -2.9, []),
  outline("2026-02-11", 31, "2026-02-11T21:15:00Z", 2500, 39, 33, 39051, 0.9, [
    reset("2026-02-12T01:12:40Z", null),
    reset("2026-02-12T01:21:10Z", 1210),
  ]),
  outline("2026-02-23", 36, "2026-02-23T20:45:00Z", 2500, 40, 47, 43790, 4.3, []),
  outline("2026-03-07", 41, "2026-03-07T19:30:00Z", 3090, 41, 61, 48240, 1.8, [
    reset("2026-03-07T21:56:00Z", 810),
    reset("2026-03-07T23:12:40Z", 1470),
    reset("2026-03-08T01:47:30Z", 690),
  ]),
];

/** The night that the team watches live, with the kettle test before the eclipse. */
export const LIVE_NIGHT = outline("2026-03-14", 44, "2026-03-14T20:30:00Z", 3000, 47, 71, 55424, 2.6, [
  reset("2026-03-14T21:40:00Z", 730),
]);

function outline(
  night: string,
  epoch: number,
  startsAt: string,
  slots: number,
  seed: number,
  firstBoot: number,
  firstSeq: number,
  eveningTemperature: number,
  resets: readonly Reset[],
): NightOutline {
  return { night, epoch, startsAt, slots, seed, firstBoot, firstSeq, eveningTemperature, resets };
}

function planOf(outlined: NightOutline): NightPlan {
  return { ...outlined, minimumAt: new Date(predictedMinimum(outlined.epoch)).toISOString() };
}

export interface NightResult {
  readonly outline: NightOutline;
  readonly csv: string;
  readonly rows: number;
  readonly lost: number;
  readonly shifted: number;
  readonly unknown: number;
  readonly predicted: number;
  /** Observed minus calculated, seconds, with the error of the fit. */
  readonly found: { readonly omc: number; readonly error: number };
  readonly keyed: { readonly omc: number; readonly error: number };
  readonly rebuilt: { readonly omc: number; readonly error: number };
}

export function measureNight(outlined: NightOutline): NightResult {
  const samples = simulateNight(planOf(outlined));
  const predicted = predictedMinimum(outlined.epoch);
  const omc = (points: Parameters<typeof fitMinimum>[0]) => {
    const fit = fitMinimum(points, predicted);
    return { omc: (fit.time - predicted) / 1000, error: fit.error };
  };
  const repaired = rebuilt(samples);
  return {
    outline: outlined,
    csv: nightCsv(samples),
    rows: samples.length,
    lost: rowsLost(samples),
    shifted: repaired.shifted,
    unknown: repaired.unknown,
    predicted,
    found: omc(asFound(samples)),
    keyed: omc(everyRow(samples)),
    rebuilt: omc(repaired.points),
  };
}

export function rms(values: readonly number[]): number {
  return Math.sqrt(values.reduce((sum, value) => sum + value * value, 0) / values.length);
}
