/**
 * Loads one conversation of a dump. Its chain is checked on the way. Rows are collected and written in batches. Stored data
 * is compared, never changed: the shorter of the two histories must be a prefix of the longer one. Only the stored context is
 * replaced by one that is ahead of it.
 */
import { PalimpsestError } from "../../errors.ts";
import type { ExclusionReason } from "../../types.ts";
import type { DatedFile } from "../file-store.ts";
import { HeldConversation, type Port } from "../port.ts";
import { ContextComparison } from "../rules/compare-contexts.ts";
import { messageItem, type NewContextItem } from "../rules/context-item.ts";
import { type ErasedAt, mayHoldErased } from "../rules/erased-receipts.ts";
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
import { insertReceipts } from "../tables/assembly-receipts.ts";
import { insertEvents, newestEvent } from "../tables/compaction-events.ts";
import { readExclusions, setExclusions } from "../tables/context-exclusions.ts";
import { insertContextItems, takeCounts } from "../tables/context-items.ts";
import {
  type ConversationRow,
  dropContext,
  finishLoad,
  type IncomingConversation,
  insertIncoming,
  isTaken,
  lockConversation,
  type MissingRows,
  missingRowsOf,
  moveHead,
  takeNames,
} from "../tables/conversations.ts";
import { describeFile } from "../tables/large-files.ts";
import { insertParts } from "../tables/message-parts.ts";
import { insertMessages, readErased, readHashes, recountTokens, setTokens } from "../tables/messages.ts";
import { insertSummaries, readNumbers, type SummaryNumberRow } from "../tables/summaries.ts";
import { addLines } from "../tables/transcript-lines.ts";
import { advanceState } from "../tables/transcripts.ts";
import { insertTurns } from "../tables/turns.ts";
import { corruptDump } from "./corrupt-dump.ts";
import { eraseSummariesAbove } from "./erase.ts";
import { keepApart } from "./keep-apart.ts";
import { LoadedContents } from "./load-contents.ts";

type RowInside = Exclude<
  DumpRow,
  { row: "conversation" | "audit" | "memory" | "decision" | "capture" | "damage" }
>;
type IncomingMessage = StoredMessage & { readonly files: readonly DumpedFile[] };

const BATCH_ROWS = 1_000;
const BATCH_BYTES = 8 * 1024 * 1024;

interface LoadedCounts {
  readonly isNew: boolean;
  readonly added: number;
  readonly summaries: number;
  readonly alreadyThere: number;
}

/** The stored conversation before the load. */
interface OnRecord {
  readonly row: ConversationRow;
  readonly erased: readonly ErasedAt[];
  readonly comparison: ContextComparison;
  readonly missing: MissingRows;
}

/** Rows to be written together. */
class Batch {
  readonly messages: IncomingMessage[] = [];
  readonly summaries: StoredSummary[] = [];
  readonly events: CompactionEvent[] = [];
  readonly items: ContextItem[] = [];
  readonly turns: StoredTurn[] = [];
  readonly receipts: StoredReceipt[] = [];
  readonly lines: StoredTranscriptLine[] = [];
  rows = 0;
  bytes = 0;

  get isFull(): boolean {
    return this.rows >= BATCH_ROWS || this.bytes >= BATCH_BYTES;
  }
}

export class LoadedConversation {
  readonly id: string;
  readonly #held: HeldConversation;
  readonly #incoming: IncomingConversation;
  /** Null for a conversation that was not stored. */
  readonly #onRecord: OnRecord | null;
  /** Which context is used; undecided until all messages and summaries were read. */
  #context: "undecided" | "stored" | "incoming";
  readonly #contents: LoadedContents;
  #batch = new Batch();
  /** Numbers of the stored and the incoming summaries. */
  readonly #numbers: Map<string, number>;
  #newSummaries = 0;
  #lastSummary: number;
  #end = { lastSeq: 0, hash: "" };
  /** The dump lists something of it as damaged or missing: its rows are loaded without the usual checks. */
  #isDamaged = false;

