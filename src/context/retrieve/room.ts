/** Room for hits in a result, counted as a model reads them: with an id, a line of facts, and quoted text. */
import { estimateTokens } from "../../text/estimate-tokens.ts";
import { quoteText } from "../../text/quote-text.ts";

/** Tokens of the text before the quotation of a hit. */
const TOKENS_ABOUT = 50;

export class Room {
  readonly #maxTokens: number;
  #tokens = 0;

  constructor(maxTokens: number) {
    this.#maxTokens = maxTokens;
  }

  /** Reserves the room for one more hit; false if too little is left. The first hit always fits. */
  takes(text: string): boolean {
    const tokens = this.#tokens + TOKENS_ABOUT + estimateTokens(quoteText(text));
    const isTaken = this.#tokens === 0 || tokens <= this.#maxTokens;
    if (isTaken) this.#tokens = tokens;
    return isTaken;
  }
}
