/**
 * The calls that results may answer: those that came in with them or shortly before, else those in the newest messages on
 * record. The record is read once, and only if asked.
 */
import { messageOf } from "../../errors.ts";
import type { Log } from "../../log.ts";
import { messageValue, partsIn } from "../../message/stored-value.ts";
import type { Address, ScopedStore, StoredMessage } from "../../store/store.ts";
import type { Part } from "../../types.ts";
import { RecentCalls, type ToolCall } from "../files/tool-calls.ts";

/** A result follows its call, and the other calls of the same answer. */
const NEWEST = 32;

export class IncomingCalls {
  readonly #store: ScopedStore;
  readonly #address: Address;
  readonly #log: Log;
  readonly #arrived = new RecentCalls();
  readonly #before: RecentCalls | null;
  #recorded: Promise<RecentCalls> | undefined;

  /** `before`: calls of the turns before, where somebody remembers them. */
  constructor(store: ScopedStore, address: Address, log: Log, before: RecentCalls | null = null) {
    this.#before = before;
    this.#store = store;
    this.#address = address;
    this.#log = log;
  }

  /** Notes the calls in a message that comes in. */
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
