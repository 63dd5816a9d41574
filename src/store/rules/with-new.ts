/** The known rows, followed by the new ones. Rows are equal if all their fields are. */
export function withNew<Row extends object>(known: readonly Row[], added: readonly Row[]): Row[] {
  return [...new Map([...known, ...added].map((row) => [nameOf(row), row])).values()];
}

function nameOf(row: object): string {
  return JSON.stringify(Object.entries(row).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
