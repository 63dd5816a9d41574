/**
 * Entries that were read before. Messages and summaries never change, so the next assembly of a conversation reads
 * only what is new. Bounded by tokens; conversations that were not assembled for longest go first.
 */
import type { Entry } from "./entry.ts";

/** About 12 MB of text. */
const MOST_TOKENS = 3_000_000;

interface Held {
  readonly messages: Map<number, Entry>;
  readonly summaries: Map<string, Entry>;
  tokens: number;
}

export class EntryCache {
  readonly #byConversation = new Map<string, Held>();
  #tokens = 0;

  held(conversation: string): { readonly seqs: readonly number[]; readonly summaries: readonly string[] } {
    const held = this.#byConversation.get(conversation);
    return { seqs: [...(held?.messages.keys() ?? [])], summaries: [...(held?.summaries.keys() ?? [])] };
  }

  count(conversation: string): number {
    const held = this.#byConversation.get(conversation);
    return (held?.messages.size ?? 0) + (held?.summaries.size ?? 0);
  }

  message(conversation: string, seq: number): Entry | undefined {
    return this.#byConversation.get(conversation)?.messages.get(seq);
  }

  summary(conversation: string, id: string): Entry | undefined {
    return this.#byConversation.get(conversation)?.summaries.get(id);
  }

  /** Remembers what this assembly used, and forgets what it did not. */
  keep(conversation: string, entries: readonly Entry[]): void {
    this.forget(conversation);
    const held: Held = { messages: new Map(), summaries: new Map(), tokens: 0 };
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

  forget(conversation: string): void {
    this.#tokens -= this.#byConversation.get(conversation)?.tokens ?? 0;
    this.#byConversation.delete(conversation);
  }
}
