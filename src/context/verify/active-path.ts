/** The messages that the context must reach, in order, one page in memory at a time. */
import { everyRow } from "../../store/every-row.ts";
import type { ScopedStore, StoredMessage } from "../../store/store.ts";

export class ActivePath {
  readonly #messages: AsyncIterator<StoredMessage>;
  #next: Promise<StoredMessage | undefined> | undefined;

  constructor(scoped: ScopedStore, conversation: string) {
    const messages = everyRow((from) => scoped.messages(conversation, { from, withoutContent: true }), 1);
    this.#messages = messages[Symbol.asyncIterator]();
  }

  /** The first message not taken yet. */
  peek(): Promise<StoredMessage | undefined> {
    this.#next ??= this.#findNext();
    return this.#next;
  }

  async take(): Promise<StoredMessage | undefined> {
    const message = await this.peek();
    this.#next = undefined;
    return message;
  }

  /** Takes every message before this one. */
  async *takeBefore(seq: number): AsyncIterable<number> {
    for (;;) {
      const next = await this.peek();
      if (next === undefined || next.seq >= seq) return;
      await this.take();
      yield next.seq;
    }
  }

  async #findNext(): Promise<StoredMessage | undefined> {
    for (;;) {
      const { value, done } = await this.#messages.next();
      if (done === true) return undefined;
      if (value.excluded === null) return value;
    }
  }
}
