/** Finds rows among the newest of a list that are new or changed since the last call. */
interface Dated {
  readonly id: string;
  readonly updatedAt: string;
}

export class Newest<Row extends Dated = Dated> {
  readonly #limit: number;
  #known = new Map<string, string>();
  /** The oldest row seen. Older rows appear only because others were removed. */
  #since = "";

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** `rows`: at most the limit, more may follow the last one. */
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
