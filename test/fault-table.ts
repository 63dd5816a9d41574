/** Faults that tests inject are counted over all files, and shown as one table when the tests are done. */
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";

export interface FaultCounts {
  readonly injected: number;
  /** Everything but what the fault has hit is still there, and whatever reads otherwise than before is reported. */
  readonly survived: number;
  /** Something is missing that the fault has not hit. */
  readonly lost: number;
  /** Something reads otherwise than before, and no check says so. */
  readonly unnoticed: number;
}

type Line = FaultCounts & { readonly kind: string };

const COLUMNS = ["injected", "survived", "lost", "unnoticed"] as const;

/** Processes that run tests share this folder: see temporary-files.ts. */
function logFile(folder = os.tmpdir()): string {
  return path.join(folder, "faults.jsonl");
}

export function recordFaults(kind: string, counts: FaultCounts): void {
  appendFileSync(logFile(), `${JSON.stringify({ kind, ...counts })}\n`);
}

/** For faults of which each one is checked by an assertion: whoever gets here has survived them. */
export function recordSurvived(kind: string, injected: number): void {
  recordFaults(kind, { injected, survived: injected, lost: 0, unnoticed: 0 });
}

/** Prints what was recorded in this folder, if something was. */
export function printFaults(folder: string): void {
  if (!existsSync(logFile(folder))) return;
  const lines = readFileSync(logFile(folder), "utf8")
    .trim()
    .split("\n")
    .map((line): Line => JSON.parse(line));
  const kinds = [...Map.groupBy(lines, ({ kind }) => kind)].map(([kind, own]) => toRow(kind, own));
  const rows = [["fault", ...COLUMNS], ...kinds.toSorted(), toRow("all", lines)];
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  for (const row of rows)
    console.log(row.map((cell, column) => pad(cell, widths[column] ?? 0, column > 0)).join("  "));
}

function toRow(kind: string, lines: readonly Line[]): string[] {
  return [
    kind,
    ...COLUMNS.map((name) => lines.reduce((sum, line) => sum + line[name], 0).toLocaleString("en")),
  ];
}

function pad(cell: string, width: number, isNumber: boolean): string {
  return isNumber ? cell.padStart(width) : cell.padEnd(width);
}
