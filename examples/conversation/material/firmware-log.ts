/** The debug ring of the mast box: what it said to itself, and nobody read. */
import { isoSecond, LEAP_SECONDS } from "./night.ts";
import { LIVE_NIGHT, NIGHTS, type NightOutline } from "./nights.ts";
import { type Random, seededRandom } from "./random.ts";

type Entry = { readonly time: number; readonly text: string };

interface Firmware {
  readonly version: string;
  readonly built: string;
  readonly checksLeap: boolean;
}

const OLD: Firmware = { version: "2.3.0", built: "2026-01-10", checksLeap: false };
const NEW: Firmware = { version: "2.4.1", built: "2026-03-13", checksLeap: true };

export function ringOfNight(night: string): string {
  const outline = NIGHTS.find((candidate) => candidate.night === night);
  if (!outline) throw new Error(`no such night: ${night}`);
  return ring(outline, OLD, Date.parse(outline.startsAt) + outline.slots * 10_000);
}

/** The live night as far as two o'clock: the kettle test and the quiet after it. */
export function ringOfLiveNight(until: string): string {
  return ring(LIVE_NIGHT, NEW, Date.parse(until));
}

function ring(outline: NightOutline, firmware: Firmware, until: number): string {
  const random = seededRandom(outline.seed * 7919);
  const start = Date.parse(outline.startsAt);
  const entries: Entry[] = [...housekeeping(outline, start, until, random)];
  outline.resets.forEach((reset, i) => {
    entries.push(
      ...resetEntries(Date.parse(reset.at), reset.leapKnownAfter, outline.firstBoot + i + 1, firmware),
    );
  });
  const shown = entries.filter((entry) => entry.time <= until).sort((a, b) => a.time - b.time);
  return shown.map((entry) => formatEntry(entry, outline, start)).join("\n");
}

/** Boot number and seconds of uptime: the ring has no other clock. */
function formatEntry(entry: Entry, outline: NightOutline, start: number): string {
  const passed = outline.resets.filter((reset) => Date.parse(reset.at) + 800 <= entry.time);
  const bootedAt = passed.length > 0 ? Date.parse(passed.at(-1)?.at ?? "") + 800 : start - 5_412_000;
  const uptime = ((entry.time - bootedAt) / 1000).toFixed(3);
  return `[${outline.firstBoot + passed.length} +${uptime.padStart(10)}] ${entry.text}`;
}

function* housekeeping(outline: NightOutline, from: number, to: number, random: Random): Generator<Entry> {
  const silent = (time: number): boolean =>
    outline.resets.some((reset) => time > Date.parse(reset.at) - 500 && time < Date.parse(reset.at) + 90_000);
  for (let time = from; time < to; time += 210_000) {
    const moment = time + random.between(-3000, 3000);
    if (silent(moment)) continue;
    const vin = (12.06 + 0.03 * random.bell()).toFixed(2);
    const sats = random.between(6, 10);
    yield {
      time: moment,
      text: `hk: vin=${vin}V hv=1042.0V head=${(1.4 + 0.2 * random.bell()).toFixed(1)}C sats=${sats} cn0=${random.between(33, 44)} q=${random.between(0, 2)}`,
    };
    if (random.next() < 0.22) yield { time: moment + random.between(4000, 60_000), text: chatter(random) };
  }
}

function chatter(random: Random): string {
  return random.pick([
    () => `dome: az ${random.between(140, 262)}.${random.between(0, 9)} follow ok`,
    () => `fram: checkpoint seq (page ${random.between(0, 31)})`,
    () => `uart: rx overrun 0, tx queue high-water ${random.between(3, 9)}`,
    () => `gnss: pdop ${(1.6 + random.next()).toFixed(1)}, antenna ok`,
    () => `head: dark frame ${random.between(38, 61)} counts`,
  ])();
}

function resetEntries(at: number, leapKnownAfter: number | null, boot: number, firmware: Firmware): Entry[] {
  const after = (seconds: number, text: string): Entry => ({ time: at + 800 + seconds * 1000, text });
  const fixAt = 61.204;
  const stamped = isoSecond(at + 62_000 + LEAP_SECONDS * 1000);
  const entries = [
    after(
      0,
      `boot: plover ${firmware.version} (${firmware.built}) boot=${boot} reset=BROWNOUT vin_min=10.94V limit=11.40V`,
    ),
    after(0.214, "fram: seq restored from checkpoint"),
    after(0.412, "gnss: GR8 serial GR8-2207-0431 fw 3.01"),
    after(0.418, "gnss: backup domain lost, cold start (vbckp=0.71V)"),
    after(4.02, "head: hv ramp 0 -> 1042.0V"),
    after(31.77, "head: hv settled"),
    after(fixAt, "gnss: fix 3D sats=5 pdop=3.4"),
    after(fixAt + 0.001, `clock: set from gnss ${stamped} (utcofs=0 src=default)`),
  ];
  if (firmware.checksLeap)
    entries.push(after(fixAt + 0.002, "clock: NAV_VALID_UTC not set, rows marked leap=0"));
  if (leapKnownAfter === null) return entries;
  if (leapKnownAfter > 900)
    entries.push(after(leapKnownAfter - 752.6, "gnss: subframe 4 page 18 parity error"));
  entries.push(after(leapKnownAfter - 1.1, `gnss: utcofs=${LEAP_SECONDS} src=nav`));
  entries.push(after(leapKnownAfter - 1.099, `clock: step -${LEAP_SECONDS}.000 s`));
  if (firmware.checksLeap)
    entries.push(after(leapKnownAfter - 1.098, "clock: NAV_VALID_UTC set, rows marked leap=1"));
  return entries;
}
