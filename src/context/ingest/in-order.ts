/** Runs what has the same name one after the other, in the order in which it was asked for. */
export class InOrder {
  readonly #last = new Map<string, Promise<unknown>>();

  run<Result>(name: string, run: () => Promise<Result>): Promise<Result> {
    const before = this.#last.get(name);
    // Whoever asked for the one before sees what went wrong with it.
    const result = before === undefined ? run() : before.then(run, run);
    this.#last.set(name, result);
    const forget = () => {
      if (this.#last.get(name) === result) this.#last.delete(name);
    };
    result.then(forget, forget);
    return result;
  }
}
