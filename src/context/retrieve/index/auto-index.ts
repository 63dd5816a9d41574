/** Indexes new messages in the background, a few at a time: no caller waits, and a search finds little to index. */

import type { Background } from "../../../jobs/background.ts";
import type { Scope } from "../../../types.ts";
import type { MessageIndexer } from "./message-indexer.ts";

/** Number of waiting documents that starts indexing: half of what a search indexes while its caller waits. */
const ENOUGH = 32;

export class AutoIndex {
  readonly #indexer: MessageIndexer;
  readonly #background: Background | null;
  readonly #job: string;
  #waiting = 0;

  constructor(indexer: MessageIndexer, background: Background | null, { tenant, agent }: Scope) {
    this.#indexer = indexer;
    this.#background = background;
    this.#job = `index ${JSON.stringify([tenant, agent])}`;
  }

  afterTurn(messages: number): void {
    this.#waiting += messages;
    if (this.#waiting < ENOUGH) return;
    this.#waiting = 0;
    this.#background?.add(this.#job, async (signal) => {
      await this.#indexer.catchUp({ signal, atLeast: ENOUGH });
    });
  }
}
