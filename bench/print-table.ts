/** Prints rows under a header, each column as wide as its widest cell; figures stand to the right. */
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
