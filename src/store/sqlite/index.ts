/** The embedded store: one SQLite file in a data folder, accessed by its own threads. */
import { accessSync, closeSync, constants, existsSync, mkdirSync, openSync } from "node:fs";
import path from "node:path";
import { isPalimpsestError, PalimpsestError } from "../../errors.ts";
import { fileErrorCode, fileProblem } from "../../text/file-problem.ts";
import type { Thread } from "../../threads/thread.ts";
import type { Scope } from "../../types.ts";
import type { GarbageReport, PutContent } from "../file-store.ts";
import { followRows } from "../follow-rows.ts";
import { type PackedDescription, type PackedLineage, unpackDescription, unpackLineage } from "../lineage.ts";
import type { MemoryAccess, MemoryStore } from "../memory-store.ts";
import { messageItem, openingMessages, summaryItem, windowItems } from "../rules/window-items.ts";
import type { DocumentRef, SearchPage, StoredDocument } from "../search-store.ts";
import type {
  ContextWindow,
  DumpOptions,
  DumpRow,
  EngineCheckOptions,
  LoadOptions,
  LoadReport,
  Page,
  ScopedStore,
  Store,
  StoredMessage,
  StoredOriginal,
  StoredTranscriptLine,
  StoreInfo,
  WriteResult,
} from "../store.ts";
import { noStoreIn, storeClosed } from "../store-errors.ts";
import { requireNode } from "../supported-node.ts";
import type { PackedWindow } from "./context-window.ts";
import type { DatabaseOptions } from "./database.ts";
import { type PackedText, unpackTexts } from "./document-texts.ts";
import { DEFAULT_LEASE_MS, exclusively } from "./exclusively.ts";
import { memoryStore } from "./memory-store.ts";
import { unpackOriginals } from "./originals.ts";
import { packWrite } from "./packed-commit.ts";
import { type PackedPage, type PackedRows, unpack } from "./packed-page.ts";
import type { PackedDocuments, PackedIndex, PackedPages } from "./search-segments.ts";
import type { DumpKind } from "./start-dump.ts";
import { type StoreThreads, startThread } from "./thread.ts";
import { type PackedVectorPage, unpackVectors } from "./vectors/vectors.ts";
import type { DumpBatch } from "./worker.ts";

export interface SqliteStoreOptions {
  /** Folder of the store; created if it does not exist. */
  readonly dataDir: string;
  /**
   * Fail if the folder contains no store instead of creating one, and open a store whose files may only be read: writing to
   * it is refused then. Default false.
   */
  readonly mustExist?: boolean;
  /**
   * If the database is too damaged to be opened, open a copy of its readable rows. The copy is read-only and is removed when
   * the store is closed. Default false.
   */
  readonly readsDamaged?: boolean;
  /** Refuse to grow beyond this many pages of 4 kB. Default: no limit. */
  readonly maxPages?: number;
  /** For how many milliseconds a compaction that stops without releasing its lease blocks others. Default 30,000. */
  readonly leaseMs?: number;
}

export const DATABASE_NAME = "palimpsest.db";
/** As many as a search or a command needs: a process that ends after them needs no second thread. */
const READS_BY_WRITER = 64;
const LOAD_BATCH = 500;
const LOAD_BATCH_BYTES = 4 * 1024 * 1024;

export async function openSqliteStore(options: SqliteStoreOptions): Promise<Store> {
  requireNode();
  const file = path.join(path.resolve(options.dataDir), DATABASE_NAME);
  const { mustExist = false, readsDamaged = false, maxPages, leaseMs = DEFAULT_LEASE_MS } = options;
  if (!mustExist) makePlace(file);
  else requireReadable(file);
  const isFrozen = mustExist && !isWritable(file);
  const limit = maxPages === undefined ? {} : { maxPages };
  try {
    const writer = await startThread({ file, mustExist, isFrozen, readOnly: isFrozen, ...limit });
    return new SqliteStore({ file, isFrozen }, writer, leaseMs);
  } catch (error) {
    if (!readsDamaged || !isPalimpsestError(error, "store-corrupt")) throw error;
    return openSalvagedCopy(file, error, leaseMs);
  }
}

/** The readable rows of a database that cannot be opened. Throws the original error if there are none. */
async function openSalvagedCopy(file: string, error: PalimpsestError, leaseMs: number): Promise<Store> {
  const { salvageBeside } = await import("./salvage/salvage-beside.ts");
  const { copy, rows, problems, remove } = salvageBeside(file, error);
  try {
    if (rows === 0) throw error;
    const place = { file: copy, isFrozen: true };
    const writer = await startThread({ ...place, mustExist: true, readOnly: true });
    return new SqliteStore(place, writer, leaseMs, { error, problems: [error.message, ...problems], remove });
  } catch (failure) {
    remove();
    throw failure;
  }
}

