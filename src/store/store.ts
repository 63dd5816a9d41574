/**
 * The contract between the engine and its databases. Code outside `store/` does not know which database runs.
 *
 * Three promises of every implementation, tested by `store/testing/conformance.ts`:
 *  - `commit` is the only way to change anything. It is atomic, and once it resolves,
 *    its writes survive a crash of the process or the machine.
 *  - A `ScopedStore` sees and changes only conversations of its tenant and agent.
 *  - Writes to one conversation are serialised across threads, processes and machines; others are not delayed.
 *
 * Truth: conversations, messages, files and their contents, turns, receipts, summaries, compaction events, context
 * items, exclusions, transcripts, audit log; and long-term memory, as `memory-store.ts` says.
 * `message_parts` is an index of the messages' shape and can be rebuilt from them; so can the search index and the vectors.
 */
import type {
  Conversation,
  ExclusionReason,
  HostContext,
  MessageFormat,
  PartType,
  Role,
  Scope,
  Summary,
  SummaryQuality,
  ToolStatus,
} from "../types.ts";
import type {
  DescribeFileWrite,
  ExternaliseWrite,
  FileStore,
  GarbageReport,
  InternaliseWrite,
  NewFile,
  Payloads,
  StoredFile,
} from "./file-store.ts";
import type {
  Descended,
  DescendQuery,
  DescribedSummary,
  Lineage,
  LineageOf,
  SummaryOutline,
} from "./lineage.ts";
import type { MemoryAccess, MemoryEvent, MemoryStore, NewDecision, StoredMemory } from "./memory-store.ts";
import type { EmbedWrite, MessageVectorStore } from "./message-vectors.ts";
import type { IndexWrite, SearchStore } from "./search-store.ts";

export type EngineName = "sqlite" | "postgres";

export interface Store {
  readonly engine: EngineName;
  scoped(scope: Scope): ScopedStore;
  memoriesOf(access: MemoryAccess): MemoryStore;

  // What follows concerns the whole store and belongs to its operator.
  scopes(): Promise<readonly Scope[]>;
  /** All scopes that have a conversation, a record or a memory, by name. */
  tenants(): Promise<readonly string[]>;
  info(): Promise<StoreInfo>;
  /**
   * Asks the database itself whether its files are intact. Empty if they are. `quick` leaves out the slowest checks,
   * such as comparing indexes with their tables; a database without a quicker check ignores it.
   */
  checkEngine(options?: EngineCheckOptions): Promise<readonly string[]>;
  /** Every row of truth in one fixed order, from one consistent snapshot, while others keep writing. */
  dump(options?: DumpOptions): AsyncIterable<DumpRow>;
  /**
   * Takes in rows as `dump` gives them, all or nothing: also when it is stopped by its signal, and so a load that
   * is repeated starts over. A conversation that exists already must be a prefix of the incoming one, or the other
   * way round. Its context becomes the incoming one when nothing here is missing there; when both went on
   * separately it stays, and incoming summaries are kept on record. Memories are merged by id: what was revised later
   * holds, and what was erased here stays erased. Of two that are in force under one fact key, the later by `validFrom`
   * stays so and the other one is kept as superseded by it. Other words under one id are refused with `conflict`.
   */
  load(rows: AsyncIterable<DumpRow>, options: LoadOptions): Promise<LoadReport>;
  /**
   * Gives freed space back and makes sure that erased content is gone from the engine's own files. SQLite does it by itself
   * after each erasure, as soon as no other process is reading; on PostgreSQL it is for the operator to ask for.
   */
  compactFiles(): Promise<void>;
  /** Removes contents of files that nothing refers to; only counts them with `dryRun`. */
  collectGarbage(options: { readonly dryRun: boolean }): Promise<GarbageReport>;
  close(): Promise<void>;
}

export interface EngineCheckOptions {
  /** Only what shows without comparing indexes with rows. Default false. */
  readonly quick?: boolean;
  /** Only what is wrong with the engine's files, and not what rows say; nothing where a server keeps them. Default false. */
  readonly structureOnly?: boolean;
  /** Only what is missing of the records of erasures, of every tenant. Default false. */
  readonly erasuresOnly?: boolean;
}

