/**
 * One night at the mast box, simulated: a photometer that writes a row every ten seconds, a deep eclipse, and a
 * kettle that resets the box. What the team finds out in the conversation is what happens here, so every number
 * that the tools print is computed and not made up.
 */
import { seededRandom } from "./random.ts";

export const CADENCE_SECONDS = 10;
/** GPS time is ahead of UTC by this much; the receiver does not know until the sky has told it. */
export const LEAP_SECONDS = 18;
/** The box keeps its row counter in flash only every so many rows, so a reset winds it back. */
const CHECKPOINT_ROWS = 64;
/** Slots without a row after a reset: boot and the wait for a first fix. */
const SLOTS_LOST_TO_RESET = 7;

export interface Reset {
  readonly at: string;
  /** Seconds from the reset until the receiver has the leap seconds; null when the next reset came first. */
  readonly leapKnownAfter: number | null;
}

export interface NightPlan {
  readonly night: string;
  readonly startsAt: string;
  readonly slots: number;
  readonly minimumAt: string;
  readonly firstBoot: number;
  readonly firstSeq: number;
  readonly eveningTemperature: number;
  readonly seed: number;
  readonly resets: readonly Reset[];
}

export interface Sample {
  readonly boot: number;
  readonly seq: number;
  /** When it happened, milliseconds. */
  readonly trueTime: number;
  /** When the box said it happened. */
  readonly stamp: number;
  readonly counts: number;
  readonly temperature: number;
  readonly volts: number;
}

export function simulateNight(plan: NightPlan): Sample[] {
  const random = seededRandom(plan.seed);
  const start = Date.parse(plan.startsAt);
  const samples: Sample[] = [];
  let boot = plan.firstBoot;
  let seq = plan.firstSeq;
  let aheadUntil = 0;
  let silentUntil = 0;
  for (let slot = 0; slot < plan.slots; slot++) {
    const trueTime = start + slot * CADENCE_SECONDS * 1000;
    const noise = random.bell();
    const ripple = random.bell();
    if (trueTime < silentUntil) continue;
    const reset = plan.resets.find((candidate) => Date.parse(candidate.at) === trueTime);
    const ahead = trueTime < aheadUntil ? LEAP_SECONDS * 1000 : 0;
    samples.push({
      boot,
      seq,
      trueTime,
      stamp: trueTime + ahead,
      counts: Math.round(91_000 * brightness(trueTime, Date.parse(plan.minimumAt)) * (1 + 0.0038 * noise)),
      temperature: plan.eveningTemperature - (5.6 * slot) / plan.slots + 0.1 * ripple,
      volts: reset ? 10.9 : 12.06 + 0.03 * ripple,
    });
    seq++;
    if (reset) {
      boot++;
      seq = Math.floor(seq / CHECKPOINT_ROWS) * CHECKPOINT_ROWS;
      silentUntil = trueTime + (SLOTS_LOST_TO_RESET + 1) * CADENCE_SECONDS * 1000;
      aheadUntil =
        reset.leapKnownAfter === null ? Number.POSITIVE_INFINITY : trueTime + reset.leapKnownAfter * 1000;
    }
  }
  return samples;
}

/** A deep, round-bottomed eclipse of 110 minutes to either side. */
function brightness(time: number, minimum: number): number {
  const u = Math.min(1, Math.abs(time - minimum) / (110 * 60_000));
  return 1 - 0.56 * (1 - u * u) ** 2;
}

/** The night file, as the box writes it. */
export function nightCsv(samples: readonly Sample[]): string {
  const lines = samples.map((s) =>
    [s.boot, s.seq, isoSecond(s.stamp), s.counts, s.temperature.toFixed(1), s.volts.toFixed(1), 3].join(","),
  );
  return `boot,seq,utc,counts,temp_c,volts,fix\n${lines.join("\n")}\n`;
}

export function isoSecond(time: number): string {
  return `${new Date(time).toISOString().slice(0, 19)}Z`;
}
