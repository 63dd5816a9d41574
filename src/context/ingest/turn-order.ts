/**
 * State shared by the turns of one conversation. Keeps them in the order in which they were committed, even if one
 * takes time to prepare and the caller commits the next without waiting. A turn that needs no time and follows none
 * that does is not delayed. Keeps their newest tool calls, so that a result in a later turn finds its call
 * without reading the store, and whether a turn was stored, so that the next one omits the data that only a new
 * conversation needs.
 */
import { RecentCalls } from "../files/tool-calls.ts";

const MOST_CONVERSATIONS = 64;
const MOST_CALLS = 32;

/** Facts known from earlier turns of the conversation. */
export interface KnownConversation {
  readonly calls: RecentCalls;
  /** Whether one of them was stored. Another process may have deleted the conversation since. */
  isOnRecord: boolean;
}

export class TurnOrder {
  readonly #preparing = new Map<string, Promise<unknown>>();
  readonly #known = new Map<string, KnownConversation>();

  /** The state under this name. The most recently used conversations are kept. */
  knownOf(name: string): KnownConversation {
    const known = this.#known.get(name) ?? { calls: new RecentCalls(MOST_CALLS), isOnRecord: false };
    this.#known.delete(name);
    this.#known.set(name, known);
    const [oldest] = this.#known.keys();
    if (this.#known.size > MOST_CONVERSATIONS && oldest !== undefined) this.#known.delete(oldest);
    return known;
  }

  /** The prepared result, after all earlier requests under the same name. */
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
  // A failure is reported to its own caller. Both are awaited, so that no rejection is unhandled.
  const [, own] = await Promise.allSettled([before, result]);
  if (own.status === "rejected") throw own.reason;
  return own.value;
}