export interface ScopedStore extends SearchStore, MessageVectorStore, FileStore {
  readonly scope: Scope;
  /** If set, only these conversations exist for the holder of this store. */
  readonly reach?: Reach;
  commit(writes: readonly Write[]): Promise<readonly WriteResult[]>;
  /**
   * Runs while no other process compacts this conversation. Throws `busy` immediately if one does.
   * Others keep reading and writing, and no transaction is open meanwhile. It saves work and does not replace
   * the check that `publish` makes: a holder that stops for too long, or loses its connection, loses the lock too.
   */
  exclusively<Result>(conversation: string, run: () => Promise<Result>): Promise<Result>;

  conversation(address: Address): Promise<StoredConversation | undefined>;
  /** Ordered by last change, newest first, then by id. */
  conversations(query: ConversationQuery): Promise<Page<ListedConversation>>;
  /** Ordered by seq. `next` is the seq to continue from. */
  messages(conversation: string, query: MessageQuery): Promise<Page<StoredMessage>>;
  /** The same as bytes, with payloads as in `summarise`, without what was erased; a page ends at 8 MiB of them. */
  originals(conversation: string, query: RangeQuery): Promise<Page<StoredOriginal>>;
  /** Ordered by ordinal. `next` is the ordinal to continue from. */
  contextItems(conversation: string, query: RangeQuery): Promise<Page<ContextItem>>;
  /** The shape of the context for planning, without content. Ordered by ordinal. */
  contextShape(conversation: string, query: RangeQuery): Promise<Page<ShapeItem>>;
  /**
   * The newest items of the context that fit, whole and with their content, oldest first; at least one. System
   * messages and the newest user message, where they stand before, come apart. Costs what the window holds,
   * whatever the history is.
   */
  contextWindow(conversation: string, query: WindowQuery): Promise<ContextWindow>;
  summary(id: string): Promise<StoredSummary | undefined>;
  /** Ordered by depth, then by the first message. `next` is the row to continue from. */
  summaries(conversation: string, query: RangeQuery): Promise<Page<StoredSummary>>;
  /** The same without their texts. */
  summaryOutlines(conversation: string, query: RangeQuery): Promise<Page<SummaryOutline>>;
  /** All the way up and all the way down from a message or a summary. Empty for what is not there. */
  lineage(conversation: string, of: LineageOf): Promise<Lineage>;
  /** A summary with its lineage. */
  describeSummary(id: string): Promise<DescribedSummary | undefined>;
  /** From a summary down to its sources. */
  descend(query: DescendQuery): Promise<Descended | undefined>;
  /** How many summaries have links to what they were made from, and are not on record themselves. */
  missingSummaries(conversation: string): Promise<number>;
  /** Ids of summaries that begin or end like this one, to find a slip in it. At most 100. */
  similarSummaryIds(id: string): Promise<readonly string[]>;
  /** Ids of conversations, summaries and files that begin with this text, last changed first. At most 100. */
  idsBeginning(text: string): Promise<readonly string[]>;
  /** Ordered by the first seq. `next` is the seq to continue from. */
  turns(conversation: string, query: RangeQuery): Promise<Page<StoredTurn>>;
  /** Ordered by the first seq of their turns. `next` is the seq to continue from. */
  receipts(conversation: string, query: RangeQuery): Promise<Page<StoredReceipt>>;
  /** Compaction events, oldest first. `next` is the position to continue from. */
  compactionEvents(conversation: string, query: RangeQuery): Promise<Page<CompactionEvent>>;
  /** Transcripts that were read into this conversation, oldest first. */
  transcripts(conversation: string): Promise<readonly Transcript[]>;
  /** Transcripts that are not on record while some of their lines are, as these tell. */
  lostTranscripts(conversation: string): Promise<readonly Transcript[]>;
  /** Current transcripts that were read from this path, in any conversation of the scope. */
  transcriptsAt(path: string): Promise<readonly Transcript[]>;
  /** Ids of conversations that have a message under this key, oldest first. Looks into each conversation of the scope. */
  conversationsWith(key: string): Promise<readonly string[]>;
  /** Ordered by line. `next` is the line to continue from. */
  transcriptLines(conversation: string, query: TranscriptLineQuery): Promise<Page<StoredTranscriptLine>>;
  /** Oldest first. `next` is the position to continue from. */
  auditLog(query: RangeQuery): Promise<Page<AuditRecord>>;
  /** Its newest records after a position, newest first, without what they say. */
  auditMarks(after: number, limit: number): Promise<readonly AuditMark[]>;
  /** Since when the store's own files may hold words of this tenant that were erased; null when they are clean. */
  uncleanedSince(): Promise<string | null>;
}

