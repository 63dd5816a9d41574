/**
 * Finds new rows of a list with rising positions. A database may assign a position before another one and show it
 * later, so the last positions are read again.
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

  /** The position after which the caller reads rows. */
  get after(): number {
    return Math.max(0, this.#last - this.#limit);
  }

  /** `rows`: those after it, at most the limit, newest first. The first call only records the existing rows. */
  news<Row extends Positioned>(rows: readonly Row[]): readonly Row[] {
    const known = this.#known;
    this.#known = new Set(rows.map(({ position }) => position));
    this.#last = Math.max(this.#last, rows[0]?.position ?? 0);
    return known === null ? [] : rows.filter(({ position }) => !known.has(position));
  }
}
