/**
 * Connects memory with the turns of a conversation: it captures after them, and recalls before
 * them. The engine calls it; hosts do not.
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

  /** Called after new messages: captures in the background, if enabled. */
  afterTurn(conversation: string): void {
    this.#autoCapture.afterTurn(conversation);
  }

  /** The recalled memories for a prompt, framed as data; null when there are none. */
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

  /** The same text again, from its receipt. Does not count as a use. */
  async recallAgain(receipt: BlockReceipt): ReturnType<typeof blockAgain> {
    return blockAgain(receipt, this.#use);
  }

  /** Writes the uses counted since the last flush. */
  async flush(): Promise<void> {
    await this.#use.uses.flush();
  }

  /** Must be called before the store is closed. */
  async close(): Promise<void> {
    await this.flush();
    await this.#use.older.close();
  }
}
