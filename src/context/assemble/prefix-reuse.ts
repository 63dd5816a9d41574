/** How much of an answer a provider can take from its cache, because it begins like the answer before. */
import type { CountTokens } from "../../text/estimate-tokens.ts";
import { sha256 } from "../../text/hash.ts";
import type { RenderedContext } from "./render-messages.ts";

export interface PrefixReuse {
  /** Tokens at the beginning that are byte for byte those of the answer before. */
  readonly tokens: number;
  /** Of the answer before: 1 while everything it had is still there. */
  readonly share: number;
}

interface Remembered {
  readonly hashes: readonly string[];
  readonly tokens: readonly number[];
}

const MOST = 1_000;

export class PrefixTracker {
  readonly #last = new Map<string, Remembered>();
  readonly #countTokens: CountTokens;

  constructor(countTokens: CountTokens) {
    this.#countTokens = countTokens;
  }

  /** Null for the first answer of a conversation. */
  compare(conversation: string, rendered: RenderedContext): PrefixReuse | null {
    const texts = [rendered.system ?? "", ...rendered.serialised];
    const now = {
      hashes: texts.map((text) => sha256(text)),
      tokens: texts.map((text) => this.#countTokens(text)),
    };
    const before = this.#last.get(conversation);
    this.#last.delete(conversation);
    this.#last.set(conversation, now);
    const [oldest] = this.#last.keys();
    if (this.#last.size > MOST && oldest !== undefined) this.#last.delete(oldest);
    return before === undefined ? null : reuse(before, now);
  }
}

function reuse(before: Remembered, now: Remembered): PrefixReuse {
  let same = 0;
  while (same < before.hashes.length && before.hashes[same] === now.hashes[same]) same++;
  const sum = (list: readonly number[]) => list.reduce((total, tokens) => total + tokens, 0);
  const tokens = sum(before.tokens.slice(0, same));
  return { tokens, share: tokens / Math.max(1, sum(before.tokens)) };
}