export interface Reach {
  conversations(): ReadonlySet<string>;
  /** Messages and summaries that a search looks at. */
  documents(): Promise<number>;
}

export interface Page<Row> {
  readonly rows: readonly Row[];
  /** Where the next page starts; null when this page reached the end. */
  readonly next: number | null;
}

export interface RangeQuery {
  /** First position wanted (seq, ordinal or line, inclusive). Default: from the start. */
  readonly from?: number;
  /** Last position wanted, inclusive. Default: to the end. */
  readonly to?: number;
  /** Most rows in one page. Default 1,000. */
  readonly limit?: number;
}

/** A conversation by id, or the one that is active for a session. */
export type Address =
  | { readonly id: string }
  | { readonly sessionId: string; readonly sessionKey: string | null };

/** A conversation's row; the public noun has nothing else. */
export type StoredConversation = Conversation;

/** In a list, with the times of its first and its newest message. Null while it has none. */
export interface ListedConversation extends StoredConversation {
  readonly firstAt: string | null;
  readonly lastAt: string | null;
}

export interface ConversationQuery {
  /** Include archived conversations. Default false. */
  readonly archived?: boolean;
  /** Only conversations that were started in this folder or below it. */
  readonly project?: string;
  /** The same folder without symbolic links: hosts report either. */
  readonly realProject?: string;
  /** Only those of this host. */
  readonly host?: string;
  /** Only those that come from this conversation. */
  readonly parent?: string;
  /** Only those of the session with this name, active or archived. */
  readonly session?: string;
  /** How many to skip: `next` from the previous page. Default 0. */
  readonly from?: number;
  readonly limit?: number;
}

export interface MessageQuery extends RangeQuery {
  readonly roles?: readonly Role[];
  /** Stop a page once it holds this many bytes of originals (at least one message). Default 8 MiB. */
  readonly maxBytes?: number;
  /** Leave the content out and read only the rest. Default false. */
  readonly withoutContent?: boolean;
  /** Default `whole`. */
  readonly payloads?: Payloads;
  /** References as they were at this time: what a model wrote of a file then or later is not in them. */
  readonly describedBefore?: string;
}

export interface StoredMessage {
  readonly seq: number;
  readonly key: string;
  readonly role: Role;
  readonly format: MessageFormat;
  /** The exact original: text where it is valid text without NUL, bytes otherwise; null once erased. */
  readonly content: string | Uint8Array | null;
  /** Of what the model reads: files count as their references. */
  readonly tokenCount: number;
  /** The same with its results as stubs; null when it has none to be shown so. */
  readonly stubTokenCount: number | null;
  readonly createdAt: string;
  readonly erasedAt: string | null;
  readonly excluded: ExclusionReason | null;
  /** 16 random bytes in hex; null once erased, so that the digest says nothing about what was there. */
  readonly salt: string | null;
  readonly digest: string;
  readonly hash: string;
  readonly parts: readonly PartIndex[];
}

/** A message as it was handed in, without what places, pairs and proves it. */
export interface StoredOriginal
  extends Pick<StoredMessage, "seq" | "role" | "format" | "tokenCount" | "createdAt"> {
  /** The buffers behind a page's contents are nobody else's: they may be handed to another thread. */
  readonly content: Uint8Array<ArrayBuffer>;
  /** Of the payloads that came in it. */
  readonly fileIds: readonly string[];
}

/** One row of `message_parts`: what is searched and paired without opening the message. */
export interface PartIndex {
  readonly type: PartType;
  readonly toolCallId: string | null;
  readonly toolName: string | null;
  readonly toolStatus: ToolStatus | null;
}

export interface NewMessage {
  readonly key: string;
  readonly role: Role;
  readonly format: MessageFormat;
  /** The whole original, payloads included. */
  readonly content: string | Uint8Array;
  readonly tokenCount: number;
  readonly stubTokenCount: number | null;
  /** Payloads that are kept apart. */
  readonly files: readonly NewFile[];
  readonly createdAt: string;
  readonly salt: string;
  readonly parts: readonly PartIndex[];
  /** Set when the message is on record but not in the context from the start. */
  readonly excluded: ExclusionReason | null;
}

/** One row of the ordered list that the model sees. */
export type ContextItem =
  | { readonly ordinal: number; readonly type: "message"; readonly seq: number; readonly tokenCount: number }
  | {
      readonly ordinal: number;
      readonly type: "summary";
      readonly summary: string;
      readonly tokenCount: number;
    };

