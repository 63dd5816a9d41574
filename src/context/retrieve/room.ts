/** Room for hits in an answer, counted as a model reads them: with an id, a line about them, and their words quoted. */
import { estimateTokens } from "../../text/estimate-tokens.ts";
import { quoteText } from "../../text/quote-text.ts";

/** Of what stands before the words of a hit. */
const TOKENS_ABOUT = 50;

export class Room {
  readonly #maxTokens: number;
  #tokens = 0;

  constructor(maxTokens: number) {
    this.#maxTokens = maxTokens;
  }

  /** Takes the room for one more hit; false when there is too little left. The first always comes in. */
  takes(text: string): boolean {
    const tokens = this.#tokens + TOKENS_ABOUT + estimateTokens(quoteText(text));
    const isTaken = this.#tokens === 0 || tokens <= this.#maxTokens;
    if (isTaken) this.#tokens = tokens;
    return isTaken;
  }
}
