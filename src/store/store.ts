/**
 * The contract between the engine and its databases. Code outside `store/` does not know which database runs.
 *
 * Three promises of every implementation, tested by `store/testing/conformance.ts`:
 *  - `commit` is the only way to change anything. It is atomic, and once it resolves,
 *    its writes survive a crash of the process or the machine.
 *  - A `ScopedStore` sees and changes only conversations of its tenant and agent.
 *  - Writes to one conversation are serialised across threads, processes and machines; others are not delayed.
 *
 * Not caches: conversations, messages, files and their contents, turns, receipts, summaries, compaction events, context
 * items, exclusions, transcripts, audit log; and long-term memory, as `memory-store.ts` says. `message_parts` is an index of
 * the messages' shape and can be rebuilt from them, like the search index and the vectors.
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

  // The following calls concern the whole store and are for its operator.
  scopes(): Promise<readonly Scope[]>;
  /** All scopes with a conversation, a record or a memory, by name. */
  tenants(): Promise<readonly string[]>;
  info(): Promise<StoreInfo>;
  /**
   * Asks the database itself whether its files are intact. Empty if they are. `quick` leaves out the slowest checks, such as
   * comparing indexes with their tables; a database without a quicker check ignores it.
   */
  checkEngine(options?: EngineCheckOptions): Promise<readonly string[]>;
  /** Every row that is not a cache, in one fixed order, from one consistent snapshot, while other writers continue. */
  dump(options?: DumpOptions): AsyncIterable<DumpRow>;
  /**
   * Loads the rows of a `dump`, all or nothing: if its signal stops it, nothing is written, and a repeated load starts over.
   * A conversation that already exists must be a prefix of the incoming one, or the reverse. Its context becomes the incoming
   * one if that contains everything stored here; if both continued separately, the stored context stays, and incoming
   * summaries are only stored. Memories are merged by id: the later revision wins, and a memory erased here stays erased. Of
   * two active memories with one fact key, the later by `validFrom` stays active and the other one is stored as superseded by
   * it. Different text under one id is refused with `conflict`.
   */
  load(rows: AsyncIterable<DumpRow>, options: LoadOptions): Promise<LoadReport>;
  /**
   * Frees unused space and makes sure that erased content is gone from the engine's own files. SQLite does it automatically
   * after each erasure, as soon as no other process is reading; on PostgreSQL the operator has to call it.
   */
  compactFiles(): Promise<void>;
  /** Removes contents of files that nothing refers to; only counts them with `dryRun`. */
  collectGarbage(options: { readonly dryRun: boolean }): Promise<GarbageReport>;
  close(): Promise<void>;
}

export interface EngineCheckOptions {
  /** Only checks that do not compare indexes with rows. Default false. */
  readonly quick?: boolean;
  /** Only the engine's files, not the contents of rows; nothing if a server keeps the files. Default false. */
  readonly structureOnly?: boolean;
  /** Only missing records of erasures, of every tenant. Default false. */
  readonly erasuresOnly?: boolean;
}

export interface ScopedStore extends SearchStore, MessageVectorStore, FileStore {
  readonly scope: Scope;
  /** If set, only these conversations exist for the holder of this store. */
  readonly reach?: Reach;
  commit(writes: readonly Write[]): Promise<readonly WriteResult[]>;
  /**
   * Runs while no other process compacts this conversation. Throws `busy` immediately if one does. Other processes keep
   * reading and writing, and no transaction is open meanwhile. It saves work and does not replace the check that `publish`
   * makes: a holder that stops for too long, or loses its connection, loses the lock too.
   */
  exclusively<Result>(conversation: string, run: () => Promise<Result>): Promise<Result>;

