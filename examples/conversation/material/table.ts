/** Aligned columns, as a database shell prints them. Numbers go to the right, words to the left. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = header.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const rightAligned = header.map((_, column) =>
    rows.every((row) => /^[-+]?[\d.,]+$/.test(row[column] ?? "")),
  );
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, i) => (rightAligned[i] ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0)))
      .join("  ")
      .trimEnd();
  return [line(header), widths.map((width) => "-".repeat(width)).join("  "), ...rows.map(line)].join("\n");
}

/** A number with its sign always written: residuals read better that way. */
export function signed(value: number, digits = 1): string {
  return `${value < 0 ? "-" : "+"}${Math.abs(value).toFixed(digits)}`;
}
