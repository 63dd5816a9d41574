/** Knows what was taken well enough to recognise the same said again in nearly the same words. */

/** Share of a statement's terms that another one holds when the two say the same. */
const SAME = 0.8;
/** Fewer terms say too little to be compared. */
const ENOUGH = 3;

export class Repetition {
  readonly #holders = new Map<number, number[]>();
  readonly #figures: string[] = [];

  add(terms: readonly number[], text: string): void {
    const place = this.#figures.push(figuresOf(text)) - 1;
    for (const term of terms) {
      const holders = this.#holders.get(term);
      if (holders === undefined) this.#holders.set(term, [place]);
      else holders.push(place);
    }
  }

  /** True when one statement that was added holds most of these terms, and the same figures or more. */
  has(terms: readonly number[], text: string): boolean {
    if (terms.length < ENOUGH) return false;
    const shared = new Map<number, number>();
    for (const term of terms)
      for (const place of this.#holders.get(term) ?? []) shared.set(place, (shared.get(place) ?? 0) + 1);
    const figures = figuresOf(text);
    for (const [place, count] of shared)
      if (count >= terms.length * SAME && (figures === "" || figures === this.#figures[place])) return true;
    return false;
  }
}

function figuresOf(text: string): string {
  return text.match(/\d+/g)?.join(" ") ?? "";
}
