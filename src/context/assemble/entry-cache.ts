/**
 * Entries that were read before. Messages and summaries never change, so the next assembly of a conversation reads
 * only what is new. Whoever describes a file of it anew forgets it here; what another process wrote of one is seen once
 * the entry is read again. Bounded by tokens; conversations that were not assembled for longest go first.
 */
import type { Entry } from "./entry.ts";

/** About 12 MB of text. */
const MOST_TOKENS = 3_000_000;

/** The first request of a person, and the user messages of the active path up to it, by which it is known to be the first. */
export interface HeldRequest {
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

  /** Remembers what this assembly used, and forgets what it did not. */
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

  /** Unless the conversation was forgotten since `held` was asked for. */
  keepFirst(conversation: string, held: HeldEntries, first: HeldRequest): void {
    const current = this.#byConversation.get(conversation);
    if (current !== undefined && current === held) current.first = first;
  }

  forget(conversation: string): void {
    this.#tokens -= this.#byConversation.get(conversation)?.tokens ?? 0;
    this.#byConversation.delete(conversation);
  }
}
