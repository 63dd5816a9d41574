/** Breaks long lines at spaces. A word that is wider than the line is not broken. */
import { stripVTControlCharacters } from "node:util";
import { displayWidth } from "./table.ts";

/** Further lines have the indentation of the first, and `hanging` more columns. */
export function wrapLines(text: string, columns: number, hanging = 0): string {
  return text
    .split("\n")
    .map((line) => wrapLine(line, columns, hanging))
    .join("\n");
}

function wrapLine(line: string, columns: number, hanging: number): string {
  if (shownWidth(line) <= columns) return line;
  const [indent = ""] = /^ */.exec(line) ?? [];
  const below = indent + " ".repeat(hanging);
  const lines: string[] = [];
  let current = indent;
  let isEmpty = true;
  for (const [, gap = "", word = ""] of line.slice(indent.length).matchAll(/( *)([^ ]+)/g)) {
    if (!isEmpty && shownWidth(current + gap + word) > columns) {
      lines.push(current);
      current = below + word;
    } else current += gap + word;
    isEmpty = false;
  }
  return [...lines, current].join("\n");
}

function shownWidth(text: string): number {
  return displayWidth(stripVTControlCharacters(text));
}