/** For a store that is a copy of the readable rows of a damaged one. */
interface Salvaged {
  readonly error: PalimpsestError;
  /** What could not be read. */
  readonly problems: readonly string[];
  readonly remove: () => void;
}

/** A store that this user may not read must not be reported as missing. */
function requireReadable(file: string): void {
  try {
    accessSync(file, constants.R_OK);
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(fileErrorCode(error) ?? "")) throw noStoreIn(file);
    throw new PalimpsestError(
      "store-unavailable",
      `the store in ${path.dirname(file)} cannot be read: ${fileProblem(error)}`,
      {
        advice: `Let this user read and write ${path.dirname(file)} and its files, or choose another folder with \`dataDir\` or LCM_DATA_DIR.`,
        isRetryable: false,
        cause: error,
      },
    );
  }
}

/** SQLite writes beside its file, so the folder must be writable as well. */
function isWritable(file: string): boolean {
  try {
    for (const place of [file, path.dirname(file)]) accessSync(place, constants.W_OK);
    return true;
  } catch {
    // Not allowed, or a read-only disk: either way it is not writable.
    return false;
  }
}

/** Only its owner may read the messages: the folder, and the file, whose permissions SQLite's other files inherit. */
function makePlace(file: string): void {
  const folder = path.dirname(file);
  try {
    makeFolders(folder);
    closeSync(openSync(file, "a", 0o600));
  } catch (error) {
    const problem = existsSync(file) ? "written to" : "created";
    throw new PalimpsestError(
      "store-readonly",
      `the store in ${folder} cannot be ${problem}: ${fileProblem(error)}`,
      {
        advice: "Choose a folder this user may write to, with `dataDir` or LCM_DATA_DIR.",
        cause: error,
      },
    );
  }
}

/** Step by step: Node's recursive option never ends on some file systems, such as /proc. */
function makeFolders(folder: string): void {
  if (existsSync(folder)) return;
  makeFolders(path.dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have created it.
    if (!existsSync(folder)) throw error;
  }
}

class SqliteStore implements Store {
  readonly engine = "sqlite";
  readonly #place: Pick<DatabaseOptions, "file" | "isFrozen">;
  readonly #writer: Thread;
  readonly #leaseMs: number;
  readonly #salvaged: Salvaged | null;
  #reader: Promise<Thread> | undefined;
  /** Set once it has started. */
  #startedReader: Thread | undefined;
  #reads = 0;
  #isClosed = false;

  constructor(
    place: Pick<DatabaseOptions, "file" | "isFrozen">,
    writer: Thread,
    leaseMs: number,
    salvaged: Salvaged | null = null,
  ) {
    this.#place = place;
    this.#writer = writer;
    this.#leaseMs = leaseMs;
    this.#salvaged = salvaged;
  }

