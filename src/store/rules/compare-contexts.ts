/**
 * Whether the context of an incoming conversation may replace the stored one. It may if it contains everything stored here:
 * the same messages and perhaps more, every summary, the same erasures. A message that left the context and returned leaves
 * no such trace; of two states that differ only in that, the later one wins.
 */
import type { ExclusionReason } from "../../types.ts";
import type { StoredConversation, StoredMessage, StoredSummary } from "../store.ts";

/** The stored state before the load. */
export interface ContextOnRecord {
  readonly messageCount: number;
  readonly updatedAt: string;
  readonly erased: ReadonlySet<number>;
  readonly exclusions: ReadonlyMap<number, ExclusionReason>;
  /** Ids of its summaries, and whether their text was erased. */
  readonly summaries: ReadonlyMap<string, { readonly isErased: boolean }>;
}

export class ContextComparison {
  /** Why incoming messages that are already stored are not in the incoming context. */
  readonly exclusions = new Map<number, ExclusionReason>();
  readonly #stored: ContextOnRecord;
  readonly #incoming: Pick<StoredConversation, "messageCount" | "updatedAt">;
  readonly #missing: Set<string>;
  #newSummaries = 0;
  #sameErasures = true;
  #sameExclusions = true;

  constructor(stored: ContextOnRecord, incoming: Pick<StoredConversation, "messageCount" | "updatedAt">) {
    this.#stored = stored;
    this.#incoming = incoming;
    this.#missing = new Set(stored.summaries.keys());
  }

  /** Call with each incoming message that is already stored. */
  message({ seq, excluded, erasedAt }: StoredMessage): void {
    if (excluded !== null) this.exclusions.set(seq, excluded);
    if ((erasedAt !== null) !== this.#stored.erased.has(seq)) this.#sameErasures = false;
    if (excluded !== (this.#stored.exclusions.get(seq) ?? null)) this.#sameExclusions = false;
  }

  /** Call with each incoming summary. */
  summary({ id, content }: StoredSummary): void {
    const known = this.#stored.summaries.get(id);
    this.#missing.delete(id);
    if (known === undefined) this.#newSummaries++;
    else if (known.isErased !== (content === null)) this.#sameErasures = false;
  }

  /** Valid after all messages and summaries were passed. */
  get replacesStored(): boolean {
    const { messageCount } = this.#stored;
    const isComplete = this.#incoming.messageCount >= messageCount && this.#missing.size === 0;
    const bringsMore = this.#incoming.messageCount > messageCount || this.#newSummaries > 0;
    return isComplete && this.#sameErasures && (this.isLater || (bringsMore && this.#sameExclusions));
  }

  get isLater(): boolean {
    return Date.parse(this.#incoming.updatedAt) >= Date.parse(this.#stored.updatedAt);
  }
}
