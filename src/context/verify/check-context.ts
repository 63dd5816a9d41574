/**
 * The context lists each message on the active path exactly once and in order; whatever is not listed has its
 * reason on record.
 */
import type { ContextItem, StoredMessage } from "../../store/store.ts";
import type { ConversationCheck, IntegrityCheck, ReportProblem } from "./integrity.ts";

export const checkContext: IntegrityCheck = {
  name: "context",
  start: (_, report) => new ContextCheck(report),
};

class ContextCheck implements ConversationCheck {
  readonly #report: ReportProblem;
  /** Messages that must be in the context and were not met there yet. */
  readonly #expected = new Set<number>();
  readonly #excluded = new Set<number>();
  #ordinal = -1;
  #seq = 0;

  constructor(report: ReportProblem) {
    this.#report = report;
  }

  message({ seq, excluded }: StoredMessage): void {
    (excluded === null ? this.#expected : this.#excluded).add(seq);
  }

  contextItem({ ordinal, seq }: ContextItem): void {
    if (ordinal <= this.#ordinal) this.#report({ seq, message: `ordinal ${ordinal} does not increase` });
    this.#ordinal = ordinal;
    if (!this.#expected.delete(seq)) {
      this.#reportUnexpected(ordinal, seq);
      return;
    }
    if (seq < this.#seq)
      this.#report({ seq, message: `it stands behind message ${this.#seq} in the context` });
    this.#seq = seq;
  }

  #reportUnexpected(ordinal: number, seq: number): void {
    const message = this.#excluded.has(seq)
      ? "it is in the context although it is excluded from it"
      : "the context points to it, and it does not exist or is listed twice";
    this.#report({ seq, message, repair: { kind: "drop-context-item", ordinal } });
  }

  end(): void {
    for (const seq of this.#expected)
      this.#report({
        seq,
        message: "it is not in the context, and no reason is on record",
        repair: { kind: "add-context-item", seq },
      });
  }
}
