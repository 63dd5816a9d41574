/** Calls in the newest messages on record, for results that come in later than their calls. Read once, and only if asked. */
import { messageOf } from "../../errors.ts";
import type { Log } from "../../log.ts";
import { messageValue, partsIn } from "../../message/stored-value.ts";
import type { Address, ScopedStore, StoredMessage } from "../../store/store.ts";
import { RecentCalls, type ToolCall } from "./tool-calls.ts";

/** A result follows its call, and the other calls of the same answer. */
const NEWEST = 32;

export class RecordedCalls {
  readonly #store: ScopedStore;
  readonly #address: Address;
  readonly #log: Log;
  #calls: Promise<RecentCalls> | undefined;

  constructor(store: ScopedStore, address: Address, log: Log) {
    this.#store = store;
    this.#address = address;
    this.#log = log;
  }

  async find(callId: string): Promise<ToolCall | null> {
    this.#calls ??= this.#read();
    return (await this.#calls).find(callId);
  }

  /** A message that cannot be read must not keep others from being stored: the result is then described by less. */
  async #read(): Promise<RecentCalls> {
    const calls = new RecentCalls();
    try {
      for (const row of await this.#newest()) if (hasCalls(row)) calls.add(partsIn(messageValue(row)));
    } catch (error) {
      this.#log.warn({ problem: messageOf(error) }, "the calls before a tool's result could not be read");
    }
    return calls;
  }

  async #newest(): Promise<readonly StoredMessage[]> {
    const conversation = await this.#store.conversation(this.#address);
    if (conversation === undefined) return [];
    const from = Math.max(1, conversation.messageCount - NEWEST + 1);
    const page = await this.#store.messages(conversation.id, { from, limit: NEWEST, payloads: "stubs" });
    return page.rows;
  }
}

function hasCalls({ parts, content }: StoredMessage): boolean {
  return (
    content !== null &&
    parts.some(({ toolCallId, toolStatus }) => toolCallId !== null && toolStatus === "pending")
  );
}
