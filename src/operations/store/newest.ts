/** The newest rows of a list, and which of them are new or changed since they were looked at before. */
interface Dated {
  readonly id: string;
  readonly updatedAt: string;
}

export class Newest<Row extends Dated = Dated> {
  readonly #limit: number;
  #known = new Map<string, string>();
  /** The oldest that was looked at. What is older comes up only because others went. */
  #since = "";

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** `rows`: at most the limit, of which the last may be followed by others. */
  changed(rows: readonly Row[]): Row[] {
    const found = new Map(rows.map((row) => [row.id, JSON.stringify(row)]));
    const changed = rows.filter(
      ({ id, updatedAt }) =>
        this.#known.get(id) !== found.get(id) && (this.#known.has(id) || updatedAt >= this.#since),
    );
    this.#known = found;
    this.#since = rows.length < this.#limit ? "" : rows.reduce(oldest, "9999");
    return changed;
  }
}

function oldest(time: string, { updatedAt }: Dated): string {
  return updatedAt < time ? updatedAt : time;
}
