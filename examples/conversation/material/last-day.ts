/** The box after its repair, and the head in service on its way out. */
import { seededRandom } from "./random.ts";

/** Uptime at which the kettle was switched on, and how far the supply fell with the capacitor in place. */
const BOILS: readonly (readonly [number, string])[] = [
  [4210.118, "11.57"],
  [4822.54, "11.58"],
  [5491.002, "11.56"],
  [6120.771, "11.58"],
  [6794.309, "11.57"],
];

export function kettleTrial(): string {
  const random = seededRandom(10_000);
  const lines = [
    "[73 +     0.000] boot: plover 2.4.1 (2026-03-13) boot=73 reset=POWERON vin_min=12.02V limit=11.40V",
    "[73 +     0.214] fram: seq restored from checkpoint",
    "[73 +     0.412] gnss: GR8 serial GR8-2207-0431 fw 3.01",
    "[73 +     0.418] gnss: cold start, nothing in backup (vbckp=2.96V)",
    "[73 +    58.730] gnss: fix 3D sats=6 pdop=2.8",
    "[73 +    58.731] clock: NAV_VALID_UTC not set, rows marked leap=0",
    "[73 +   402.118] gnss: utcofs=18 src=nav",
    "[73 +   402.120] clock: NAV_VALID_UTC set, rows marked leap=1",
    "[74 +     0.000] boot: plover 2.4.1 (2026-03-13) boot=74 reset=POWERON vin_min=12.03V limit=11.40V",
    "[74 +     0.214] fram: seq restored from checkpoint",
    "[74 +     0.411] gnss: GR8 serial GR8-2207-0431 fw 3.01",
    "[74 +     0.415] gnss: hot start (vbckp=3.02V)",
    "[74 +     1.830] gnss: fix 3D sats=8 pdop=1.9",
    "[74 +     1.831] clock: NAV_VALID_UTC set, rows marked leap=1",
  ];
  let boils = [...BOILS];
  for (let uptime = 210; uptime < 15_600; uptime += 210) {
    const due = boils.filter(([at]) => at < uptime);
    boils = boils.filter(([at]) => at >= uptime);
    for (const [at, volts] of due)
      lines.push(`[74 +${at.toFixed(3).padStart(10)}] hk: dip vin_min=${volts}V`);
    const moment = (uptime + random.between(-900, 900) / 1000).toFixed(3).padStart(10);
    lines.push(
      `[74 +${moment}] hk: vin=${(12.05 + 0.02 * random.bell()).toFixed(2)}V hv=0.0V head=${(6.2 + 0.2 * random.bell()).toFixed(1)}C sats=${random.between(7, 11)} cn0=${random.between(36, 45)} q=0`,
    );
  }
  return lines.join("\n");
}

/** Dark counts of one night, every ten minutes: mostly quiet, in bursts loud. */
export function darkReadings(): string {
  const random = seededRandom(212);
  const lines = ["utc,dark,head_c"];
  for (
    let time = Date.parse("2026-03-17T19:40:00Z");
    time < Date.parse("2026-03-18T04:20:00Z");
    time += 600_000
  ) {
    const burst = random.next() < 0.22 ? random.between(280, 780) : 0;
    const dark = time === Date.parse("2026-03-18T01:10:00Z") ? 951 : random.between(58, 121) + burst;
    lines.push(
      `${new Date(time).toISOString().slice(0, 16)}Z,${dark},${(1.2 + 0.2 * random.bell()).toFixed(1)}`,
    );
  }
  return lines.join("\n");
}