  conversation(address: Address): Promise<StoredConversation | undefined>;
  /** Ordered by last change or by newest message, newest first, then by id. */
  conversations(query: ConversationQuery): Promise<Page<ListedConversation>>;
  /** Ordered by seq. `next` is the seq to continue from. */
  messages(conversation: string, query: MessageQuery): Promise<Page<StoredMessage>>;
  /** The same as bytes, with payloads as in `summarise`, without erased messages; a page ends at 8 MiB. */
  originals(conversation: string, query: RangeQuery): Promise<Page<StoredOriginal>>;
  /** Ordered by ordinal. `next` is the ordinal to continue from. */
  contextItems(conversation: string, query: RangeQuery): Promise<Page<ContextItem>>;
  /** The shape of the context for planning, without content. Ordered by ordinal. */
  contextShape(conversation: string, query: RangeQuery): Promise<Page<ShapeItem>>;
  /**
   * The newest items of the context that fit, whole and with their content, oldest first; at least one. System messages and
   * the newest user message, if they come before the window, are returned separately. The cost depends on the window, not on
   * the length of the history.
   */
  contextWindow(conversation: string, query: WindowQuery): Promise<ContextWindow>;
  summary(id: string): Promise<StoredSummary | undefined>;
  /** Ordered by depth, then by the first message. `next` is the row to continue from. */
  summaries(conversation: string, query: RangeQuery): Promise<Page<StoredSummary>>;
  /** The same without the texts. */
  summaryOutlines(conversation: string, query: RangeQuery): Promise<Page<SummaryOutline>>;
  /** All levels above and below a message or a summary. Empty for an unknown one. */
  lineage(conversation: string, of: LineageOf): Promise<Lineage>;
  /** A summary with its lineage. */
  describeSummary(id: string): Promise<DescribedSummary | undefined>;
  /** From a summary down to its sources. */
  descend(query: DescendQuery): Promise<Descended | undefined>;
  /** How many summaries have links to their sources, but no row of their own. */
  missingSummaries(conversation: string): Promise<number>;
  /** Ids of summaries that start or end like this one, to find a typo in it. At most 100. */
  similarSummaryIds(id: string): Promise<readonly string[]>;
  /** Ids of conversations, summaries and files that start with this text, last changed first. At most 100. */
  idsBeginning(text: string): Promise<readonly string[]>;
  /** Ordered by the first seq. `next` is the seq to continue from. */
  turns(conversation: string, query: RangeQuery): Promise<Page<StoredTurn>>;
  /** Ordered by the first seq of their turns. `next` is the seq to continue from. */
  receipts(conversation: string, query: RangeQuery): Promise<Page<StoredReceipt>>;
  /** Compaction events, oldest first. `next` is the position to continue from. */
  compactionEvents(conversation: string, query: RangeQuery): Promise<Page<CompactionEvent>>;
  /** Transcripts that were read into this conversation, oldest first. */
  transcripts(conversation: string): Promise<readonly Transcript[]>;
  /** Transcripts without a row of their own, reconstructed from their stored lines. */
  lostTranscripts(conversation: string): Promise<readonly Transcript[]>;
  /** Current transcripts that were read from this path, in any conversation of the scope. */
  transcriptsAt(path: string): Promise<readonly Transcript[]>;
  /** Ids of conversations that have a message under this key, oldest first. Looks into each conversation of the scope. */
  conversationsWith(key: string): Promise<readonly string[]>;
  /** Ordered by line. `next` is the line to continue from. */
  transcriptLines(conversation: string, query: TranscriptLineQuery): Promise<Page<StoredTranscriptLine>>;
  /** Oldest first. `next` is the position to continue from. */
  auditLog(query: RangeQuery): Promise<Page<AuditRecord>>;
  /** The newest audit records after a position, newest first, without their details. */
  auditMarks(after: number, limit: number): Promise<readonly AuditMark[]>;
  /** The time since which the store's own files may contain erased text of this tenant; null when they are clean. */
  uncleanedSince(): Promise<string | null>;
}

export interface Reach {
  conversations(): ReadonlySet<string>;
  /** Messages and summaries that a search covers. */
  documents(): Promise<number>;
}