/**
 * An item stands at the seq of the first message it covers, times this: nothing is ever renumbered, and a
 * summary that is taken apart leaves room for what it covered.
 */
export const ORDINAL_GAP = 1024;

/** A context item as planning sees it. */
export type ShapeItem =
  | {
      readonly ordinal: number;
      readonly type: "message";
      readonly seq: number;
      readonly tokenCount: number;
      readonly role: Role;
      readonly toolCalls: readonly string[];
      readonly toolResults: readonly string[];
    }
  | {
      readonly ordinal: number;
      readonly type: "summary";
      readonly summary: string;
      readonly tokenCount: number;
      readonly depth: number;
      readonly quality: SummaryQuality;
    };

export interface WindowQuery {
  readonly maxTokens: number;
  /** What each item costs beside its own tokens. Default 0. */
  readonly itemTokens?: number;
  /** Tokens of summaries that stand before the window and are wanted beside it. Default 0. */
  readonly summaryTokens?: number;
  /** Given: results of tools that are old are shown as stubs. */
  readonly stubs?: StubQuery;
  /** What the caller has read before: it never changes and need not come again. */
  readonly held?: {
    readonly seqs: readonly number[];
    /** Messages that are held with their results as stubs. */
    readonly stubs?: readonly number[];
    readonly summaries: readonly string[];
  };
}

/**
 * From where on results are shown whole. The newest compaction has settled it, with its `freshFrom`. A context that is
 * larger than `above` all the same shows only its newest `freshItems` whole, or as many of them as take `freshTokens`, and
 * up to `stepTokens` more: the border moves on when that many have come, or half as many above `fullAt`, where what is shown
 * changes anyway.
 */
export interface StubQuery {
  readonly above: number;
  readonly freshItems: number;
  readonly freshTokens: number;
  readonly stepTokens: number;
  readonly fullAt: number;
}

/** A context item with its content, which is null when the caller holds it. */
export type WindowItem =
  | {
      readonly ordinal: number;
      readonly type: "message";
      readonly seq: number;
      /** Shown with its results as stubs. */
      readonly isStub: boolean;
      /** Its payloads are as in `context`, or as in `stubs` when it is one. */
      readonly message: StoredMessage | null;
    }
  | {
      readonly ordinal: number;
      readonly type: "summary";
      readonly id: string;
      readonly summary: StoredSummary | null;
    };

export interface ContextWindow {
  readonly items: readonly WindowItem[];
  /** Items of the context that stand before the window. */
  readonly left: { readonly items: number; readonly tokens: number };
  /** The newest summaries among them that fit into `summaryTokens`, oldest first. */
  readonly summaries: readonly Extract<WindowItem, { type: "summary" }>[];
  /** Messages among them that are shown in any case: system messages, and the newest one of the user. */
  readonly pinned: readonly Extract<WindowItem, { type: "message" }>[];
}

export interface StoredSummary extends Omit<Summary, "conversation"> {
  readonly conversation: string;
  /** What it was made from, in order. */
  readonly sources: SummarySources;
}

export type SummarySources =
  | { readonly type: "messages"; readonly seqs: readonly number[] }
  | { readonly type: "summaries"; readonly ids: readonly string[] };

/** What the store works out from the sources of a summary. */
export const SUMMARY_LINEAGE = [
  "kind",
  "depth",
  "firstSeq",
  "lastSeq",
  "earliestAt",
  "latestAt",
  "messageCount",
  "sourceTokenCount",
  "descendantCount",
  "descendantTokenCount",
  "merkleRoot",
] as const satisfies readonly (keyof StoredSummary)[];

export type NewSummary = Omit<
  StoredSummary,
  (typeof SUMMARY_LINEAGE)[number] | "contentHash" | "conversation"
> & { readonly content: string };

export interface StoredTurn {
  readonly key: string;
  /** SHA-256 over the keys of the turn's messages: tells a replay from another turn under the same key. */
  readonly keysDigest: string;
  readonly firstSeq: number;
  readonly messageCount: number;
}

/** The receipt of what a model saw before it produced a turn. */
export interface StoredReceipt {
  /** First message that was new with the turn. */
  readonly firstSeq: number;
  readonly at: string;
  /** JSON text. The store does not look into it. */
  readonly content: string;
}

