/**
 * What comes to a list whose rows have rising positions. A database may give out a position before another one and show it
 * later, so the last positions are looked at again.
 */
interface Positioned {
  readonly position: number;
}

export class Appended {
  readonly #limit: number;
  #known: ReadonlySet<number> | null = null;
  #last = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The position after which rows are to be read. */
  get after(): number {
    return Math.max(0, this.#last - this.#limit);
  }

  /** `rows`: those after it, at most the limit, newest first. The first call only learns what is there. */
  news<Row extends Positioned>(rows: readonly Row[]): readonly Row[] {
    const known = this.#known;
    this.#known = new Set(rows.map(({ position }) => position));
    this.#last = Math.max(this.#last, rows[0]?.position ?? 0);
    return known === null ? [] : rows.filter(({ position }) => !known.has(position));
  }
}