  private constructor(
    held: HeldConversation,
    incoming: IncomingConversation,
    onRecord: OnRecord | null,
    numbers: Map<string, number>,
  ) {
    this.id = incoming.id;
    this.#held = held;
    this.#contents = new LoadedContents(held.port, held.scope);
    this.#incoming = incoming;
    this.#onRecord = onRecord;
    this.#context = onRecord === null ? "incoming" : "undecided";
    this.#numbers = numbers;
    this.#lastSummary = onRecord?.row.last_summary ?? 0;
  }

  static async start(port: Port, incoming: IncomingConversation): Promise<LoadedConversation> {
    const scope = { tenant: incoming.tenant, agent: incoming.agent };
    const row = await lockConversation(port, scope, { id: incoming.id });
    if (row === undefined) {
      await refuseTaken(port, incoming);
      const held = new HeldConversation(port, scope, await insertIncoming(port, incoming));
      return new LoadedConversation(held, incoming, null, new Map());
    }
    const held = new HeldConversation(port, scope, row.conversation_id);
    const summaries = await readNumbers(held);
    const erased = await readErased(held);
    const comparison = await compareWithStored(held, row, incoming, erased, summaries);
    const numbers = new Map(summaries.map(({ summary_id, summary_number }) => [summary_id, summary_number]));
    const missing = await missingRowsOf(held);
    return new LoadedConversation(held, incoming, { row, erased, comparison, missing }, numbers);
  }