  scoped(scope: Scope): ScopedStore {
    return scopedStore(scope, this.#threads, this.#leaseMs);
  }

  memoriesOf(access: MemoryAccess): MemoryStore {
    return memoryStore(access, this.#threads);
  }

  get #threads(): StoreThreads {
    return {
      writer: this.#writer,
      reader: () => this.#chooseReader(),
      searcher: () => this.#startReader(),
    };
  }

  async scopes(): Promise<readonly Scope[]> {
    return (await this.#startReader()).call<Scope[]>("scopes");
  }

  async tenants(): Promise<readonly string[]> {
    return (await this.#startReader()).call<string[]>("tenants");
  }

  /** Read by the writer, because durability depends on its settings. */
  info(): Promise<StoreInfo> {
    return this.#writer.call<StoreInfo>("info");
  }

  async checkEngine(options: EngineCheckOptions = {}): Promise<readonly string[]> {
    return (await this.#startReader()).call<string[]>("check", options);
  }

  async *dump({ onDamage, withDamaged = false }: DumpOptions = {}): AsyncIterable<DumpRow> {
    if (this.#isClosed) throw storeClosed();
    if (this.#salvaged !== null && !withDamaged && onDamage === undefined) throw this.#salvaged.error;
    const thread = await startThread({ ...this.#place, readOnly: true });
    const kind: DumpKind = withDamaged ? "with-damaged" : onDamage === undefined ? "strict" : "sound";
    try {
      for (;;) {
        const { rows, damages } = await thread.call<DumpBatch>("dumpNext", kind);
        for (const damage of damages) onDamage?.(damage);
        if (rows.length === 0) break;
        yield* rows;
      }
    } finally {
      await thread.close();
    }
    for (const problem of this.#salvaged?.problems ?? [])
      if (withDamaged) yield { row: "damage", conversation: null, seq: null, problem };
      else onDamage?.({ conversation: null, messages: 0, fromSeq: null, problem });
  }

  async load(rows: AsyncIterable<DumpRow>, options: LoadOptions): Promise<LoadReport> {
    if (this.#isClosed) throw storeClosed();
    // A separate connection: concurrent commits wait for the lock as for any other process.
    const thread = await startThread({ ...this.#place, readOnly: false });
    try {
      await thread.call("loadBegin", options.replace);
      for await (const batch of inBatches(followRows(rows, options))) await thread.call("loadRows", batch);
      return await thread.call<LoadReport>("loadEnd");
    } catch (error) {
      await thread.call("loadAbort");
      throw error;
    } finally {
      await thread.close();
    }
  }

  compactFiles(): Promise<void> {
    return this.#writer.call<void>("compactFiles");
  }

  collectGarbage({ dryRun }: { readonly dryRun: boolean }): Promise<GarbageReport> {
    return this.#writer.call<GarbageReport>("collectGarbage", dryRun);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    // Whoever needed the reader was told why it could not start, as when the folder was deleted.
    const reader = await this.#reader?.catch(() => undefined);
    await reader?.close();
    await this.#writer.close();
    this.#salvaged?.remove();
  }

  /**
   * Starting a thread takes longer than most reads. So the writer answers the first few, unless it is writing, and continues
   * until the reader has started.
   */
  async #chooseReader(): Promise<Thread> {
    if (this.#isClosed) throw storeClosed();
    if (this.#startedReader !== undefined) return this.#startedReader;
    if (!this.#writer.isAskedOnly("read")) return this.#startReader();
    // If the reader cannot be started, the writer continues.
    if (++this.#reads > READS_BY_WRITER) this.#startReader().catch(() => {});
    return this.#writer;
  }

  async #startReader(): Promise<Thread> {
    if (this.#isClosed) throw storeClosed();
    this.#reader ??= startThread({ ...this.#place, readOnly: true });
    const starting = this.#reader;
    try {
      this.#startedReader = await starting;
      return this.#startedReader;
    } catch (error) {
      // The next read tries again.
      if (this.#reader === starting) this.#reader = undefined;
      throw error;
    }
  }
}

async function* inBatches(rows: AsyncIterable<DumpRow>): AsyncIterable<DumpRow[]> {
  let batch: DumpRow[] = [];
  let bytes = 0;
  for await (const row of rows) {
    batch.push(row);
    bytes += "content" in row ? (row.content?.length ?? 0) : 0;
    if (batch.length < LOAD_BATCH && bytes < LOAD_BATCH_BYTES) continue;
    yield batch;
    batch = [];
    bytes = 0;
  }
  if (batch.length > 0) yield batch;
}

const EMPTY_PAGE: Page<never> = { rows: [], next: null };
const EMPTY_WINDOW: ContextWindow = {
  summaries: [],
  items: [],
  left: { items: 0, tokens: 0 },
  pinned: [],
  opening: [],
};

function unpackWindow({
  seqs,
  between,
  pinned,
  opening,
  before,
  left,
  stubs,
  ...packed
}: PackedWindow): ContextWindow {
  const messages = new Map([...unpack<StoredMessage>(packed)].map((message) => [message.seq, message]));
  const summaries = new Map(packed.summaries.map((summary) => [summary.id, summary]));
  // Order and contents are from one snapshot: an item without content is held by the caller.
  const isStub = new Set(stubs);
  const contents = {
    isStub: (seq: number) => isStub.has(seq),
    message: (seq: number) => messages.get(seq) ?? null,
    summary: (id: string) => summaries.get(id) ?? null,
  };
  return {
    items: windowItems(seqs, between, contents),
    left,
    summaries: before.flatMap((id) => summaryItem(0, id, contents)),
    pinned: pinned.flatMap((seq) => messageItem(seq, contents)),
    opening: openingMessages(opening, contents),
  };
}

function unpackPages({ pages, contents }: PackedPages): SearchPage[] {
  let offset = 0;
  const take = (length: number) => {
    offset += length;
    return contents.subarray(offset - length, offset);
  };
  return pages.map(({ segment, termLength, pageLength }) => ({
    segment,
    firstTerm: take(termLength),
    page: take(pageLength),
  }));
}

function unpackDocuments(packed: PackedDocuments, refs: readonly DocumentRef[]): StoredDocument[] {
  const documents: StoredDocument[] = [];
  [...unpack<StoredMessage>(packed)].forEach((message, index) => {
    const place = packed.messageRefs[index] ?? -1;
    const ref = refs[place];
    if (ref !== undefined) documents[place] = { ref, message };
  });
  for (const { index, summary } of packed.summaries) {
    const ref = refs[index];
    if (ref !== undefined) documents[index] = { ref, summary };
  }
  return documents.filter((document) => document !== undefined);
}

function scopedStore(scope: Scope, threads: StoreThreads, leaseMs: number): ScopedStore {
  const { writer } = threads;
  const ask = <Result>(thread: Thread, name: string, values: readonly unknown[]) =>
    thread.call<Result>("read", name, scope, values);
  const read = async <Result>(name: string, ...values: readonly unknown[]) =>
    ask<Result>(await threads.reader(), name, values);
  /** A read whose arguments and answer are transferred unchanged. */
  const plain =
    <Result>(name: string) =>
    (...values: readonly unknown[]) =>
      read<Result>(name, ...values);
  return {
    scope,
    commit: (writes) => writer.call<WriteResult[]>("commit", { scope, writes: writes.map(packWrite) }),
    exclusively: (conversation, run) => exclusively(writer, scope, conversation, leaseMs, run),
    nearestMessages: async ({ vector, ...query }) =>
      // A copy: the vector may be a part of a large buffer, which would be transferred as a whole.
      ask(await threads.searcher(), "nearestMessages", [{ ...query, vector: vector.slice() }]),
    messageVectors: async (model, refs) =>
      unpackVectors(await read<PackedVectorPage>("messageVectors", model, refs)),
    unembedded: plain("unembedded"),
    messageVectorCounts: plain("messageVectorCounts"),
    conversation: plain("conversation"),
    conversations: plain("conversations"),
    messages: async (conversation, query) => {
      const page = await read<PackedPage<StoredMessage> | undefined>("messages", conversation, query);
      return page === undefined ? EMPTY_PAGE : { rows: [...unpack<StoredMessage>(page)], next: page.next };
    },
    originals: async (conversation, query) => {
      const page = await read<PackedPage<StoredOriginal> | undefined>("originals", conversation, query);
      return page === undefined ? EMPTY_PAGE : { rows: unpackOriginals(page), next: page.next };
    },
    contextItems: plain("contextItems"),
    contextShape: plain("contextShape"),
    contextWindow: async (conversation, query) => {
      // A typed array is transferred faster than a list.
      const held = query.held && {
        ...query.held,
        seqs: Float64Array.from(query.held.seqs),
        stubs: Float64Array.from(query.held.stubs ?? []),
      };
      const window = await read<PackedWindow | undefined>("contextWindow", conversation, { ...query, held });
      return window === undefined ? EMPTY_WINDOW : unpackWindow(window);
    },
    summary: plain("summary"),
    summaries: plain("summaries"),
    summaryOutlines: plain("summaryOutlines"),
    lineage: async (conversation, of) =>
      unpackLineage(await read<PackedLineage>("lineage", conversation, of)),
    describeSummary: async (id) => {
      const found = await read<PackedDescription | undefined>("describeSummary", id);
      return found && unpackDescription(found);
    },
    descend: plain("descend"),
    missingSummaries: plain("missingSummaries"),
    similarSummaryIds: plain("similarSummaryIds"),
    idsBeginning: plain("idsBeginning"),
    turns: plain("turns"),
    receipts: plain("receipts"),
    compactionEvents: plain("compactionEvents"),
    transcripts: plain("transcripts"),
    lostTranscripts: plain("lostTranscripts"),
    transcriptsAt: plain("transcriptsAt"),
    conversationsWith: plain("conversationsWith"),
    transcriptLines: async (conversation, query) => {
      const page = await read<PackedPage<StoredTranscriptLine> | undefined>(
        "transcriptLines",
        conversation,
        query,
      );
      if (page === undefined) return EMPTY_PAGE;
      return { rows: [...unpack<StoredTranscriptLine>(page)], next: page.next };
    },
    searchIndex: async (query) => {
      const { pages, contents, ...index } = await read<PackedIndex>("searchIndex", query);
      if (pages === undefined || contents === undefined) return index;
      return { ...index, pages: unpackPages({ pages, contents }) };
    },
    segmentDocuments: plain("segmentDocuments"),
    searchPages: async (segments, ranges) => {
      const pages = await read<PackedPages | undefined>("searchPages", segments, ranges);
      return pages === undefined ? undefined : unpackPages(pages);
    },
    documents: async (refs, options) =>
      unpackDocuments(await read<PackedDocuments>("documents", refs, options), refs),
    texts: async (refs) => unpackTexts(await read<PackedRows<PackedText>>("texts", refs), refs),
    file: plain("file"),
    files: plain("files"),
    fileMarks: plain("fileMarks"),
    fileLines: plain("fileLines"),
    fileBytes: plain("fileBytes"),
    putContent: async (chunks) => {
      const id = await writer.call<number>("contentBegin");
      try {
        for await (const chunk of chunks) await writer.call("contentAdd", id, chunk);
        return await writer.call<PutContent>("contentEnd", id);
      } catch (error) {
        await writer.call("contentAbandon", id);
        throw error;
      }
    },
    auditLog: plain("auditLog"),
    auditMarks: plain("auditMarks"),
    uncleanedSince: plain("uncleanedSince"),
  };
}