export interface Page<Row> {
  readonly rows: readonly Row[];
  /** Start of the next page; null if this page reached the end. */
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

/** A conversation by id, or the active one of a session. */
export type Address =
  | { readonly id: string }
  | { readonly sessionId: string; readonly sessionKey: string | null };

/** A conversation's row; the public type has the same fields. */
export type StoredConversation = Conversation;

/** In a list, with the times of its first and its newest message. Null if it has none. */
export interface ListedConversation extends StoredConversation {
  readonly firstAt: string | null;
  readonly lastAt: string | null;
}

export interface ConversationQuery {
  /** Include archived conversations. Default false. */
  readonly archived?: boolean;
  /** Only conversations that were started in this folder or below it. */
  readonly project?: string;
  /** The same folder without symbolic links: hosts report either path. */
  readonly realProject?: string;
  /** Only those of this host. */
  readonly host?: string;
  /** By the last change of the row (default), or by the time of the newest message; without messages, of the last change. */
  readonly order?: "changed" | "active";
  /** With the order `active`: only those whose time is not earlier. ISO 8601 in UTC. */
  readonly since?: string | undefined;
  /** With the order `active`: only those whose time is earlier. */
  readonly before?: string | undefined;
  /** Only those with this parent. */
  readonly parent?: string;
  /** Only those of the session with this name, active or archived. */
  readonly session?: string;
  /** How many to skip: `next` of the previous page. Default 0. */
  readonly from?: number;
  readonly limit?: number;
}

export interface MessageQuery extends RangeQuery {
  readonly roles?: readonly Role[];
  /** Stop a page once it holds this many bytes of originals (at least one message). Default 8 MiB. */
  readonly maxBytes?: number;
  /** Omit the content and read only the rest. Default false. */
  readonly withoutContent?: boolean;
  /** Default `whole`. */
  readonly payloads?: Payloads;
  /** References as they were at this time, without descriptions that a model wrote at this time or later. */
  readonly describedBefore?: string;
}

export interface StoredMessage {
  readonly seq: number;
  readonly key: string;
  readonly role: Role;
  readonly format: MessageFormat;
  /** The exact original: text where it is valid text without NUL, bytes otherwise; null once erased. */
  readonly content: string | Uint8Array | null;
  /** Tokens of what the model reads: files count as their references. */
  readonly tokenCount: number;
  /** The same with its tool results as stubs; null if it has none that can be stubs. */
  readonly stubTokenCount: number | null;
  readonly createdAt: string;
  readonly erasedAt: string | null;
  readonly excluded: ExclusionReason | null;
  /** 16 random bytes in hex; null once erased, so that the digest reveals nothing about the erased content. */
  readonly salt: string | null;
  readonly digest: string;
  readonly hash: string;
  readonly parts: readonly PartIndex[];
}

/** A message as it was received, without its hashes, position and call ids. */
export interface StoredOriginal
  extends Pick<StoredMessage, "seq" | "role" | "format" | "tokenCount" | "createdAt"> {
  /** The buffers of a page's contents are not shared: they may be transferred to another thread. */
  readonly content: Uint8Array<ArrayBuffer>;
  /** Of the payloads in it. */
  readonly fileIds: readonly string[];
}

/** One row of `message_parts`: used to search and pair parts without reading the message. */
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
  /** Payloads that are stored separately. */
  readonly files: readonly NewFile[];
  readonly createdAt: string;
  readonly salt: string;
  readonly parts: readonly PartIndex[];
  /** Set if the message is stored but not in the context from the start. */
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
 * The ordinal of an item is the seq of the first message that it covers, times this: nothing is ever renumbered, and taking a
 * summary apart leaves room for the items it covered.
 */
export const ORDINAL_GAP = 1024;

/** A context item in the form that planning uses. */
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
  /** Cost of each item in addition to its own tokens. Default 0. */
  readonly itemTokens?: number;
  /** Tokens for summaries before the window that are returned in addition. Default 0. */
  readonly summaryTokens?: number;
  /** If set, old tool results are shown as stubs. */
  readonly stubs?: StubQuery;
  /** Items that the caller has read before: they never change and are not returned again. */
  readonly held?: {
    readonly seqs: readonly number[];
    /** Messages that the caller holds with their tool results as stubs. */
    readonly stubs?: readonly number[];
    readonly summaries: readonly string[];
  };
  /** If set, and the window leaves items out: also return the user's first messages. */
  readonly opening?: {
    /** Only up to this message, and without content: the caller has read them before. */
    readonly to?: number;
  };
}

