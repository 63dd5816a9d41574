/** Runs tasks with the same name one after the other, in order of request. */
export class InOrder {
  readonly #last = new Map<string, Promise<unknown>>();

  run<Result>(name: string, run: () => Promise<Result>): Promise<Result> {
    const before = this.#last.get(name);
    // A failure is reported to the caller of that task; the next task still runs.
    const result = before === undefined ? run() : before.then(run, run);
    this.#last.set(name, result);
    const forget = () => {
      if (this.#last.get(name) === result) this.#last.delete(name);
    };
    result.then(forget, forget);
    return result;
  }
}
