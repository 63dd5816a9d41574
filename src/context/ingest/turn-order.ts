/**
 * What turns of one conversation need of each other. Keeps them in the order in which they were committed, also when one
 * takes time to prepare and nobody waited for it before committing the next. A turn that needs no time and follows none
 * that does is not held up. Remembers their newest tool calls, so that a result that comes in a later turn finds its call
 * without reading the record, and whether a turn was stored, so that the next one does not bring what only a new
 * conversation needs.
 */
import { RecentCalls } from "../files/tool-calls.ts";

const MOST_CONVERSATIONS = 64;
const MOST_CALLS = 32;

/** What the turns of a conversation before have told. */
export interface KnownConversation {
  readonly calls: RecentCalls;
  /** Whether one of them was stored. Another process may have deleted the conversation since. */
  isOnRecord: boolean;
}

export class TurnOrder {
  readonly #preparing = new Map<string, Promise<unknown>>();
  readonly #known = new Map<string, KnownConversation>();

  /** What is known under this name. The conversations that were asked for last are kept. */
  knownOf(name: string): KnownConversation {
    const known = this.#known.get(name) ?? { calls: new RecentCalls(MOST_CALLS), isOnRecord: false };
    this.#known.delete(name);
    this.#known.set(name, known);
    const [oldest] = this.#known.keys();
    if (this.#known.size > MOST_CONVERSATIONS && oldest !== undefined) this.#known.delete(oldest);
    return known;
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