/** One version of a host's transcript file, read into a conversation. */
export interface Transcript {
  readonly conversation: string;
  /** Counts up from 1 in its conversation. */
  readonly number: number;
  readonly path: string;
  readonly format: MessageFormat;
  /** The version this one continues: its first `sharedLines` lines are that one's. Null for a first version. */
  readonly previous: number | null;
  readonly sharedLines: number;
  /** Lines known of this version, shared ones included. */
  readonly lineCount: number;
  /** Byte offset behind the last complete line that was read. */
  readonly offset: number;
  readonly size: number;
  readonly modifiedAtMs: number;
  /**
   * SHA-256 of the file up to `offset`. Null once something of it was erased: what is missing could be guessed from it.
   * Earlier versions kept the hash of the last line here, which no file has.
   */
  readonly readHash: string | null;
  readonly lastLineBytes: number;
  /** Version of the readers that read it: lines they could not read are tried again by newer ones. */
  readonly readerVersion: number;
  readonly updatedAt: string;
}

/**
 * What is on record of a conversation's transcripts, as far as reading one of them goes on from it. Two processes
 * may read one file at the same time: the store compares, holding the conversation's lock, and the one that was
 * overtaken plans again from what the other has stored.
 */
export interface TranscriptBasis {
  /** The highest number among the conversation's transcripts; 0 when it has none. */
  readonly newest: number;
  /** How far the version was read that goes on, or that a new one shares lines with. Null when there is none. */
  readonly base: TranscriptProgress | null;
}

export type TranscriptProgress = Pick<
  Transcript,
  "number" | "lineCount" | "offset" | "size" | "readHash" | "readerVersion"
>;

/** `message`: its content is the message's. `event`: kept, not part of the conversation. */
export type TranscriptLineKind = "message" | "event" | "unreadable" | "torn" | "erased";

/** Where a line stands in its transcript: in the conversation itself, in a sub-agent's, or put in by the host. */
export type TranscriptLane = "main" | "sidechain" | "injected";

export interface NewTranscriptLine {
  readonly line: number;
  readonly kind: TranscriptLineKind;
  /** The line's bytes without the line feed; null for a message line, whose bytes are the message's. */
  readonly content: string | Uint8Array | null;
  /** For a message line: the key of its message in the same write, or the seq of one that is on record. */
  readonly messageKey: string | null;
  readonly seq: number | null;
  /** The host's id of this entry, the entry it follows, and the model response it belongs to. */
  readonly entryKey: string | null;
  readonly parentKey: string | null;
  readonly response: string | null;
  readonly lane: TranscriptLane;
  readonly hash: string | null;
  /** Why it could not be read. */
  readonly problem: string | null;
}

export interface StoredTranscriptLine extends Omit<NewTranscriptLine, "messageKey"> {
  readonly transcript: number;
  readonly origin: LineOrigin | null;
}

/**
 * What the row of a line's message says that cannot be read from the line: with it, a row that is lost can be written again
 * exactly as it was. Null for other lines, for erased messages, and in archives of earlier versions.
 */
export type LineOrigin = Pick<NewMessage, "salt" | "createdAt">;

export interface TranscriptLineQuery extends RangeQuery {
  readonly transcript: number;
  readonly kinds?: readonly TranscriptLineKind[];
  /** Leave the content out and read only the shape. Default false: a page ends at 8 MiB of content. */
  readonly withoutContent?: boolean;
}

export interface AuditRecord {
  readonly at: string;
  readonly action: string;
  readonly conversation: string | null;
  /** JSON text that says what was done, never the content it was done to. */
  readonly detail: string;
}

/** That something was erased or deleted, for those who follow the store. */
export interface AuditMark extends Pick<AuditRecord, "action" | "conversation"> {
  /** In the audit log; rises with each record. */
  readonly position: number;
}

export type Write =
  | AppendWrite
  | PublishWrite
  | UpdateConversationWrite
  | DeleteConversationWrite
  | EraseWrite
  | ReindexWrite
  | IndexWrite
  | EmbedWrite
  | ExternaliseWrite
  | InternaliseWrite
  | DescribeFileWrite;

