/**
 * Caches entries. Messages and summaries never change, so the next assembly of a conversation reads
 * only new ones. A new description of a file clears the conversation's cache; a description written by another process
 * is seen once the entry is read again. Bounded by tokens; the least recently assembled conversation is evicted first.
 */
import type { Entry } from "./entry.ts";

/** About 12 MB of text. */
const MOST_TOKENS = 3_000_000;

/** The first request of a person, and the user messages of the active path up to it, which prove that it is the first. */
interface HeldRequest {
  readonly entry: Entry;
  readonly upTo: readonly number[];
}

/** The entries of one conversation, by seq and by id. */
export interface HeldEntries {
  readonly messages: ReadonlyMap<number, Entry>;
  readonly summaries: ReadonlyMap<string, Entry>;
  readonly first?: HeldRequest | undefined;
}

interface Held extends HeldEntries {
  readonly messages: Map<number, Entry>;
  readonly summaries: Map<string, Entry>;
  first?: HeldRequest | undefined;
  tokens: number;
}

const NOTHING: HeldEntries = { messages: new Map(), summaries: new Map() };

export class EntryCache {
  readonly #byConversation = new Map<string, Held>();
  #tokens = 0;

  of(conversation: string): HeldEntries {
    return this.#byConversation.get(conversation) ?? NOTHING;
  }

  /** Keeps the entries that this assembly used, and drops the others. */
  keep(conversation: string, entries: readonly Entry[]): void {
    const { first } = this.of(conversation);
    this.forget(conversation);
    const held: Held = { messages: new Map(), summaries: new Map(), first, tokens: 0 };
    for (const entry of entries) {
      held.tokens += entry.tokens;
      if (entry.type === "message") held.messages.set(entry.seq, entry);
      else held.summaries.set(entry.id, entry);
    }
    if (held.tokens > MOST_TOKENS) return;
    this.#byConversation.set(conversation, held);
    this.#tokens += held.tokens;
    for (const oldest of this.#byConversation.keys()) {
      if (this.#tokens <= MOST_TOKENS) break;
      this.forget(oldest);
    }
  }

  /** Does nothing if the conversation was cleared since `held` was read. */
  keepFirst(conversation: string, held: HeldEntries, first: HeldRequest): void {
    const current = this.#byConversation.get(conversation);
    if (current !== undefined && current === held) current.first = first;
  }

  forget(conversation: string): void {
    this.#tokens -= this.#byConversation.get(conversation)?.tokens ?? 0;
    this.#byConversation.delete(conversation);
  }
}
