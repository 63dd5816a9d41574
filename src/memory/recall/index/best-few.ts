/** Keeps the best items of a stream by score. Of two with the same score, the first one wins. */
export class BestFew<Item> {
  readonly #limit: number;
  readonly #scores: number[] = [];
  readonly #items: Item[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Only greater scores are accepted. */
  get threshold(): number {
    if (this.#limit === 0) return Number.POSITIVE_INFINITY;
    return this.#scores.length < this.#limit ? 0 : (this.#scores.at(-1) ?? 0);
  }

  get items(): readonly Item[] {
    return this.#items;
  }

  add(score: number, item: Item): void {
    if (score <= this.threshold) return;
    let [low, high] = [0, this.#scores.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#scores[middle] ?? 0) >= score) low = middle + 1;
      else high = middle;
    }
    this.#scores.splice(low, 0, score);
    this.#items.splice(low, 0, item);
    if (this.#scores.length <= this.#limit) return;
    this.#scores.pop();
    this.#items.pop();
  }
}