/** Adds messages at the end of a conversation, and what belongs to the same moment. */
export interface AppendWrite {
  readonly kind: "append";
  readonly address: Address;
  /** Given: the conversation is created when the address finds none. */
  readonly create: NewConversation | null;
  /**
   * Identifies a turn: the same key with the same messages changes nothing, with others it is refused. A message of
   * it that was erased counts as the same, and is not stored again.
   */
  readonly turnKey: string | null;
  readonly messages: readonly NewMessage[];
  /**
   * What happens when a message's key is known with other content. `refuse`: the write fails with `conflict`.
   * `branch`: it is kept as another version under `key~2`, `key~3`, …, whichever is free or equal. Either way a
   * message that is on record as erased, under its key or as a version of it, counts as the one that comes unless a
   * version has the same content: it exists, and is never stored again, whatever `afterSeq` says.
   * `same`: the key alone says what a message is, and one that is on record behind `afterSeq` is the one that comes.
   */
  readonly onOtherContent: "refuse" | "branch" | "same";
  /**
   * With `branch` and `same`: keeps the order of messages on record the order of the transcript. A message on record up to
   * this seq is not taken for an incoming one; its content is kept again as another version. Rises with each
   * message placed. Null until an entry comes with other content; from then on as described.
   */
  readonly afterSeq: number | null;
  /**
   * Messages that leave the active path (before the new ones are placed), and excluded ones that come back to it.
   * Summaries that cover one that leaves, or stand around one that comes back, are taken apart.
   */
  readonly leaveContext: readonly { readonly seq: number; readonly reason: ExclusionReason }[];
  readonly enterContext: readonly number[];
  /**
   * Given: every message of the active path behind this seq that is none of these leaves it, as of another branch.
   * `first-known`: behind the first of these messages that is on record and was said.
   */
  readonly leaveOthersAfter: number | "first-known" | null;
  readonly transcript: TranscriptWrite | null;
  /** Where the conversation takes place now: see `rules/host-context.ts` for how it joins what is known. */
  readonly hostContext?: HostContext;
  /**
   * What the model saw before it produced this turn, as JSON text of ids and hashes, never of words. Kept under the
   * first message that is new; ignored when none is.
   */
  readonly receipt: string | null;
  readonly at: string;
}

export interface NewConversation {
  readonly id: string;
  readonly title: string | null;
  /** False for a title that somebody gave: erasing messages leaves it as it is. Default true. */
  readonly titleIsAutomatic?: boolean;
  readonly createdAt: string;
}

export interface TranscriptWrite {
  /** What this was planned from. When that is not on record any more, the commit is refused with `busy`. */
  readonly plannedFrom: TranscriptBasis;
  readonly state: Omit<Transcript, "conversation" | "updatedAt">;
  /**
   * Replace what is known of the same line numbers of this version. A line whose message is erased is kept without
   * its hash, and so is the state when that was its last line.
   */
  readonly lines: readonly NewTranscriptLine[];
}

/**
 * Puts a summary in the place of what it was made from. Refused with `busy` when the context no longer holds
 * exactly its sources, one behind the other: somebody else was faster, and planning again is safe.
 */
export interface PublishWrite {
  readonly kind: "publish";
  readonly id: string;
  readonly summary: NewSummary;
  /** A summary of the same sources that stands in their place. It gives that up and stays on record. */
  readonly replaces?: string;
  readonly event: CompactionEvent;
  readonly at: string;
}

/** The record of a compaction, stored beside the messages and outside their hashes. */
export interface CompactionEvent {
  readonly at: string;
  readonly summary: string;
  readonly trigger: string;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly milliseconds: number;
  /** First seq of the fresh tail when it was planned: what was old then may be shown shorter from then on. */
  readonly freshFrom: number;
}

export interface UpdateConversationWrite {
  readonly kind: "update-conversation";
  readonly id: string;
  readonly title?: string;
  /** A time archives, null brings back. */
  readonly archivedAt?: string | null;
  readonly at: string;
}

/** For memories, this is an erasure of all its messages. */
export interface DeleteConversationWrite {
  readonly kind: "delete-conversation";
  readonly id: string;
  readonly audit: AuditRecord;
}

/**
 * Removes content for good: rows become tombstones, the chain still verifies. Every summary made from an erased
 * message, at any depth, loses its text and its files; what it covered takes its place in the context, as far as
 * it is not erased. What it was made from stays on record, so that roots and depths still verify. Receipts of turns
 * behind the first message erased now (firstSeq > its seq) are deleted: their windows may have held it, and a hash
 * over a window whose rest is known would let erased words be guessed. Memories whose origin holds an erased message lose
 * their words as with `erase-memories`, with what comes back in force by it, and others their support; decisions
 * that name one are deleted. The audit record names these memories.
 */
