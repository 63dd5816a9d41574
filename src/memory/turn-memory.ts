/**
 * What memory does for the turns of a conversation: it captures after them, and gives what a model should see before
 * them. The engine connects it with a context; hosts do not call it.
 */
import { AutoCapture } from "./capture/auto-capture.ts";
import type { AgentMemory } from "./memory.ts";
import type { MemoryWork } from "./memory-work.ts";
import {
  type AutoRecallInput,
  type BlockReceipt,
  blockAgain,
  type RecalledBlock,
  recallBlock,
} from "./recall/auto-recall.ts";
import { recall } from "./recall/recall.ts";

export class TurnMemory {
  readonly #use: MemoryWork;
  readonly #autoCapture: AutoCapture;

  constructor(use: MemoryWork, memory: AgentMemory) {
    this.#use = use;
    this.#autoCapture = new AutoCapture(use, (input) => memory.capture(input));
  }

  /** To be called when a conversation has grown: captures in the background, where that is on. */
  afterTurn(conversation: string): void {
    this.#autoCapture.afterTurn(conversation);
  }

  /** What a model should see before it is asked this, as a text that is framed as data; null when there is nothing. */
  async recallFor(input: AutoRecallInput): Promise<RecalledBlock | null> {
    const block = await recallBlock(input, this.#use, (query, limit, signal) =>
      recall({ query, limit, source: "auto" }, this.#use, {
        signal,
        embedMilliseconds: this.#use.settings.autoRecallTimeoutMs / 2,
        ...(input.byWords === true ? { rankedBy: "words" } : {}),
      }),
    );
    if (block !== null) this.#use.uses.count(block.ids, "injection");
    return block;
  }

  /** The same text again, from its receipt. Counts as no use. */
  async recallAgain(receipt: BlockReceipt): ReturnType<typeof blockAgain> {
    return blockAgain(receipt, this.#use);
  }

  /** Writes the uses that were counted since the last time. */
  async flush(): Promise<void> {
    await this.#use.uses.flush();
  }

  /** To be called before the store is closed. */
  async close(): Promise<void> {
    await this.flush();
    await this.#use.older.close();
  }
}
