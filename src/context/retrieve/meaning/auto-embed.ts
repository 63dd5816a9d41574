/** Embeds messages in the background after turns, if enabled. No caller waits for it. */
import type { Background } from "../../../jobs/background.ts";
import type { Scope } from "../../../types.ts";
import type { MessageEmbedder } from "./message-embedder.ts";

export class AutoEmbed {
  readonly #embedder: MessageEmbedder | null;
  readonly #background: Background | null;
  readonly #job: string;
  #hasLooked = false;

  constructor(embedder: MessageEmbedder | null, background: Background | null, { tenant, agent }: Scope) {
    this.#embedder = embedder;
    this.#background = background;
    this.#job = `embed ${JSON.stringify([tenant, agent])}`;
  }

  afterTurn(): void {
    const embedder = this.#embedder;
    if (embedder === null) return;
    this.#background?.add(this.#job, async (signal) => {
      await embedder.catchUp({ signal });
    });
  }

  /** Messages left by another process or an earlier run are embedded starting with the first search. */
  beforeSearch(): void {
    if (this.#hasLooked) return;
    this.#hasLooked = true;
    this.afterTurn();
  }
}
