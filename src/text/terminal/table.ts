/** Rows of cells as aligned text. Cells come as they are and leave fit for a terminal. */

import { oneLine } from "../escape-controls.ts";
import { displayWidth, fitWidth, padWidth } from "./display-width.ts";
import type { Look } from "./look.ts";

interface Column {
  readonly title: string;
  readonly align?: "left" | "right";
  /** Takes what the others leave of the line; cut with `…` when that is not enough. One column at most. */
  readonly flexible?: true;
  /** Left out where the line is too narrow for all columns, the last of them first. */
  readonly optional?: true;
}

const GAP = 2;
const NARROWEST = 12;

export function table(all: readonly Column[], rows: readonly (readonly string[])[], look: Look): string {
  const every = rows.map((row) => row.map(oneLine));
  const shown = columnsThatFit(all, natural(all, every), look.columns);
  const columns = shown.map((index) => all[index] ?? { title: "" });
  const cells = every.map((row) => shown.map((index) => row[index] ?? ""));
  const widths = fitted(columns, natural(columns, cells), look.columns);
  const line = (row: readonly string[]) =>
    row
      .map((cell, index) => place(cell, widths[index] ?? 0, columns[index]?.align))
      .join(" ".repeat(GAP))
      .trimEnd();
  const head = look.style("dim", line(columns.map((column) => column.title)));
  return [head, ...cells.map(line)].join("\n");
}

/** Places of the columns that are shown. */
function columnsThatFit(columns: readonly Column[], widths: readonly number[], available: number): number[] {
  let shown = columns.map((_, index) => index);
  const least = (index: number) =>
    columns[index]?.flexible ? Math.min(widths[index] ?? 0, NARROWEST) : (widths[index] ?? 0);
  const width = () => shown.reduce((sum, index) => sum + least(index) + GAP, -GAP);
  for (const index of shown.toReversed())
    if (width() > available && columns[index]?.optional) shown = shown.filter((other) => other !== index);
  return shown;
}

function natural(columns: readonly Column[], cells: readonly (readonly string[])[]): number[] {
  return columns.map(({ title }, index) =>
    Math.max(displayWidth(title), ...cells.map((row) => displayWidth(row[index] ?? ""))),
  );
}

function fitted(columns: readonly Column[], widths: readonly number[], available: number): number[] {
  const flexible = columns.findIndex((column) => column.flexible);
  if (flexible < 0) return [...widths];
  const others = widths.reduce((sum, width, index) => sum + GAP + (index === flexible ? 0 : width), -GAP);
  const room = Math.max(NARROWEST, available - others);
  return widths.map((width, index) => (index === flexible ? Math.min(width, room) : width));
}

function place(cell: string, width: number, align: Column["align"]): string {
  const fit = fitWidth(cell, width);
  return align === "right" ? " ".repeat(Math.max(0, width - displayWidth(fit))) + fit : padWidth(fit, width);
}