/**
 * From where on tool results are shown whole. The newest compaction has set this as its `freshFrom`. If the context is still
 * larger than `above`, only its newest `freshItems` are shown whole, or as many of them as take `freshTokens`, and up to
 * `stepTokens` more: the border moves on after that many new tokens, or half as many above `fullAt`, where the shown context
 * changes anyway.
 */
export interface StubQuery {
  readonly above: number;
  readonly freshItems: number;
  readonly freshTokens: number;
  readonly stepTokens: number;
  readonly fullAt: number;
}

/** A context item with its content, which is null if the caller holds it. */
export type WindowItem =
  | {
      readonly ordinal: number;
      readonly type: "message";
      readonly seq: number;
      /** Shown with its tool results as stubs. */
      readonly isStub: boolean;
      /** Its payloads are as in `context`, or as in `stubs` if it is a stub. */
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
  /** Items of the context before the window. */
  readonly left: { readonly items: number; readonly tokens: number };
  /** The newest summaries among them, oldest first, until they have `summaryTokens`: the oldest may exceed it. */
  readonly summaries: readonly Extract<WindowItem, { type: "summary" }>[];
  /** Messages among them that are always shown: system messages, and the newest user message. */
  readonly pinned: readonly Extract<WindowItem, { type: "message" }>[];
  /** The user's first messages on the active path, in order, if the query asks for them. */
  readonly opening: readonly OpeningMessage[];
}

export interface OpeningMessage {
  readonly seq: number;
  /** False if a summary covers it. */
  readonly isItem: boolean;
  /** Null if the caller holds it, or has read it before. */
  readonly message: StoredMessage | null;
}

export interface StoredSummary extends Omit<Summary, "conversation"> {
  readonly conversation: string;
  /** Its sources, in order. */
  readonly sources: SummarySources;
}

export type SummarySources =
  | { readonly type: "messages"; readonly seqs: readonly number[] }
  | { readonly type: "summaries"; readonly ids: readonly string[] };

/** The fields that the store computes from the sources of a summary. */
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
  /** SHA-256 over the keys of the turn's messages: distinguishes a replay from another turn under the same key. */
  readonly keysDigest: string;
  readonly firstSeq: number;
  readonly messageCount: number;
}

/** The receipt of what a model saw before it produced a turn. */
export interface StoredReceipt {
  /** First message that the turn added. */
  readonly firstSeq: number;
  readonly at: string;
  /** JSON text. The store does not interpret it. */
  readonly content: string;
}

/** One version of a host's transcript file, read into a conversation. */
export interface Transcript {
  readonly conversation: string;
  /** Counts up from 1 in its conversation. */
  readonly number: number;
  readonly path: string;
  readonly format: MessageFormat;
  /** The version that this one continues: both have the same first `sharedLines` lines. Null for a first version. */
  readonly previous: number | null;
  readonly sharedLines: number;
  /** Known lines of this version, including shared ones. */
  readonly lineCount: number;
  /** Byte offset after the last complete line that was read. */
  readonly offset: number;
  readonly size: number;
  readonly modifiedAtMs: number;
  /**
   * SHA-256 of the file up to `offset`. Null once a part of it was erased, because the erased part could be guessed from it.
   * Earlier versions stored the hash of the last line here, which matches no file.
   */
  readonly readHash: string | null;
  readonly lastLineBytes: number;
  /** Version of the readers that read it: newer readers retry the lines that it could not read. */
  readonly readerVersion: number;
  readonly updatedAt: string;
}

/**
 * The stored state of a conversation's transcripts that reading one of them continues from. Two processes may read one file
 * at the same time: the store compares, holding the conversation's lock, and the slower process plans again from what the
 * other one has stored.
 */
export interface TranscriptBasis {
  /** The highest number among the conversation's transcripts; 0 when it has none. */
  readonly newest: number;
  /** Progress of the version that is continued, or that a new one shares lines with. Null if there is none. */
  readonly base: TranscriptProgress | null;
}

export type TranscriptProgress = Pick<
  Transcript,
  "number" | "lineCount" | "offset" | "size" | "readHash" | "readerVersion"
>;

/** `message`: its content is the message's. `event`: stored, but not part of the conversation. */
export type TranscriptLineKind = "message" | "event" | "unreadable" | "torn" | "erased";

