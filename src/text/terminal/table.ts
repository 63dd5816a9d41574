/** Rows of cells as aligned text. Cells are made safe for a terminal here. */
import { escapeControls, oneLine } from "../escape-controls.ts";
import type { Look } from "./look.ts";

interface Column {
  readonly title: string;
  readonly align?: "left" | "right";
  /** Gets the remaining width of the line; cut with `…` if that is too short. At most one column. */
  readonly flexible?: true;
  /** For a flexible column: the cell of this row in fewer columns. Default: cut at the end. */
  readonly fit?: (columns: number, row: number) => string;
  /** Omitted if the line is too narrow for all columns, starting with the last one. */
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
  const lines = cells.map((row, place) =>
    line(row.map((cell, index) => inWidth(cell, widths[index] ?? 0, columns[index]?.fit, place))),
  );
  return [head, ...lines].join("\n");
}

function inWidth(cell: string, width: number, fit: Column["fit"], row: number): string {
  return fit === undefined || displayWidth(cell) <= width ? cell : oneLine(fit(width, row));
}

/** Positions of the displayed columns. */
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

/** The flexible column gives way first, then the widest of the others, without the first one and numbers. */
function fitted(columns: readonly Column[], widths: readonly number[], available: number): number[] {
  const flexible = columns.findIndex((column) => column.flexible);
  if (flexible < 0) return [...widths];
  const others = sumOf(widths) - (widths[flexible] ?? 0);
  const gaps = GAP * (widths.length - 1);
  const least = Math.min(widths[flexible] ?? 0, NARROWEST);
  const room = Math.max(least, available - gaps - others);
  const fits = widths.map((width, index) => (index === flexible ? Math.min(width, room) : width));
  const canGiveWay = columns.map(({ align }, index) => index > 0 && index !== flexible && align !== "right");
  return narrowed(fits, canGiveWay, available - gaps);
}

/** The widest of these columns are cut to one width, so that all columns fit. */
function narrowed(widths: readonly number[], canGiveWay: readonly boolean[], available: number): number[] {
  let limit = Math.max(...widths.filter((_, index) => canGiveWay[index]), NARROWEST);
  const within = () => widths.map((width, index) => (canGiveWay[index] ? Math.min(width, limit) : width));
  while (limit > NARROWEST && sumOf(within()) > available) limit--;
  return within();
}

function sumOf(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width, 0);
}

function place(cell: string, width: number, align: Column["align"]): string {
  const fit = fitWidth(cell, width);
  return align === "right" ? " ".repeat(Math.max(0, width - displayWidth(fit))) + fit : padWidth(fit, width);
}

/** Names and values below each other. */
export function fields(list: readonly (readonly [name: string, value: string])[], look: Look): string {
  const width = Math.max(...list.map(([name]) => displayWidth(name)));
  return list
    .map(([name, value]) =>
      look.wrap(`${look.style("dim", padWidth(name, width))}  ${escapeControls(value)}`, width + GAP),
    )
    .join("\n");
}

/** Indents each line by two columns. */
export function indented(text: string): string {
  return text
    .split("\n")
    .map((line) => `  ${line}`)
    .join("\n");
}

/** A heading with its items below it; empty when there are none. */
export function list(heading: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : [heading, ...items.map((item) => `  ${escapeControls(item)}`)];
}

/** The width of a text in terminal columns: CJK and emoji take two, combining marks none. */
let segmenter: Intl.Segmenter | undefined;

/** Created on first use, since that takes longer than most commands run. */
function graphemes(text: string): Iterable<{ segment: string }> {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  return segmenter.segment(text);
}

const ASCII = /^[ -~]*$/;

const WIDE =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}]/u;
const EMOJI = /^\p{Emoji_Presentation}|^\p{Emoji}\ufe0f/u;
const WIDTHLESS = /^[\p{Mn}\p{Me}\p{Cf}]+$/u;

export function displayWidth(text: string): number {
  if (ASCII.test(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemes(text)) width += graphemeWidth(segment);
  return width;
}

function graphemeWidth(grapheme: string): number {
  if (WIDTHLESS.test(grapheme)) return 0;
  return WIDE.test(grapheme) || EMOJI.test(grapheme) ? 2 : 1;
}

/** At most this many columns; a cut text ends in `…`. */
export function fitWidth(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text;
  let fitted = "";
  let width = 0;
  for (const { segment } of graphemes(text)) {
    width += graphemeWidth(segment);
    if (width > columns - 1) break;
    fitted += segment;
  }
  return `${fitted}…`;
}

export function padWidth(text: string, columns: number): string {
  return text + " ".repeat(Math.max(0, columns - displayWidth(text)));
}

const BAR_WIDTH = 20;

/** A progress bar. */
export function bar(done: number, total: number, width = BAR_WIDTH): string {
  const filled = total === 0 ? width : Math.min(width, Math.round((done / total) * width));
  return "█".repeat(filled) + "░".repeat(width - filled);
}
