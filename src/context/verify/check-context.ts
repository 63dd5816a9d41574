/**
 * The context reaches each message on the active path exactly once and in order, raw or through summaries;
 * whatever it does not reach has its reason on record. The counters say how large it is.
 */
import type { ContextItem, StoredConversation, StoredMessage, StoredSummary } from "../../store/store.ts";
import type { ConversationCheck, IntegrityCheck, ReportProblem } from "./integrity.ts";

export const checkContext: IntegrityCheck = {
  name: "context",
  start: (conversation, report) => new ContextCheck(conversation, report),
};

class ContextCheck implements ConversationCheck {
  readonly #conversation: StoredConversation;
  readonly #report: ReportProblem;
  /** Messages that must be reached and were not yet. */
  readonly #expected = new Set<number>();
  readonly #excluded = new Set<number>();
  readonly #summaries = new Map<string, StoredSummary>();
  #ordinal = -1;
  #seq = 0;
  #items = 0;
  #tokens = 0;

  constructor(conversation: StoredConversation, report: ReportProblem) {
    this.#conversation = conversation;
    this.#report = report;
  }

  message({ seq, excluded }: StoredMessage): void {
    (excluded === null ? this.#expected : this.#excluded).add(seq);
  }

  summary(summary: StoredSummary): void {
    this.#summaries.set(summary.id, summary);
  }

  contextItem(item: ContextItem): void {
    const { ordinal } = item;
    if (ordinal <= this.#ordinal) this.#report({ message: `ordinal ${ordinal} does not increase` });
    this.#ordinal = ordinal;
    this.#items++;
    this.#tokens += item.tokenCount;
    if (item.type === "message") this.#reach(item.seq, ordinal);
    else for (const seq of this.#seqsUnder(item.summary, ordinal)) this.#reach(seq, null);
  }

  /** A message is met, raw at its ordinal or under a summary. */
  #reach(seq: number, ordinal: number | null): void {
    if (!this.#expected.delete(seq)) {
      this.#reportUnexpected(seq, ordinal);
      return;
    }
    if (seq < this.#seq)
      this.#report({ seq, message: `it stands behind message ${this.#seq} in the context` });
    this.#seq = seq;
  }

  *#seqsUnder(id: string, ordinal: number): Generator<number> {
    const summary = this.#summaries.get(id);
    if (summary === undefined)
      this.#report({
        message: `the context points to ${id || "a summary"}, which does not exist`,
        repair: { kind: "drop-context-item", ordinal },
      });
    else if (summary.sources.type === "messages") yield* summary.sources.seqs;
    else for (const source of summary.sources.ids) yield* this.#seqsUnder(source, ordinal);
  }

  #reportUnexpected(seq: number, ordinal: number | null): void {
    const message = this.#excluded.has(seq)
      ? "it is in the context although it is excluded from it"
      : "the context points to it, and it does not exist or is reached twice";
    if (ordinal === null) this.#report({ seq, message });
    else this.#report({ seq, message, repair: { kind: "drop-context-item", ordinal } });
  }

  end(): void {
    for (const seq of this.#expected)
      this.#report({
        seq,
        message: "it is not in the context, and no reason is on record",
        repair: { kind: "add-context-item", seq },
      });
    const { contextItems, contextTokens } = this.#conversation;
    if (contextItems !== this.#items || contextTokens !== this.#tokens)
      this.#report({
        message: `the context is said to hold ${contextItems} items of ${contextTokens} tokens, and holds ${this.#items} of ${this.#tokens}`,
      });
  }
}
