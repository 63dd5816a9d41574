/**
 * Keeps turns in the order in which they were committed, also when one takes time to prepare and nobody waited for it
 * before committing the next. A turn that needs no time and follows none that does is not held up.
 */
export class TurnOrder {
  readonly #preparing = new Map<string, Promise<unknown>>();

  /** What was prepared, after everything that was asked for before under the same name. */
  prepared<Result>(name: string, prepare: () => Result | Promise<Result>): Result | Promise<Result> {
    const before = this.#preparing.get(name);
    const result = prepare();
    if (before === undefined && !(result instanceof Promise)) return result;
    const ready = after(before, result);
    this.#preparing.set(name, ready);
    const forget = () => {
      if (this.#preparing.get(name) === ready) this.#preparing.delete(name);
    };
    ready.then(forget, forget);
    return ready;
  }
}

async function after<Result>(
  before: Promise<unknown> | undefined,
  result: Result | Promise<Result>,
): Promise<Result> {
  // Whoever asked for it sees what went wrong with it. Both are awaited, so that no failure goes unheard.
  const [, own] = await Promise.allSettled([before, result]);
  if (own.status === "rejected") throw own.reason;
  return own.value;
}
