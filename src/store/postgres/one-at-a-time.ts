/**
 * Runs tasks of one name one after the other. The database serialises writes to a conversation anyway; this prevents the
 * writes of one process from occupying every connection while they wait for each other.
 */
export class OneAtATime {
  readonly #last = new Map<string, Promise<void>>();

  async run<Result>(name: string, task: () => Promise<Result>): Promise<Result> {
    const before = this.#last.get(name);
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    this.#last.set(name, ended);
    await before;
    try {
      return await task();
    } finally {
      if (this.#last.get(name) === ended) this.#last.delete(name);
      end();
    }
  }
}