  async take(row: RowInside): Promise<void> {
    if (row.row === "file-content") return this.#contents.take(row);
    await this.#contents.end();
    if (row.row === "compaction-event" || row.row === "context-item") await this.#decideContext();
    this.#gather(row);
    this.#batch.rows++;
    if ("content" in row) this.#batch.bytes += row.content?.length ?? 0;
    if (this.#batch.isFull) await this.#flush();
  }

  /** All announced messages must have been read, and the newest must be the head. */
  async end(): Promise<LoadedCounts> {
    await this.#contents.end();
    this.#requireAllMessages();
    await this.#flush();
    const { messageCount } = this.#incoming;
    const known = this.#known;
    if (this.#onRecord !== null && messageCount > known) moveHead(this.#held, this.#incoming);
    if (this.#incoming.contextItems === 0) await this.#decideContext();
    if (this.#context === "incoming" && this.#onRecord?.comparison.isLater)
      await takeNames(this.#held, this.#incoming);
    await this.#keepErased();
    finishLoad(this.#held, this.#lastSummary, this.#onRecord?.missing ?? { turns: 0, receipts: 0 });
    return {
      isNew: this.#onRecord === null,
      added: Math.max(0, messageCount - known),
      summaries: this.#newSummaries,
      alreadyThere: Math.min(known, messageCount),
    };
  }

  abandon(): void {
    this.#contents.abandon();
  }

  /** Drops a content that is only partly loaded. Damaged histories are not merged with others. */
  expectDamage(): void {
    this.#contents.abandon();
    this.#isDamaged = true;
    if (this.#onRecord !== null)
      throw conflict(
        `${this.id} is on record here, and damaged in the import`,
        "Nothing was written. Restore the backup into a new store: lcm restore FILE, with another `dataDir` or `databaseUrl`.",
      );
  }

  /** Messages that were already stored: incoming ones up to here are compared, not inserted. */
  get #known(): number {
    return this.#onRecord?.row.last_seq ?? 0;
  }

  /** Content that was erased here must not be restored by a summary that was made elsewhere. */
  async #keepErased(): Promise<void> {
    const seqs = this.#onRecord?.erased.map(({ seq }) => seq) ?? [];
    if (seqs.length > 0) await eraseSummariesAbove(this.#held, seqs);
  }

  /** A stored context is replaced by one that is ahead of it. Otherwise it stays, and new messages are added to it. */
  async #decideContext(): Promise<void> {
    if (this.#context !== "undecided" || this.#onRecord === null) return;
    await this.#flush();
    const { replacesStored, exclusions } = this.#onRecord.comparison;
    this.#context = replacesStored ? "incoming" : "stored";
    if (!replacesStored) return;
    dropContext(this.#held, this.#known);
    setExclusions(this.#held, exclusions);
  }

  #requireAllMessages(): void {
    const { messageCount, headHash } = this.#incoming;
    if (this.#isDamaged) return;
    if (this.#end.lastSeq !== messageCount || this.#end.hash !== headHash)
      throw corruptDump(`${this.id} is not complete: message ${this.#end.lastSeq + 1} is missing`);
  }

  /** Messages come first, because all later rows refer to them. */
  #gather(row: Exclude<RowInside, { row: "file-content" }>): void {
    if (row.row !== "message") this.#requireAllMessages();
    switch (row.row) {
      case "message":
        this.#checkSeal(row);
        if (row.seq <= this.#known) this.#onRecord?.comparison.message(row);
        this.#batch.messages.push(row);
        break;
      case "summary":
        this.#onRecord?.comparison.summary(row);
        this.#batch.summaries.push(row);
        break;
      case "compaction-event":
        this.#batch.events.push(row);
        break;
      case "context-item":
        if (this.#context === "incoming") this.#batch.items.push(row);
        break;
      case "turn":
        this.#batch.turns.push(row);
        break;
      case "receipt":
        if (!mayHoldErased(row, this.#onRecord?.erased ?? [])) this.#batch.receipts.push(row);
        break;
      case "transcript":
        advanceState(this.#held, row, row.updatedAt);
        break;
      case "transcript-line":
        this.#batch.lines.push(row);
    }
  }

  #checkSeal(row: StoredMessage): void {
    if (!this.#isDamaged && !follows(this.#end, row))
      throw corruptDump(`message ${row.seq} of ${this.id} does not match its hash`);
    this.#end = { lastSeq: row.seq, hash: row.hash };
  }

  /** Messages first, because the others refer to them. */
  async #flush(): Promise<void> {
    const { messages, summaries, events, turns, receipts, lines, ...batch } = this.#batch;
    this.#batch = new Batch();
    await this.#compareKnown(messages.filter(({ seq }) => seq <= this.#known));
    await this.#insertMessages(messages.filter(({ seq }) => seq > this.#known));
    this.#insertSummaries(summaries);
    await this.#insertEvents(events);
    const items = batch.items.filter((item) => item.type === "message" || this.#isKnown(item.summary));
    insertContextItems(
      this.#held,
      items.map((item) => this.#toNewItem(item)),
    );
    takeCounts(
      this.#held,
      items.flatMap((item) => (item.type === "message" ? [item.seq] : [])),
    );
    insertTurns(this.#held, turns);
    insertReceipts(this.#held, receipts);
    addLines(this.#held, lines);
    await this.#held.port.settle();
  }

  async #insertMessages(messages: readonly IncomingMessage[]): Promise<void> {
    const dated = messages.map((message) => ({ ...message, files: message.files.map(toDatedFile) }));
    insertMessages(this.#held, dated, await keepApart(this.#held, dated));
    insertParts(this.#held, messages);
    const excluded = messages.flatMap(({ seq, excluded }): [number, ExclusionReason][] =>
      excluded === null ? [] : [[seq, excluded]],
    );
    setExclusions(this.#held, new Map(excluded));
    if (this.#onRecord === null) return;
    const shown = messages.filter((message) => message.excluded === null);
    insertContextItems(this.#held, shown.map(messageItem));
  }

  #insertSummaries(summaries: readonly StoredSummary[]): void {
    const unknown = summaries.filter(({ id }) => !this.#numbers.has(id));
    this.#newSummaries += unknown.length;
    for (const { id } of unknown) this.#numbers.set(id, ++this.#lastSummary);
    insertSummaries(
      this.#held,
      unknown.map((summary) => ({
        number: this.#numberOf(summary.id),
        summary,
        parents:
          summary.sources.type === "summaries"
            ? summary.sources.ids.filter((id) => this.#isKnown(id)).map((id) => this.#numberOf(id))
            : [],
      })),
    );
  }

  async #insertEvents(given: readonly CompactionEvent[]): Promise<void> {
    const events = given.filter(({ summary }) => this.#isKnown(summary));
    if (events.length === 0) return;
    const newest = await newestEvent(this.#held);
    insertEvents(
      this.#held,
      events.map((event, index) => ({
        number: newest + 1 + index,
        summaryNumber: this.#numberOf(event.summary),
        event,
      })),
    );
  }

  /** If rows are missing, links to them are left out; otherwise each link must have a target. */
  #isKnown(summary: string): boolean {
    return !this.#isDamaged || this.#numbers.has(summary);
  }

  #numberOf(summary: string): number {
    const number = this.#numbers.get(summary);
    if (number === undefined) throw corruptDump(`a row of ${this.id} points to a summary that is missing`);
    return number;
  }

  #toNewItem(item: ContextItem): NewContextItem {
    const { ordinal, tokenCount } = item;
    const place =
      item.type === "message"
        ? { seq: item.seq, summaryNumber: null }
        : { seq: null, summaryNumber: this.#numberOf(item.summary) };
    return { ordinal, tokenCount, stubTokenCount: null, ...place };
  }

  async #compareKnown(messages: readonly IncomingMessage[]): Promise<void> {
    const [first, last] = [messages[0], messages.at(-1)];
    if (first === undefined || last === undefined) return;
    const known = await readHashes(this.#held, first.seq, last.seq);
    const other = messages.find((message) => known.get(message.seq) !== message.hash);
    if (other === undefined) return this.#takeDescriptions(messages);
    throw new PalimpsestError(
      "conflict",
      `${this.id} differs from the stored conversation from message ${other.seq} on`,
      { advice: "Two histories of one conversation cannot be merged. Nothing was written." },
    );
  }

  /** A model's description, made elsewhere, of a stored file: later summaries were counted with it. */
  async #takeDescriptions(messages: readonly IncomingMessage[]): Promise<void> {
    for (const { files, ...message } of messages)
      for (const { id, described } of files) {
        if (described === null) continue;
        const seq = await describeFile(this.#held, id, described, { mustBeShown: false });
        if (seq === undefined) continue;
        setTokens(this.#held, seq, message);
        recountTokens(this.#held);
      }
  }
}

/** Payloads in the message are cut out of it; other contents were loaded before it. */
function toDatedFile(file: DumpedFile): DatedFile {
  return { ...file, content: file.places.length === 0 ? file.content : null };
}

async function compareWithStored(
  held: HeldConversation,
  existing: ConversationRow,
  incoming: IncomingConversation,
  erased: readonly ErasedAt[],
  summaries: readonly SummaryNumberRow[],
): Promise<ContextComparison> {
  const stored = {
    messageCount: existing.last_seq,
    updatedAt: existing.updated_at,
    erased: new Set(erased.map(({ seq }) => seq)),
    exclusions: await readExclusions(held),
    summaries: new Map(
      summaries.map((row) => [row.summary_id, { isErased: row.encoding === "erased" }] as const),
    ),
  };
  return new ContextComparison(stored, incoming);
}

/** Refuses an id that is taken in another scope, and a session that is active here in another conversation. */
async function refuseTaken(port: Port, incoming: IncomingConversation): Promise<void> {
  const { byId, session, activeAs } = await isTaken(port, incoming);
  if (byId) throw conflict(`${incoming.id} is on record for another tenant or agent`);
  if (activeAs !== null)
    throw conflict(
      `session ${session} of ${incoming.id} is active here as ${activeAs}`,
      `Archive that conversation first: lcm conversations archive ${activeAs}`,
    );
}

function conflict(message: string, advice = "Nothing was written."): PalimpsestError {
  return new PalimpsestError("conflict", message, { advice });
}