/** The part of the transcript that a line belongs to: the conversation itself, a sub-agent's, or lines that the host inserted. */
export type TranscriptLane = "main" | "sidechain" | "injected";

export interface NewTranscriptLine {
  readonly line: number;
  readonly kind: TranscriptLineKind;
  /** The line's bytes without the line feed; null for a message line, because the message has its bytes. */
  readonly content: string | Uint8Array | null;
  /** For a message line: the key of its message in the same write, or the seq of a stored one. */
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
 * The columns of a message's row that cannot be read from its line: with them, a lost row can be restored exactly. Null for
 * other lines, for erased messages, and in archives of earlier versions.
 */
export type LineOrigin = Pick<NewMessage, "salt" | "createdAt">;

export interface TranscriptLineQuery extends RangeQuery {
  readonly transcript: number;
  readonly kinds?: readonly TranscriptLineKind[];
  /** Omit the content and read only the rest. Default false: a page ends at 8 MiB of content. */
  readonly withoutContent?: boolean;
}

export interface AuditRecord {
  readonly at: string;
  readonly action: string;
  readonly conversation: string | null;
  /** JSON text that describes the operation, never the content that it changed. */
  readonly detail: string;
}

/** An erasure or deletion, for callers that follow the store. */
export interface AuditMark extends Pick<AuditRecord, "action" | "conversation"> {
  /** Position in the audit log; rises with each record. */
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

/** Adds messages at the end of a conversation, and everything that is committed with them. */
export interface AppendWrite {
  readonly kind: "append";
  readonly address: Address;
  /** If set, the conversation is created when the address matches none. */
  readonly create: NewConversation | null;
  /**
   * Identifies a turn: the same key with the same messages changes nothing, with other messages it is refused. An erased
   * message of the turn counts as the same, and is not stored again.
   */
  readonly turnKey: string | null;
  readonly messages: readonly NewMessage[];
  /**
   * How a message is handled whose key is known with other content. `refuse`: the write fails with `conflict`. `branch`: it
   * is stored as another version under `key~2`, `key~3`, …, whichever is free or equal. In both cases a message that is
   * stored as erased, under its key or as a version of it, counts as the incoming one unless a version has the same content:
   * it exists, and is never stored again, whatever `afterSeq` says. `same`: the key alone identifies a message, and a stored
   * one after `afterSeq` is the incoming one.
   */
  readonly onOtherContent: "refuse" | "branch" | "same";
  /**
   * With `branch` and `same`: keeps the order of stored messages equal to the order of the transcript. A message stored up to
   * this seq is not matched with an incoming one; its content is stored again as another version. Rises with each placed
   * message. Null until an entry has other content; from then on as described.
   */
  readonly afterSeq: number | null;
  /**
   * Messages that leave the active path (before the new ones are placed), and excluded ones that return to it. Summaries that
   * cover a leaving message, or surround a returning one, are taken apart.
   */
  readonly leaveContext: readonly { readonly seq: number; readonly reason: ExclusionReason }[];
  readonly enterContext: readonly number[];
  /**
   * If set, every message of the active path after this seq that is not in this write leaves it for another branch.
   * `first-known`: after the first of these messages that is stored and was said.
   */
  readonly leaveOthersAfter: number | "first-known" | null;
  readonly transcript: TranscriptWrite | null;
  /** Where the conversation takes place now: see `rules/host-context.ts` for how it is merged with the stored one. */
  readonly hostContext?: HostContext;
  /**
   * What the model saw before it produced this turn, as JSON text of ids and hashes, never of content. Stored under the first
   * new message; ignored if there is none.
   */
  readonly receipt: string | null;
  readonly at: string;
}

export interface NewConversation {
  readonly id: string;
  readonly title: string | null;
  /** False for a title that a person or host set: erasing messages does not change it. Default true. */
  readonly titleIsAutomatic?: boolean;
  readonly createdAt: string;
}

export interface TranscriptWrite {
  /** The state that this was planned from. If the stored state differs, the commit is refused with `busy`. */
  readonly plannedFrom: TranscriptBasis;
  readonly state: Omit<Transcript, "conversation" | "updatedAt">;
  /**
   * Replace the stored lines of this version with the same numbers. A line whose message is erased is stored without its
   * hash, and so is the state if that was its last line.
   */
  readonly lines: readonly NewTranscriptLine[];
}

/**
 * Replaces items of the context by a summary of them. Refused with `busy` if the context no longer contains exactly its
 * sources, one after the other: another process was faster, and planning again is safe.
 */
export interface PublishWrite {
  readonly kind: "publish";
  readonly id: string;
  readonly summary: NewSummary;
  /** A summary of the same sources that it replaces in the context. The replaced summary stays stored. */
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
  /** First seq of the fresh tail when it was planned: older messages may be shown shorter from then on. */
  readonly freshFrom: number;
}

export interface UpdateConversationWrite {
  readonly kind: "update-conversation";
  readonly id: string;
  readonly title?: string;
  /** A time archives, null restores. */
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
 * Erases content permanently: rows become tombstones, the chain still verifies. Every summary made from an erased message, at
 * any depth, loses its text and its files; the items it covered replace it in the context, unless they are erased. Its
 * sources stay stored, so that roots and depths still verify. Receipts of turns after the first message erased now (firstSeq
 * > its seq) are deleted: their windows may have contained it, and erased words could be guessed from a hash over a window
 * whose rest is known. Memories whose origin contains an erased message lose their text as with `erase-memories`, which may
 * restore others; memories that it supported lose that support; decisions that name one are deleted. The audit record names
 * these memories.
 */
export interface EraseWrite {
  readonly kind: "erase";
  readonly id: string;
  readonly seqs: readonly number[];
  /** Messages that stay, but whose summaries, at any depth, repeat erased content: these lose their text as well. */
  readonly retold: readonly number[];
  readonly lines: readonly { readonly transcript: number; readonly line: number }[];
  /**
   * Random, in hex. If set, identifiers of the messages are stored as salted digests, with the salt of the scope if it has
   * one, else with this one; a host's entry with such an identifier in another conversation is later stored as erased.
   */
  readonly salt?: string;
  /** The title after erasure. */
  readonly title: string | null;
  readonly at: string;
  readonly audit: AuditRecord;
}

/**
 * Rebuilds the index rows of messages and repairs the context and the summaries. The context must be repaired in the same
 * write if it shows a summary that is removed or loses its text. Its counters are recomputed.
 */
export interface ReindexWrite {
  readonly kind: "reindex";
  readonly id: string;
  readonly messages: readonly { readonly seq: number; readonly parts: readonly PartIndex[] }[];
  /** Messages and summaries that are missing in the context, and ordinals that refer to nothing. */
  readonly enterContext: readonly number[];
  readonly enterSummaries: readonly string[];
  readonly dropOrdinals: readonly number[];
  /** Summaries whose text was changed: they lose it, as by an erasure, and so does everything made from them. */
  readonly eraseSummaries: readonly string[];
  /** Summaries that do not match their sources: they are removed, with their events and everything made from them. */
  readonly dropSummaries: readonly string[];
  /** Links and events of missing summaries are removed as well. */
  readonly forgetMissing: boolean;
  /** Originals that were found elsewhere. Those that do not match the stored hashes are ignored. Default: none. */
  readonly restoreMessages?: readonly RestoredMessage[];
  /** Missing transcripts are restored from their lines. Default false. */
  readonly restoreTranscripts?: boolean;
}

export interface RestoredMessage {
  readonly seq: number;
  readonly content: string | Uint8Array;
  /** If set, the row itself is lost or damaged, and is restored from its transcript line. */
  readonly row?: RestoredRow;
}

/** The fields of a message from its transcript line. Its salt and its time are stored with the line. */
export interface RestoredRow
  extends Pick<NewMessage, "role" | "format" | "tokenCount" | "stubTokenCount" | "parts"> {
  /** For a lost row: it gets the first free one. */
  readonly keys: readonly string[];
}

/** Where a message of an append is stored. */
export interface PlacedMessage {
  readonly key: string;
  readonly seq: number;
  readonly existed: boolean;
  /** It was erased before and came again: only its place is stored. */
  readonly erased: boolean;
}

export type WriteResult =
  | {
      readonly kind: "append";
      readonly conversation: StoredConversation;
      readonly created: boolean;
      /** `duplicate`: every message was already stored. */
      readonly status: "committed" | "duplicate";
      readonly messages: readonly PlacedMessage[];
      /** Messages that left the active path because of `leaveOthersAfter`, if that was set. */
      readonly left?: number;
    }
  | { readonly kind: "publish"; readonly conversation: StoredConversation; readonly summary: StoredSummary }
  | { readonly kind: "update-conversation"; readonly conversation: StoredConversation }
  /** `memories`: those that lost their text now. */
  | { readonly kind: "delete-conversation"; readonly messages: number; readonly memories: number }
  | {
      readonly kind: "erase";
      /** Hash of the certificate. */
      readonly certificate: string;
      readonly messages: number;
      /** Summaries that lost their text now. */
      readonly summaries: number;
      readonly lines: number;
      /** Memories that lost their text now. */
      readonly memories: number;
      /** Ids of memories that are active again. */
      readonly restored: readonly string[];
    }
  | { readonly kind: "reindex"; readonly messages: number }
  /** The new segment, if there is one. */
  | { readonly kind: "index"; readonly segment: number | null }
  /** Messages that have vectors now. */
  | { readonly kind: "embed"; readonly messages: number }
  /** Changed messages: those whose payloads were already as requested are not counted. */
  | { readonly kind: "externalise"; readonly messages: number }
  | { readonly kind: "internalise"; readonly messages: number }
  /** The message of the file. */
  | { readonly kind: "describe-file"; readonly seq: number };

/** A type alias, so that a database row can have this type. */
export type StoreCounts = {
  readonly conversations: number;
  readonly messages: number;
  readonly tokens: number;
  /** Tokens of all contexts. */
  readonly contextTokens: number;
  readonly summaries: number;
  /** In all states, including erased ones. */
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

/** The durability that a read-only store reports: nothing is written that could be lost. */
export const READ_ONLY: StoreInfo["durability"] = { access: "read only" };

export interface LoadOptions {
  /** Empties the store first. */
  readonly replace: boolean;
  /** Ends the load with `cancelled` at the next row; the store is then as it was. */
  readonly signal?: AbortSignal | undefined;
  /** Called every thousand rows, and at the end. */
  readonly onProgress?: (progress: { readonly rows: number }) => void;
}

export interface LoadReport {
  readonly conversations: number;
  readonly messages: number;
  /** Summaries that were not stored before. */
  readonly summaries: number;
  /** Memories that were not stored before. */
  readonly memories: number;
  /** Messages that were already stored. */
  readonly alreadyThere: number;
  /** Rows that the dump lists as damaged or missing. */
  readonly damages: readonly NamedDamage[];
}

export interface DumpOptions {
  /**
   * If set, a damaged conversation is left out as a whole and reported here, and the dump continues; otherwise it ends with
   * `store-corrupt`. It also ends if an engine cannot read beyond the damage.
   */
  readonly onDamage?: (damage: DumpDamage) => void;
  /**
   * If set, everything that can still be read is in the dump, checked against its hashes, and rows of the kind `damage` name
   * what was changed or is missing.
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
  /** Null if the memories or the audit log cannot be read to the end. */
  readonly conversation: string | null;
  /** Messages that the conversation should have. */
  readonly messages: number;
  /** The first that cannot be read; null if all can be read and another part is damaged. */
  readonly fromSeq: number | null;
  readonly problem: string;
}

export type DumpedFile = Omit<StoredFile, "conversation" | "seq" | "ordinal" | "bytes" | "lines">;

/** One row of a dump. `row` names the table; the rest is its content, times as ISO text, bytes as base64. */
export type DumpRow =
  | ({ readonly row: "conversation" } & Scope & StoredConversation)
  /** With its content whole, and its payloads. */
  | ({ readonly row: "message"; readonly conversation: string } & StoredMessage & {
        readonly files: readonly DumpedFile[];
      })
  /** Part of a content that no message contains, in order and before the message whose file it is. */
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
  /** Inside the affected conversation, before the affected row. */
  | ({ readonly row: "damage" } & NamedDamage);

/** How far a conversation was captured. */
export interface DumpedCapture {
  readonly conversation: string;
  readonly to: number;
  readonly at: string;
}
