/** Shared by benchmarks: paths of stores, costs of a run, tables of figures, and their limits. */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";

export interface Cost {
  readonly wallMs: number;
  /** Of all threads of this process. */
  readonly cpuMs: number;
}

export async function measure(run: () => unknown): Promise<Cost> {
  const cpu = process.cpuUsage();
  const start = performance.now();
  await run();
  const wallMs = performance.now() - start;
  const { user, system } = process.cpuUsage(cpu);
  return { wallMs, cpuMs: (user + system) / 1000 };
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const value = sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
  if (value === undefined) throw new Error("nothing was measured");
  return value;
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** Runs every item, at most `limit` at a time, starting them in order. */
export async function inFlight<Item>(
  items: Iterable<Item>,
  limit: number,
  run: (item: Item) => Promise<unknown>,
): Promise<void> {
  const waiting = items[Symbol.iterator]();
  const lane = async () => {
    for (let next = waiting.next(); next.done !== true; next = waiting.next()) await run(next.value);
  };
  await Promise.all(Array.from({ length: limit }, lane));
}

/** Where stores are put for a measurement: in memory, where the disk plays no part, and on disk. */
export interface Place {
  readonly name: "tmpfs" | "disk";
  readonly folder: string;
}

const MEMORY = "/dev/shm";

export const DISK: Place = { name: "disk", folder: os.tmpdir() };

/** Memory first, when the system has it. */
export function places(): Place[] {
  return existsSync(MEMORY) ? [{ name: "tmpfs", folder: MEMORY }, DISK] : [DISK];
}

const folders: string[] = [];

/** A new folder that is gone when the process ends. */
export function temporaryFolder(place: Place): string {
  if (folders.length === 0) process.once("exit", removeFolders);
  const folder = mkdtempSync(path.join(place.folder, "palimpsest-bench-"));
  folders.push(folder);
  return folder;
}

function removeFolders(): void {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}

/** Prints rows under a header, each column as wide as its widest cell; figures are right-aligned. */
export function printTable(header: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = header.map((name, column) =>
    Math.max(name.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    cells.map((cell, column) => pad(cell, widths[column] ?? 0)).join("  ");
  console.log(line(header));
  console.log(widths.map((width) => "─".repeat(width)).join("  "));
  for (const row of rows) console.log(line(row));
}

function pad(cell: string, width: number): string {
  return /^[-+]?[\d.,]+\D{0,8}$/.test(cell) ? cell.padStart(width) : cell.padEnd(width);
}

/** 12,345 or 12.3 or 0.123: as many digits as tell something. */
export function figure(value: number): string {
  if (Math.abs(value) >= 1_000) return Math.round(value).toLocaleString("en-US");
  return value.toFixed(Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2);
}

/** Compares figures with their limits. The last line says how many held; the process fails when one did not. */
export type Limit = { readonly atLeast: number } | { readonly atMost: number };

let passed = 0;
let failed = 0;

/** How a table shows the outcome: `≥ 0.50 ok` or `≤ 1.30 MISSED`. */
export function checkLimit(value: number, limit: Limit): string {
  const isKept = "atLeast" in limit ? value >= limit.atLeast : value <= limit.atMost;
  if (isKept) passed++;
  else failed++;
  return `${showLimit(limit)} ${isKept ? "ok" : "MISSED"}`;
}

function showLimit(limit: Limit): string {
  return "atLeast" in limit ? `≥ ${limit.atLeast}` : `≤ ${limit.atMost}`;
}

export function finish(): void {
  console.log(`\n${passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}