export interface EraseWrite {
  readonly kind: "erase";
  readonly id: string;
  readonly seqs: readonly number[];
  /** Messages that stay, but whose summaries, at any depth, repeat what is erased: these lose their text as well. */
  readonly retold: readonly number[];
  readonly lines: readonly { readonly transcript: number; readonly line: number }[];
  /**
   * Random, in hex. Given: what identifies the messages is remembered by salted digests, with the salt that the scope has or
   * else with this one; an entry of a host that comes in another conversation later is then stored as erased.
   */
  readonly salt?: string;
  /** The title after erasure. */
  readonly title: string | null;
  readonly at: string;
  readonly audit: AuditRecord;
}

/**
 * Writes the index rows of messages again and mends the context and the summaries, as a repair. The context must be
 * mended in the same write where it shows a summary that goes or loses its text. Its counters are counted anew.
 */
export interface ReindexWrite {
  readonly kind: "reindex";
  readonly id: string;
  readonly messages: readonly { readonly seq: number; readonly parts: readonly PartIndex[] }[];
  /** Messages and summaries that must be in the context and are not, and ordinals that point nowhere. */
  readonly enterContext: readonly number[];
  readonly enterSummaries: readonly string[];
  readonly dropOrdinals: readonly number[];
  /** Summaries whose text is not what was written: they lose it, as by an erasure, and so does what was made from them. */
  readonly eraseSummaries: readonly string[];
  /** Summaries that do not follow from their sources: they go, with their events and with what was made from them. */
  readonly dropSummaries: readonly string[];
  /** Links and events of summaries that are not on record go as well. */
  readonly forgetMissing: boolean;
  /** Originals that were found again elsewhere. What does not match what is on record is left out. Default: none. */
  readonly restoreMessages?: readonly RestoredMessage[];
  /** Transcripts that are not on record are written again from their lines. Default false. */
  readonly restoreTranscripts?: boolean;
}

export interface RestoredMessage {
  readonly seq: number;
  readonly content: string | Uint8Array;
  /** Given: the row itself is lost or damaged, and is written again from the line that it came in. */
  readonly row?: RestoredRow;
}

/** What the line of a message says. Its salt and its time are on record with the line. */
export interface RestoredRow
  extends Pick<NewMessage, "role" | "format" | "tokenCount" | "stubTokenCount" | "parts"> {
  /** For a row that is lost: it gets the first of them that is free. */
  readonly keys: readonly string[];
}

/** Where a message of an append is on record. */
export interface PlacedMessage {
  readonly key: string;
  readonly seq: number;
  readonly existed: boolean;
  /** It was erased before and came again: only its place is on record. */
  readonly erased: boolean;
}

export type WriteResult =
  | {
      readonly kind: "append";
      readonly conversation: StoredConversation;
      readonly created: boolean;
      /** `duplicate`: every message was there already. */
      readonly status: "committed" | "duplicate";
      readonly messages: readonly PlacedMessage[];
      /** Messages that left the active path by `leaveOthersAfter`, where that was given. */
      readonly left?: number;
    }
  | { readonly kind: "publish"; readonly conversation: StoredConversation; readonly summary: StoredSummary }
  | { readonly kind: "update-conversation"; readonly conversation: StoredConversation }
  /** `memories`: those that lost their words now. */
  | { readonly kind: "delete-conversation"; readonly messages: number; readonly memories: number }
  | {
      readonly kind: "erase";
      /** Hash of the certificate. */
      readonly certificate: string;
      readonly messages: number;
      /** Summaries that lost their text now. */
      readonly summaries: number;
      readonly lines: number;
      /** Memories that lost their words now. */
      readonly memories: number;
      /** Ids of memories that are in force again. */
      readonly restored: readonly string[];
    }
  | { readonly kind: "reindex"; readonly messages: number }
  /** The new segment, if there is one. */
  | { readonly kind: "index"; readonly segment: number | null }
  /** Messages that have vectors now. */
  | { readonly kind: "embed"; readonly messages: number }
  /** Messages that were changed: those whose payloads were as wanted already are not counted. */
  | { readonly kind: "externalise"; readonly messages: number }
  | { readonly kind: "internalise"; readonly messages: number }
  /** Of the message that the file came in. */
  | { readonly kind: "describe-file"; readonly seq: number };

/** An alias, so that a row of a database can be one. */
export type StoreCounts = {
  readonly conversations: number;
  readonly messages: number;
  readonly tokens: number;
  /** Tokens of all contexts. */
  readonly contextTokens: number;
  readonly summaries: number;
  /** Of all states, erased ones as well. */
  readonly memories: number;
  /** Embeddings of messages, by all models. */
  readonly messageVectors: number;
  readonly unreadableLines: number;
};

