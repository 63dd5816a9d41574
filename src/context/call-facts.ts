/**
 * Values that hosts pass with each call instead of in the configuration: the model that writes summaries, and the window.
 * Background work for the same conversation uses the values of the last call.
 */
import type { Complete } from "../model/complete.ts";

interface Facts {
  readonly complete?: Complete;
  readonly budget?: number;
}

/** Most conversations that are kept. */
const MOST = 1_000;

export class CallFacts {
  readonly #wrap: (complete: Complete) => Complete;
  readonly #wrapped = new WeakMap<Complete, Complete>();
  readonly #byConversation = new Map<string, Facts>();

  /** `wrap` adds a time limit, logging and our error codes to a host's function. */
  constructor(wrap: (complete: Complete) => Complete) {
    this.#wrap = wrap;
  }

  remember(conversation: string, { complete, budget }: Facts): void {
    if (complete === undefined && budget === undefined) return;
    const known = this.#byConversation.get(conversation);
    this.#byConversation.delete(conversation);
    this.#byConversation.set(conversation, {
      ...known,
      ...(complete === undefined ? {} : { complete }),
      ...(budget === undefined ? {} : { budget }),
    });
    const [oldest] = this.#byConversation.keys();
    if (this.#byConversation.size > MOST && oldest !== undefined) this.#byConversation.delete(oldest);
  }

  budgetOf(conversation: string): number | undefined {
    return this.#byConversation.get(conversation)?.budget;
  }

  /** The model for a compaction of this conversation: the one given now, else the last one given, else the engine's own. */
  modelFor(conversation: string, own: Complete | null, given?: Complete): Complete | null {
    const complete = given ?? this.#byConversation.get(conversation)?.complete;
    return complete === undefined ? own : this.#dependable(complete);
  }

  #dependable(complete: Complete): Complete {
    let wrapped = this.#wrapped.get(complete);
    if (wrapped === undefined) {
      wrapped = this.#wrap(complete);
      this.#wrapped.set(complete, wrapped);
    }
    return wrapped;
  }
}
