/**
 * What turns of one conversation need of each other. Keeps them in the order in which they were committed, also when one
 * takes time to prepare and nobody waited for it before committing the next. A turn that needs no time and follows none
 * that does is not held up. Remembers their newest tool calls, so that a result that comes in a later turn finds its call
 * without reading the record.
 */
import { RecentCalls } from "../files/tool-calls.ts";

const MOST_CONVERSATIONS = 64;
const MOST_CALLS = 32;

export class TurnOrder {
  readonly #preparing = new Map<string, Promise<unknown>>();
  readonly #calls = new Map<string, RecentCalls>();

  /** The newest calls under this name. The conversations that were asked for last are kept. */
  callsOf(name: string): RecentCalls {
    const calls = this.#calls.get(name) ?? new RecentCalls(MOST_CALLS);
    this.#calls.delete(name);
    this.#calls.set(name, calls);
    if (this.#calls.size > MOST_CONVERSATIONS)
      for (const oldest of this.#calls.keys()) {
        this.#calls.delete(oldest);
        break;
      }
    return calls;
  }

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