export interface StoreInfo extends StoreCounts {
  readonly engine: EngineName;
  /** Location of the store, without credentials. */
  readonly location: string;
  readonly engineVersion: string;
  readonly schemaVersion: number;
  readonly bytesOnDisk: number;
  /** The settings that durability depends on, as the engine reports them. */
  readonly durability: Readonly<Record<string, string>>;
}

/** What a store that may only be read says of its durability: nothing is written that could be lost. */
export const READ_ONLY: StoreInfo["durability"] = { access: "read only" };

export interface LoadOptions {
  /** Empties the store first. */
  readonly replace: boolean;
  /** Ends the load with `cancelled` at the next row; the store is then as it was. */
  readonly signal?: AbortSignal | undefined;
  /** Called every thousand rows, and when all have come. */
  readonly onProgress?: (progress: { readonly rows: number }) => void;
}

export interface LoadReport {
  readonly conversations: number;
  readonly messages: number;
  /** Summaries that were not on record before. */
  readonly summaries: number;
  /** Memories that were not on record before. */
  readonly memories: number;
  /** Messages that were. */
  readonly alreadyThere: number;
  /** What the rows said is damaged or missing in them. */
  readonly damages: readonly NamedDamage[];
}

export interface DumpOptions {
  /**
   * Given: a conversation that is damaged is left out as a whole and told here, and the dump goes on; otherwise it
   * ends with `store-corrupt`. An engine that cannot read on behind damage ends all the same.
   */
  readonly onDamage?: (damage: DumpDamage) => void;
  /**
   * Given: everything that can still be read is in the dump, checked against its hashes, and rows of the kind `damage`
   * name what is not as it was stored or is missing.
   */
  readonly withDamaged?: boolean;
}

/** Damaged or missing rows of a dump. */
export interface NamedDamage {
  /** Null when it concerns no conversation. */
  readonly conversation: string | null;
  /** The message it concerns, if it concerns one. */
  readonly seq: number | null;
  readonly problem: string;
}

export interface DumpDamage {
  /** Null when it is the memories or the audit log that cannot be read to their end. */
  readonly conversation: string | null;
  /** Messages that the conversation should have. */
  readonly messages: number;
  /** The first that cannot be read; null when all can be and something else of it is damaged. */
  readonly fromSeq: number | null;
  readonly problem: string;
}

export type DumpedFile = Omit<StoredFile, "conversation" | "seq" | "ordinal" | "bytes" | "lines">;

/** One row of a dump. `row` names the table; the rest is its content, times as ISO text, bytes as base64. */
export type DumpRow =
  | ({ readonly row: "conversation" } & Scope & StoredConversation)
  /** With its content whole, and what is kept apart of it. */
  | ({ readonly row: "message"; readonly conversation: string } & StoredMessage & {
        readonly files: readonly DumpedFile[];
      })
  /** Part of a content that stands in no message, in order and before the message whose file it is. */
  | {
      readonly row: "file-content";
      readonly conversation: string;
      readonly hash: string;
      readonly start: number;
      readonly content: Uint8Array;
    }
  | ({ readonly row: "summary" } & StoredSummary)
  | ({ readonly row: "compaction-event"; readonly conversation: string } & CompactionEvent)
  | ({ readonly row: "context-item"; readonly conversation: string } & ContextItem)
  | ({ readonly row: "turn"; readonly conversation: string } & StoredTurn)
  | ({ readonly row: "receipt"; readonly conversation: string } & StoredReceipt)
  | ({ readonly row: "transcript" } & Transcript)
  | ({ readonly row: "transcript-line"; readonly conversation: string } & StoredTranscriptLine)
  /** By tenant, scope and number. */
  | ({ readonly row: "memory"; readonly tenant: string } & StoredMemory & {
        readonly events: readonly MemoryEvent[];
      })
  | ({ readonly row: "decision"; readonly tenant: string } & NewDecision)
  | ({ readonly row: "capture"; readonly tenant: string } & DumpedCapture)
  | ({ readonly row: "audit" } & Scope & AuditRecord)
  /** Inside the conversation that it concerns, before the row that it concerns. */
  | ({ readonly row: "damage" } & NamedDamage);

/** How far a conversation was captured. */
export interface DumpedCapture {
  readonly conversation: string;
  readonly to: number;
  readonly at: string;
}
