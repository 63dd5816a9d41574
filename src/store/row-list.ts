/**
 * Rows as one value of a statement, the last one: see `Dialect.rows`. They are stored as a list for each column, as
 * PostgreSQL takes them; SQLite gets a list for each row.
 */
type Cell = string | number | null;

export class RowList {
  readonly columns: readonly (readonly Cell[])[];

  constructor(columns: readonly (readonly Cell[])[]) {
    this.columns = columns;
  }

  rows(): Cell[][] {
    const [first = []] = this.columns;
    return first.map((_, place) => this.columns.map((column) => column[place] ?? null));
  }
}

/** One row for each of `items`, with these columns. */
export function rowList<Item>(
  items: readonly Item[],
  ...columns: readonly ((item: Item) => Cell)[]
): RowList {
  return new RowList(columns.map((column) => items.map(column)));
}
