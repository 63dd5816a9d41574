/**
 * One conversation of a dump on its way in. Rows are gathered and written in batches. What is here already is
 * compared, never changed: the shorter of the two histories must be the beginning of the longer one. Only the context
 * on record makes way for one that is ahead of it.
 */
import { PalimpsestError } from "../../errors.ts";
import type { ExclusionReason, Scope } from "../../types.ts";
import type { ContextComparison } from "../compare-contexts.ts";
import type { DatedFile } from "../file-store.ts";
import { follows } from "../seal.ts";
import type {
  CompactionEvent,
  ContextItem,
  DumpedFile,
  DumpRow,
  StoredMessage,
  StoredReceipt,
  StoredSummary,
  StoredTranscriptLine,
  StoredTurn,
} from "../store.ts";
import { insertEvents } from "./compaction-events.ts";
import {
  contextItemOf,
  insertContextItems,
  insertExclusions,
  type NewContextItem,
  takeCounts,
} from "./context-items.ts";
import { type ConversationRow, lockConversation } from "./conversations.ts";
import { takeDescription } from "./describe-file.ts";
import { eraseSummariesAbove } from "./erase.ts";
import { corruptDump, insertIncoming, moveHead, recount, refuseTaken } from "./load-head.ts";
import { LoadedContents } from "./loaded-contents.ts";
import { insertParts } from "./message-parts.ts";
import { insertMessages } from "./messages.ts";
import { insertReceipts } from "./receipts.ts";
import { compareWithStored, dropContext, readStoredSummaries, takeNames } from "./replace-context.ts";
import { findKnownSummaries, insertSummaries } from "./summaries.ts";
import type { Transaction } from "./transaction.ts";
import { addLines } from "./transcript-lines.ts";
import { advanceState } from "./transcripts.ts";
import { insertTurns } from "./turns.ts";

export type IncomingConversation = Extract<DumpRow, { row: "conversation" }>;
type RowInside = Exclude<DumpRow, { row: "conversation" | "audit" }>;
type IncomingMessage = StoredMessage & { readonly files: readonly DumpedFile[] };

const BATCH_ROWS = 1_000;
const BATCH_BYTES = 8 * 1024 * 1024;

interface LoadedCounts {
  readonly isNew: boolean;
  readonly added: number;
  readonly summaries: number;
  readonly alreadyThere: number;
}

export class LoadedConversation {
  readonly id: string;
  readonly #transaction: Transaction;
  readonly #scope: Scope;
  readonly #incoming: IncomingConversation;
  readonly #conversationId: number;
  /** Messages that were here before: null for a conversation that was not. */
  readonly #known: number | null;
  /** Null for a conversation that was not here. */
  readonly #comparison: ContextComparison | null;
  /** Which context holds; undecided until all messages and summaries have come. */
  #context: "undecided" | "stored" | "incoming";
  readonly #contents: LoadedContents;
  #messages: IncomingMessage[] = [];
  #summaries: StoredSummary[] = [];
  #events: CompactionEvent[] = [];
  #items: ContextItem[] = [];
  #turns: StoredTurn[] = [];
  #receipts: StoredReceipt[] = [];
  #lines: StoredTranscriptLine[] = [];
  #gathered = 0;
  #gatheredBytes = 0;
  /** Numbers of the summaries on record and of those that came in. */
  readonly #numbers: Map<string, number>;
  #newSummaries = 0;
  #lastSummary: number;
  #lastSeq = 0;
  #hash = "";

  private constructor(
    transaction: Transaction,
    incoming: IncomingConversation,
    conversationId: number,
    existing: ConversationRow | undefined,
    comparison: ContextComparison | null,
    numbers: Map<string, number>,
  ) {
    this.id = incoming.id;
    this.#transaction = transaction;
    this.#scope = { tenant: incoming.tenant, agent: incoming.agent };
    this.#contents = new LoadedContents(transaction, this.#scope);
    this.#incoming = incoming;
    this.#conversationId = conversationId;
    this.#known = existing?.last_seq ?? null;
    this.#comparison = comparison;
    this.#context = comparison === null ? "incoming" : "undecided";
    this.#numbers = numbers;
    this.#lastSummary = existing?.last_summary ?? 0;
  }

  static async start(transaction: Transaction, incoming: IncomingConversation): Promise<LoadedConversation> {
    const existing = await lockConversation(transaction, incoming, { id: incoming.id });
    if (existing !== undefined) return LoadedConversation.#goOn(transaction, incoming, existing);
    await refuseTaken(transaction, incoming);
    const id = await insertIncoming(transaction, incoming);
    return new LoadedConversation(transaction, incoming, id, undefined, null, new Map());
  }

