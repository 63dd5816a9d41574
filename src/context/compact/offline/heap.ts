/** A binary heap: the item that comes before all others is on top. */
export class Heap<Item> {
  readonly #items: Item[];
  readonly #comesBefore: (a: Item, b: Item) => boolean;

  constructor(items: readonly Item[], comesBefore: (a: Item, b: Item) => boolean) {
    this.#items = [...items];
    this.#comesBefore = comesBefore;
    for (let i = Math.floor(this.#items.length / 2) - 1; i >= 0; i--) this.#sink(i);
  }

  peek(): Item | undefined {
    return this.#items[0];
  }

  pop(): Item | undefined {
    const top = this.#items[0];
    const last = this.#items.pop();
    if (this.#items.length > 0 && last !== undefined) {
      this.#items[0] = last;
      this.#sink(0);
    }
    return top;
  }

  push(item: Item): void {
    this.#items.push(item);
    for (let i = this.#items.length - 1; i > 0; ) {
      const parent = (i - 1) >> 1;
      if (!this.#before(i, parent)) break;
      this.#swap(i, parent);
      i = parent;
    }
  }

  #sink(start: number): void {
    for (let i = start; ; ) {
      const left = 2 * i + 1;
      const right = left + 1;
      let first = this.#before(left, i) ? left : i;
      if (this.#before(right, first)) first = right;
      if (first === i) return;
      this.#swap(i, first);
      i = first;
    }
  }

  #before(a: number, b: number): boolean {
    const [first, second] = [this.#items[a], this.#items[b]];
    return first !== undefined && second !== undefined && this.#comesBefore(first, second);
  }

  #swap(a: number, b: number): void {
    const [first, second] = [this.#items[a], this.#items[b]];
    if (first === undefined || second === undefined) return;
    this.#items[a] = second;
    this.#items[b] = first;
  }
}
