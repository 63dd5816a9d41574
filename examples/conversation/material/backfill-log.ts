/** The long run that reads every archived night again and writes a new database beside the old one. */
import { RESULTS } from "./minima-reports.ts";
import type { NightResult } from "./nights.ts";
import { seededRandom } from "./random.ts";
import { signed } from "./table.ts";

export function backfillLog(): string {
  const random = seededRandom(20_260_313);
  let clock = Date.parse("2026-03-13T17:04:02Z");
  const stamp = (): string => {
    clock += random.between(40, 900);
    return new Date(clock).toISOString().slice(11, 23);
  };
  const lines = [
    `${stamp()} INFO  backfill: target /srv/lantern/scratch/backfill-2026-03-13/lantern.db`,
    `${stamp()} INFO  backfill: index dir /srv/lantern/index (LANTERN_INDEX_DIR)`,
    `${stamp()} INFO  backfill: 11 nights, archive is mounted read-only: good`,
  ];
  for (const result of RESULTS) lines.push(...nightLines(result, stamp));
  const total = (read: (r: NightResult) => number): number => RESULTS.reduce((sum, r) => sum + read(r), 0);
  lines.push(
    `${stamp()} INFO  backfill: ${total((r) => r.rows)} rows, ${total((r) => r.lost)} recovered, ${total((r) => r.shifted)} rebuilt, ${total((r) => r.unknown)} unknown`,
    `${stamp()} INFO  backfill: archive untouched (0 files written below /mnt/archive)`,
    `${stamp()} INFO  backfill: done`,
  );
  return lines.join("\n");
}

function nightLines(result: NightResult, stamp: () => string): string[] {
  const { night, resets, firstBoot } = result.outline;
  const hasBoot = night >= "2026-01-10";
  const lines = [
    `${stamp()} INFO  ${night}: open /mnt/archive/${night}/mast.csv (${result.csv.length} bytes, firmware ${hasBoot ? "2.3" : "2.2"})`,
    `${stamp()} DEBUG ${night}: index /srv/lantern/index/${night}.idx written (${Math.ceil((result.rows + 1) / 256)} offsets)`,
  ];
  if (!hasBoot && resets.length > 0) {
    lines.push(
      `${stamp()} INFO  ${night}: no boot column, ${resets.length + 1} boots inferred from seq going back`,
    );
  }
  for (let read = 500; read < result.rows; read += 500) {
    lines.push(
      `${stamp()} DEBUG ${night}: ${read} of ${result.rows} rows read, line ${read + 1} is ${stampOfRow(result, read)}`,
    );
  }
  resets.forEach((reset, i) => {
    const boot = hasBoot ? firstBoot + i + 1 : i + 1;
    lines.push(
      reset.leapKnownAfter === null
        ? `${stamp()} WARN  ${night}: boot ${boot} from ${reset.at.slice(11, 19)}: no step back before the next reset, ${result.unknown} rows marked unknown`
        : `${stamp()} INFO  ${night}: boot ${boot} from ${reset.at.slice(11, 19)}: UTC known after ${reset.leapKnownAfter} s, ${(reset.leapKnownAfter - 80) / 10} rows rebuilt`,
    );
  });
  if (resets.length === 0) lines.push(`${stamp()} DEBUG ${night}: one boot, warm, nothing to rebuild`);
  lines.push(
    `${stamp()} INFO  ${night}: ${result.rows} rows stored, ${result.lost} of them were lost under the old key`,
    `${stamp()} INFO  ${night}: minimum epoch ${result.outline.epoch}: O-C ${signed(result.found.omc)} s -> ${signed(result.rebuilt.omc)} s, err ${result.rebuilt.error.toFixed(2)} s`,
  );
  return lines;
}

function stampOfRow(result: NightResult, row: number): string {
  return (
    result.csv
      .split("\n", row + 1)
      .at(-1)
      ?.split(",")[2] ?? ""
  );
}
