/**
 * The calls that results may belong to: those that arrived with them or shortly before, else those in the newest
 * stored messages. The store is read once, and only on demand.
 */
import { messageOf } from "../../errors.ts";
import type { Log } from "../../log.ts";
import { messageValue, partsIn } from "../../message/stored-value.ts";
import type { Address, ScopedStore, StoredMessage } from "../../store/store.ts";
import type { Part } from "../../types.ts";
import { RecentCalls, type ToolCall } from "../files/tool-calls.ts";

/** A result follows its call, and the other calls of the same response. */
const NEWEST = 32;

export class IncomingCalls {
  readonly #store: ScopedStore;
  readonly #address: Address;
  readonly #log: Log;
  readonly #arrived = new RecentCalls();
  readonly #before: RecentCalls | null;
  #recorded: Promise<RecentCalls> | undefined;

  /** `before`: calls of previous turns, if the caller keeps them. */
  constructor(store: ScopedStore, address: Address, log: Log, before: RecentCalls | null = null) {
    this.#before = before;
    this.#store = store;
    this.#address = address;
    this.#log = log;
  }

  /** Records the calls of an incoming message. */
  add(parts: readonly Part[]): void {
    this.#arrived.add(parts);
  }

  find(callId: string): ToolCall | Promise<ToolCall | null> {
    return this.#arrived.find(callId) ?? this.#before?.find(callId) ?? this.#findRecorded(callId);
  }

  async #findRecorded(callId: string): Promise<ToolCall | null> {
    this.#recorded ??= this.#read();
    return (await this.#recorded).find(callId);
  }

  /** An unreadable message must not prevent others from being stored: the result's description is then less detailed. */
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
