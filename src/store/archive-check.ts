/**
 * Checks the rows of an archive, and reports those that do not match their hashes or counts and are not listed as damaged in
 * it.
 */
import { createHash, type Hash } from "node:crypto";
import { type ChainEnd, follows, hashSummaryText } from "./seal.ts";
import type { DumpRow, NamedDamage } from "./store.ts";

type Row<Kind extends DumpRow["row"]> = Extract<DumpRow, { row: Kind }>;

export class ArchiveCheck {
  readonly counts = { messages: 0, summaries: 0, files: 0, memories: 0 };
  readonly #found: NamedDamage[] = [];
  #conversation: Row<"conversation"> | undefined;
  /** The archive lists something of this conversation as damaged. */
  #isDamaged = false;
  #end: ChainEnd = { lastSeq: 0, hash: "" };
  #content: { readonly hash: string; readonly sum: Hash } | undefined;

  take(row: DumpRow): void {
    if (row.row === "damage") {
      this.#isDamaged = true;
      this.#content = undefined;
      return;
    }
    if (row.row !== "file-content") this.#endContent();
    if (row.row === "file-content") this.#takeContent(row);
    else if (row.row === "message") this.#takeMessage(row);
    else if (row.row === "summary") this.#takeSummary(row);
    else if (row.row === "conversation") this.#start(row);
    else if (row.row === "memory") this.counts.memories++;
  }

  /** The damage found so far. */
  end(): readonly NamedDamage[] {
    this.#endContent();
    this.#endConversation();
    return this.#found;
  }

  #start(row: Row<"conversation">): void {
    this.#endConversation();
    this.#conversation = row;
    this.#isDamaged = false;
    this.#end = { lastSeq: 0, hash: "" };
  }

  #endConversation(): void {
    const { messageCount, headHash } = this.#conversation ?? { messageCount: 0, headHash: "" };
    if (this.#isDamaged || (this.#end.lastSeq === messageCount && this.#end.hash === headHash)) return;
    this.#report(null, `it should have ${messageCount} messages and has ${this.#end.lastSeq}`);
  }

  #takeMessage(row: Row<"message">): void {
    const isNext = follows(this.#end, row);
    if (isNext) this.counts.messages++;
    else if (!this.#isDamaged) this.#report(row.seq, "it does not match its hash");
    this.#end = { lastSeq: row.seq, hash: row.hash };
  }

  #takeSummary({ id, content, contentHash }: Row<"summary">): void {
    if (hashSummaryText(content) === contentHash) this.counts.summaries++;
    else this.#report(null, `the text of ${id} does not match its hash`);
  }

  #takeContent({ hash, start, content }: Row<"file-content">): void {
    if (start === 0) {
      this.#endContent();
      this.#content = { hash, sum: createHash("sha256") };
    }
    this.#content?.sum.update(content);
  }

  #endContent(): void {
    const current = this.#content;
    this.#content = undefined;
    if (current === undefined) return;
    if (current.sum.digest("hex") === current.hash) this.counts.files++;
    else this.#report(null, "the content of a file does not match its hash");
  }

  #report(seq: number | null, problem: string): void {
    this.#found.push({ conversation: this.#conversation?.id ?? null, seq, problem });
  }
}
