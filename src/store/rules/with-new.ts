/** The known rows, followed by the new ones. Rows are equal if all their fields are. */
export function withNew<Row extends object>(known: readonly Row[], added: readonly Row[]): Row[] {
  const rows = new Map(known.map((row) => [nameOf(row), row]));
  for (const row of added) if (!rows.has(nameOf(row))) rows.set(nameOf(row), row);
  return [...rows.values()];
}

function nameOf(row: object): string {
  return JSON.stringify(Object.entries(row).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
