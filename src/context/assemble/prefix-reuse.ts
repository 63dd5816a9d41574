/** How much of a result a provider can read from its cache, because its prefix equals that of the previous result. */
import type { Measured } from "./measure.ts";
import type { RenderedContext } from "./render-messages.ts";

export interface PrefixReuse {
  /** Tokens of the common prefix, byte for byte. */
  readonly tokens: number;
  /** Share of the previous result: 1 if all of it is reused. */
  readonly share: number;
}

type Remembered = Pick<RenderedContext, "system" | "measures">;

const MOST = 1_000;

export class PrefixTracker {
  readonly #last = new Map<string, Remembered>();

  /** Null for the first result of a conversation. */
  compare(conversation: string, rendered: RenderedContext): PrefixReuse | null {
    const before = this.#last.get(conversation);
    this.#last.delete(conversation);
    this.#last.set(conversation, { system: rendered.system, measures: rendered.measures });
    const [oldest] = this.#last.keys();
    if (this.#last.size > MOST && oldest !== undefined) this.#last.delete(oldest);
    return before === undefined ? null : reuse(before, rendered);
  }
}

/** The system text precedes all messages: if it changes, nothing is reused. */
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