  static async #goOn(
    transaction: Transaction,
    incoming: IncomingConversation,
    existing: ConversationRow,
  ): Promise<LoadedConversation> {
    const id = existing.conversation_id;
    const summaries = await readStoredSummaries(transaction, incoming, id);
    const comparison = await compareWithStored(transaction, existing, incoming, summaries);
    const numbers = new Map(summaries.map((row) => [row.summary_id, row.summary_number]));
    return new LoadedConversation(transaction, incoming, id, existing, comparison, numbers);
  }

  async take(row: RowInside): Promise<void> {
    if (row.row === "file-content") return this.#contents.take(row);
    await this.#contents.end();
    if (row.row === "compaction-event" || row.row === "context-item") await this.#decideContext();
    this.#gather(row);
    this.#gathered++;
    if ("content" in row) this.#gatheredBytes += row.content?.length ?? 0;
    if (this.#gathered >= BATCH_ROWS || this.#gatheredBytes >= BATCH_BYTES) await this.#flush();
  }

  /** All announced messages must have come, and the newest must be the head. */
  async end(): Promise<LoadedCounts> {
    await this.#contents.end();
    this.#requireAllMessages();
    await this.#flush();
    const { messageCount } = this.#incoming;
    const known = this.#known ?? 0;
    if (this.#known !== null && messageCount > known)
      moveHead(this.#transaction, this.#incoming, this.#conversationId);
    if (this.#incoming.contextItems === 0) await this.#decideContext();
    if (this.#context === "incoming" && this.#comparison?.isLater)
      await takeNames(this.#transaction, this.#conversationId, this.#incoming);
    if (known > 0) await this.#keepErased(known);
    recount(this.#transaction, this.#incoming, this.#conversationId, this.#lastSummary);
    return {
      isNew: this.#known === null,
      added: Math.max(0, messageCount - known),
      summaries: this.#newSummaries,
      alreadyThere: Math.min(known, messageCount),
    };
  }

  /** What was erased here does not come back in a summary that was made elsewhere. */
  async #keepErased(known: number): Promise<void> {
    const erased = await this.#transaction.rows<{ seq: number }>(
      "SELECT seq FROM messages WHERE tenant = $1 AND conversation_id = $2 AND seq <= $3 AND erased_at IS NOT NULL",
      this.#scope.tenant,
      this.#conversationId,
      known,
    );
    const seqs = erased.map((row) => row.seq);
    if (seqs.length > 0)
      await eraseSummariesAbove(this.#transaction, this.#scope, this.#conversationId, seqs);
  }

  /** A context on record makes way for one that is ahead of it. Otherwise it stays, and new messages join it. */
  async #decideContext(): Promise<void> {
    if (this.#context !== "undecided" || this.#comparison === null) return;
    await this.#flush();
    this.#context = this.#comparison.replacesStored ? "incoming" : "stored";
    const target = [this.#transaction, this.#scope, this.#conversationId] as const;
    if (this.#context === "incoming") dropContext(...target, this.#known ?? 0, this.#comparison.exclusions);
  }

  #requireAllMessages(): void {
    const { messageCount, headHash } = this.#incoming;
    if (this.#lastSeq !== messageCount || this.#hash !== headHash)
      throw corruptDump(`${this.id} is not complete: message ${this.#lastSeq + 1} is missing`);
  }

  /** Messages come first; everything after them points to them. */
  #gather(row: Exclude<RowInside, { row: "file-content" }>): void {
    if (row.row !== "message") this.#requireAllMessages();
    switch (row.row) {
      case "message":
        this.#checkSeal(row);
        if (row.seq <= (this.#known ?? 0)) this.#comparison?.message(row);
        this.#messages.push(row);
        break;
      case "summary":
        this.#comparison?.summary(row);
        this.#summaries.push(row);
        break;
      case "compaction-event":
        this.#events.push(row);
        break;
      case "context-item":
        if (this.#context === "incoming") this.#items.push(row);
        break;
      case "turn":
        this.#turns.push(row);
        break;
      case "receipt":
        this.#receipts.push(row);
        break;
      case "transcript":
        advanceState(this.#transaction, this.#scope, this.#conversationId, row, row.updatedAt);
        break;
      case "transcript-line":
        this.#lines.push(row);
    }
  }

  #checkSeal(row: StoredMessage): void {
    if (!follows({ lastSeq: this.#lastSeq, hash: this.#hash }, row))
      throw corruptDump(`message ${row.seq} of ${this.id} does not match its hash`);
    this.#lastSeq = row.seq;
    this.#hash = row.hash;
  }

  /** Messages first: the others point to them. */
  async #flush(): Promise<void> {
    await this.#compareKnown(this.#messages.filter((message) => message.seq <= (this.#known ?? 0)));
    await this.#insertMessages(this.#messages.filter((message) => message.seq > (this.#known ?? 0)));
    await this.#insertSummaries();
    const target = [this.#transaction, this.#scope, this.#conversationId] as const;
    await this.#requireSummaries(this.#events.map((event) => event.summary));
    insertEvents(...target, this.#events);
    insertContextItems(
      ...target,
      this.#items.map((item) => this.#toNewItem(item)),
    );
    takeCounts(
      ...target,
      this.#items.flatMap((item) => (item.type === "message" ? [item.seq] : [])),
    );
    insertTurns(...target, this.#turns);
    insertReceipts(...target, this.#receipts, this.#known ?? 0);
    addLines(...target, this.#lines);
    [this.#messages, this.#summaries, this.#events, this.#items] = [[], [], [], []];
    [this.#turns, this.#receipts, this.#lines] = [[], [], []];
    this.#gathered = 0;
    this.#gatheredBytes = 0;
    await this.#transaction.settle();
  }

  async #insertMessages(messages: readonly IncomingMessage[]): Promise<void> {
    const target = [this.#transaction, this.#scope, this.#conversationId] as const;
    await insertMessages(
      ...target,
      messages.map((message) => ({ ...message, files: message.files.map(toNewFile) })),
    );
    insertParts(...target, messages);
    const excluded = messages.flatMap(({ seq, excluded }): [number, ExclusionReason][] =>
      excluded === null ? [] : [[seq, excluded]],
    );
    insertExclusions(...target, new Map(excluded));
    if (this.#comparison === null) return;
    const included = messages.filter((message) => message.excluded === null);
    insertContextItems(...target, included.map(contextItemOf));
  }

  async #insertSummaries(): Promise<void> {
    if (this.#summaries.length === 0) return;
    const target = [this.#transaction, this.#scope, this.#conversationId] as const;
    const ids = this.#summaries.map((summary) => summary.id);
    const known = await findKnownSummaries(...target, ids);
    const unknown = this.#summaries.filter((summary) => !known.has(summary.id));
    this.#newSummaries += unknown.length;
    const numbered = unknown.map((summary) => ({ number: ++this.#lastSummary, summary }));
    for (const { number, summary } of numbered) this.#numbers.set(summary.id, number);
    insertSummaries(...target, numbered);
  }

  async #requireSummaries(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    const known = await findKnownSummaries(this.#transaction, this.#scope, this.#conversationId, ids);
    if (ids.some((id) => !known.has(id)))
      throw corruptDump(`a row of ${this.id} points to a summary that is missing`);
  }

  #toNewItem(item: ContextItem): NewContextItem {
    const { ordinal, tokenCount } = item;
    if (item.type === "message")
      return { ordinal, seq: item.seq, summaryNumber: null, tokenCount, stubTokenCount: null };
    const number = this.#numbers.get(item.summary);
    if (number === undefined) throw corruptDump(`a context item of ${this.id} points to a missing summary`);
    return { ordinal, seq: null, summaryNumber: number, tokenCount, stubTokenCount: null };
  }

  /** What a model wrote elsewhere of a file that is here. */
  async #takeDescriptions(messages: readonly IncomingMessage[]): Promise<void> {
    for (const { files, ...message } of messages)
      for (const file of files)
        if (file.described !== null)
          await takeDescription(this.#transaction, this.#scope, this.#conversationId, file, message);
  }

  async #compareKnown(messages: readonly IncomingMessage[]): Promise<void> {
    const [first, last] = [messages[0], messages.at(-1)];
    if (first === undefined || last === undefined) return;
    const rows = await this.#transaction.rows<{ seq: number; hash: string }>(
      `SELECT seq, encode(hash, 'hex') AS hash FROM messages
       WHERE tenant = $1 AND conversation_id = $2 AND seq BETWEEN $3 AND $4`,
      this.#scope.tenant,
      this.#conversationId,
      first.seq,
      last.seq,
    );
    const known = new Map(rows.map((row) => [row.seq, row.hash]));
    const other = messages.find((message) => known.get(message.seq) !== message.hash);
    if (other === undefined) return this.#takeDescriptions(messages);
    throw new PalimpsestError(
      "conflict",
      `${this.id} differs from what is on record here, from message ${other.seq} on`,
      { advice: "Two histories of one conversation cannot be merged. Nothing was written." },
    );
  }
}

/** What stands in the message is cut out of it; what does not has come before it. */
function toNewFile(file: DumpedFile): DatedFile {
  return { ...file, content: file.places.length === 0 ? file.content : null };
}
