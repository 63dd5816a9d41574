/** Magnitudes with the old and the corrected temperature coefficient, and the export that carries them. */
import { RESULTS } from "./minima-reports.ts";
import { isoSecond } from "./night.ts";

const OLD_COEFFICIENT = 0.0137;
const COEFFICIENT = 0.0173;
const REFERENCE = 5;
const DARK_COUNTS = 47;
const ZERO_POINT = 21.318;

interface Cell {
  readonly night: string;
  readonly boot: number;
  readonly seq: string;
  readonly raw: string;
  readonly counts: number;
  readonly temperature: number;
}

function cells(): Cell[] {
  return RESULTS.flatMap((result) => {
    const night = result.outline.night;
    const rows = result.csv.trimEnd().split("\n").slice(1);
    return rows.map((row) => {
      const [boot = "", seq = "", raw = "", counts = "", temperature = ""] = row.split(",");
      const inferred = night < "2026-01-10" ? Number(boot) - result.outline.firstBoot : Number(boot);
      return { night, boot: inferred, seq, raw, counts: Number(counts), temperature: Number(temperature) };
    });
  });
}

export function remagReport(): string {
  const changes = cells().map((cell) => ({
    cell,
    change: (COEFFICIENT - OLD_COEFFICIENT) * (cell.temperature - REFERENCE),
  }));
  const mean = changes.reduce((sum, { change }) => sum + change, 0) / changes.length;
  const sorted = changes.toSorted((a, b) => a.change - b.change);
  const extreme = (label: string, entry: (typeof changes)[number] | undefined): string =>
    entry
      ? `  ${label} ${entry.change.toFixed(4)} mag  (${entry.cell.night}, ${entry.cell.temperature.toFixed(1)} C)`
      : "";
  return [
    `remag: ${changes.length} rows, temp_coefficient ${COEFFICIENT}, reference ${REFERENCE.toFixed(1)} C`,
    `  mean change   ${mean.toFixed(4)} mag`,
    extreme("largest      ", sorted[0]),
    extreme("smallest     ", sorted.at(-1)),
  ].join("\n");
}

function exportRow(cell: Cell): string {
  const mag =
    -2.5 * Math.log10(cell.counts - DARK_COUNTS) + ZERO_POINT + COEFFICIENT * (cell.temperature - REFERENCE);
  const middle = isoSecond(Date.parse(cell.raw) + 5000);
  return `${cell.night},${cell.boot},${cell.seq},${middle},${cell.raw},utc,${cell.counts},${mag.toFixed(4)}`;
}

export function exportHead(): string {
  return cells().slice(0, 3).map(exportRow).join("\n");
}

/** Size of the plain CSV export: two lines of header, the column names, one line a row. */
export function exportBytes(): number {
  return cells().reduce((sum, cell) => sum + exportRow(cell).length + 1, 220);
}
