/** How much of an answer a provider can take from its cache, because it begins like the answer before. */
import type { Measured } from "./measure.ts";
import type { RenderedContext } from "./render-messages.ts";

export interface PrefixReuse {
  /** Tokens at the beginning that are byte for byte those of the answer before. */
  readonly tokens: number;
  /** Of the answer before: 1 while everything it had is still there. */
  readonly share: number;
}

type Remembered = Pick<RenderedContext, "system" | "measures">;

const MOST = 1_000;

export class PrefixTracker {
  readonly #last = new Map<string, Remembered>();

  /** Null for the first answer of a conversation. */
  compare(conversation: string, rendered: RenderedContext): PrefixReuse | null {
    const before = this.#last.get(conversation);
    this.#last.delete(conversation);
    this.#last.set(conversation, { system: rendered.system, measures: rendered.measures });
    const [oldest] = this.#last.keys();
    if (this.#last.size > MOST && oldest !== undefined) this.#last.delete(oldest);
    return before === undefined ? null : reuse(before, rendered);
  }
}

/** The system text stands before all messages: when it changes, nothing is reused. */
function reuse(before: Remembered, now: Remembered): PrefixReuse {
  let same = 0;
  if (before.system === now.system)
    while (same < before.measures.length && before.measures[same]?.hash === now.measures[same]?.hash) same++;
  const tokens = sumOf(before.measures.slice(0, same));
  return { tokens, share: tokens / Math.max(1, sumOf(before.measures)) };
}

function sumOf(measures: readonly Measured[]): number {
  return measures.reduce((total, { tokens }) => total + tokens, 0);
}
