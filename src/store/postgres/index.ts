/** The shared store: one schema in a PostgreSQL database, written by any number of processes and machines. */
import type { Scope } from "../../types.ts";
import type { GarbageReport } from "../file-store.ts";
import { unpackDescription, unpackLineage } from "../lineage.ts";
import type { MemoryAccess, MemoryStore } from "../memory-store.ts";
import { readContextShape } from "../reads/context-shape.ts";
import { descend } from "../reads/descend.ts";
import { findFile, listFiles, readFileMarks } from "../reads/files.ts";
import { readIdsBeginning } from "../reads/ids-beginning.ts";
import { readDescribedSummary, readLineage, readSimilarIds, readSources } from "../reads/lineage.ts";
import { missingErasures } from "../reads/missing-rows.ts";
import { findSummary, readOutlines, readSummaries } from "../reads/summaries.ts";
import type {
  DumpOptions,
  DumpRow,
  EngineCheckOptions,
  LoadOptions,
  LoadReport,
  ScopedStore,
  Store,
  StoreInfo,
} from "../store.ts";
import { requireNode } from "../supported-node.ts";
import { readReceipts } from "../tables/assembly-receipts.ts";
import { readAudit, readAuditMarks } from "../tables/audit-log.ts";
import { readEvents } from "../tables/compaction-events.ts";
import { readContextItems } from "../tables/context-items.ts";
import { findConversation, listConversations, toConversation } from "../tables/conversations.ts";
import { uncleanedSince } from "../tables/erasure-cleanups.ts";
import { readLostTranscripts } from "../tables/lost-transcripts.ts";
import { findConversationsWith } from "../tables/messages.ts";
import { countMissingSummaries } from "../tables/summaries.ts";
import { readTranscripts, readTranscriptsAt } from "../tables/transcripts.ts";
import { readTurns } from "../tables/turns.ts";
import { addressOf } from "../writes/run-write.ts";
import { runWrites } from "./commit.ts";
import { Connections } from "./connections.ts";
import { readWindow } from "./context-window.ts";
import { readTexts } from "./document-texts.ts";
import { collectGarbage } from "./drop-contents.ts";
import { dumpRows } from "./dump.ts";
import { exclusively } from "./exclusively.ts";
import { loadRows } from "./load.ts";
import { checkEngine, compactFiles } from "./maintenance.ts";
import { HeldSigns } from "./memory/held-signs.ts";
import { PostgresMemoryStore } from "./memory/postgres-memory-store.ts";
import { readMessages, readOriginals } from "./messages.ts";
import { migrate, requireKnownVersion } from "./migrate.ts";
import { OneAtATime } from "./one-at-a-time.ts";
import { fromPostgres } from "./postgres-errors.ts";
import { readPostgresUrl } from "./postgres-url.ts";
import { putContent } from "./put-content.ts";
import { readFileBytes, readFileLines } from "./read-contents.ts";
import { readDocuments, readIndex, readPages, readSegmentDocuments } from "./search-segments.ts";
import { readInfo, readScopes, readTenants } from "./store-info.ts";
import { readLines } from "./transcript-lines.ts";
import { nearestMessages } from "./vectors/nearest-messages.ts";
import { countMessageVectors, readMessageVectors, readUnembedded } from "./vectors/read-message-vectors.ts";
import { VectorIndexes } from "./vectors/vector-indexes.ts";

export interface PostgresStoreOptions {
  /** `postgres://user:password@host:port/database`, with `?schema=name` for a schema other than `palimpsest`. */
  readonly url: string;
  /** Refuse a schema that holds no store instead of making one. Default false. */
  readonly mustExist?: boolean;
}

export async function openPostgresStore(options: PostgresStoreOptions): Promise<Store> {
  requireNode();
  const target = readPostgresUrl(options.url);
  const connections = new Connections(target);
  try {
    await migrate(connections, target.schema, options);
    connections.checkWhileWriting((transaction) => requireKnownVersion(transaction, target.location));
  } catch (error) {
    await connections.close();
    throw error;
  }
  return new PostgresStore(connections);
}

class PostgresStore implements Store {
  readonly engine = "postgres";
  readonly #connections: Connections;
  readonly #queue = new OneAtATime();
  readonly #indexes: VectorIndexes;
  readonly #signs: HeldSigns;

  constructor(connections: Connections) {
    this.#connections = connections;
    this.#indexes = new VectorIndexes(connections);
    this.#signs = new HeldSigns(connections);
  }

  scoped(scope: Scope): ScopedStore {
    return new ScopedPostgresStore(scope, this.#connections, this.#queue, this.#indexes);
  }

  memoriesOf(access: MemoryAccess): MemoryStore {
    const near = { indexes: this.#indexes, signs: this.#signs };
    return new PostgresMemoryStore(access, this.#connections, this.#queue, near);
  }

  scopes(): Promise<readonly Scope[]> {
    return this.#connections.read(readScopes);
  }

  tenants(): Promise<readonly string[]> {
    return this.#connections.read(readTenants);
  }

  info(): Promise<StoreInfo> {
    return this.#connections.read((session) => readInfo(session, this.#connections.location));
  }

  async checkEngine({
    structureOnly = false,
    erasuresOnly = false,
  }: EngineCheckOptions = {}): Promise<readonly string[]> {
    if (structureOnly) return [];
    if (erasuresOnly) return this.#connections.read(missingErasures);
    return this.#connections.alone(checkEngine);
  }

  async *dump({ withDamaged = false }: DumpOptions = {}): AsyncIterable<DumpRow> {
    const client = await this.#connections.connectAlone();
    try {
      yield* dumpRows(client, withDamaged);
    } catch (error) {
      throw fromPostgres(error, this.#connections.location);
    } finally {
      await client.end();
    }
  }

  load(rows: AsyncIterable<DumpRow>, options: LoadOptions): Promise<LoadReport> {
    const { location } = this.#connections;
    return this.#connections.alone((client) => loadRows(client, location, rows, options));
  }

  compactFiles(): Promise<void> {
    return this.#connections.alone(compactFiles);
  }

  collectGarbage({ dryRun }: { readonly dryRun: boolean }): Promise<GarbageReport> {
    return collectGarbage(this.#connections, dryRun);
  }

  close(): Promise<void> {
    return this.#connections.close();
  }
}

class ScopedPostgresStore implements ScopedStore {
  readonly scope: Scope;
  readonly #connections: Connections;
  readonly #queue: OneAtATime;
  readonly #indexes: VectorIndexes;

  constructor(scope: Scope, connections: Connections, queue: OneAtATime, indexes: VectorIndexes) {
    this.scope = { tenant: scope.tenant, agent: scope.agent };
    this.#connections = connections;
    this.#queue = queue;
    this.#indexes = indexes;
  }

  commit: ScopedStore["commit"] = (writes) => {
    const commit = () => this.#connections.write((transaction) => runWrites(transaction, this.scope, writes));
    const [write, ...others] = writes;
    return write === undefined || others.length > 0
      ? commit()
      : this.#queue.run(JSON.stringify([this.scope, addressOf(write)]), commit);
  };

  exclusively: ScopedStore["exclusively"] = (conversation, run) =>
    exclusively(this.#connections, this.scope, conversation, run);

  conversation: ScopedStore["conversation"] = (address) =>
    this.#connections.read(async (session) => {
      const row = await findConversation(session, this.scope, address);
      return row === undefined ? undefined : toConversation(row);
    });

  conversations: ScopedStore["conversations"] = (query) =>
    this.#connections.read((session) => listConversations(session, this.scope, query));

  messages: ScopedStore["messages"] = (conversation, query) =>
    this.#connections.read((session) => readMessages(session, this.scope, conversation, query));

  originals: ScopedStore["originals"] = (conversation, query) =>
    this.#connections.read((session) => readOriginals(session, this.scope, conversation, query));

  contextItems: ScopedStore["contextItems"] = (conversation, query) =>
    this.#connections.read((session) => readContextItems(session, this.scope, conversation, query));

  contextShape: ScopedStore["contextShape"] = (conversation, query) =>
    this.#connections.read((session) => readContextShape(session, this.scope, conversation, query));

  contextWindow: ScopedStore["contextWindow"] = (conversation, query) =>
    this.#connections.read((session) => readWindow(session, this.scope, conversation, query));

  summary: ScopedStore["summary"] = (id) =>
    this.#connections.read((session) => findSummary(session, this.scope, id));

  summaries: ScopedStore["summaries"] = (conversation, query) =>
    this.#connections.read((session) => readSummaries(session, this.scope, conversation, query));

  summaryOutlines: ScopedStore["summaryOutlines"] = (conversation, query) =>
    this.#connections.read((session) => readOutlines(session, this.scope, conversation, query));

  lineage: ScopedStore["lineage"] = (conversation, of) =>
    this.#connections.read(async (session) =>
      unpackLineage(await readLineage(session, this.scope, conversation, of)),
    );

  describeSummary: ScopedStore["describeSummary"] = (id) =>
    this.#connections.read(async (session) => {
      const found = await readDescribedSummary(session, this.scope, id);
      return found && unpackDescription(found);
    });

  descend: ScopedStore["descend"] = (query) =>
    descend(
      {
        summary: this.summary,
        messages: this.messages,
        sources: (summary) => this.#connections.read((session) => readSources(session, this.scope, summary)),
      },
      query,
    );

  missingSummaries: ScopedStore["missingSummaries"] = (conversation) =>
    this.#connections.read((session) => countMissingSummaries(session, this.scope, conversation));

  similarSummaryIds: ScopedStore["similarSummaryIds"] = (id) =>
    this.#connections.read((session) => readSimilarIds(session, this.scope, id));

  idsBeginning: ScopedStore["idsBeginning"] = (text) =>
    this.#connections.read((session) => readIdsBeginning(session, this.scope, text));

  turns: ScopedStore["turns"] = (conversation, query) =>
    this.#connections.read((session) => readTurns(session, this.scope, conversation, query));

  receipts: ScopedStore["receipts"] = (conversation, query) =>
    this.#connections.read((session) => readReceipts(session, this.scope, conversation, query));

  compactionEvents: ScopedStore["compactionEvents"] = (conversation, query) =>
    this.#connections.read((session) => readEvents(session, this.scope, conversation, query));

  transcripts: ScopedStore["transcripts"] = (conversation) =>
    this.#connections.read((session) => readTranscripts(session, this.scope, conversation));

  lostTranscripts: ScopedStore["lostTranscripts"] = (conversation) =>
    this.#connections.read((session) => readLostTranscripts(session, this.scope, conversation));

  conversationsWith: ScopedStore["conversationsWith"] = (key) =>
    this.#connections.read((session) => findConversationsWith(session, this.scope, key));

  transcriptsAt: ScopedStore["transcriptsAt"] = (path) =>
    this.#connections.read((session) => readTranscriptsAt(session, this.scope, path));

  transcriptLines: ScopedStore["transcriptLines"] = (conversation, query) =>
    this.#connections.read((session) => readLines(session, this.scope, conversation, query));

  searchIndex: ScopedStore["searchIndex"] = (query) =>
    this.#connections.read((session) => readIndex(session, this.scope, query));

  segmentDocuments: ScopedStore["segmentDocuments"] = (segments) =>
    this.#connections.read((session) => readSegmentDocuments(session, this.scope, segments));

  searchPages: ScopedStore["searchPages"] = (segments, ranges) =>
    this.#connections.read((session) => readPages(session, this.scope, segments, ranges));

  documents: ScopedStore["documents"] = (refs, options) =>
    this.#connections.read((session) => readDocuments(session, this.scope, refs, options));

  texts: ScopedStore["texts"] = (refs) =>
    this.#connections.read((session) => readTexts(session, this.scope, refs));

  nearestMessages: ScopedStore["nearestMessages"] = (query) =>
    nearestMessages(this.#connections, this.#indexes, this.scope, query);

  messageVectors: ScopedStore["messageVectors"] = (model, refs) =>
    this.#connections.read((session) => readMessageVectors(session, this.scope, model, refs));

  unembedded: ScopedStore["unembedded"] = (model, query) =>
    this.#connections.read((session) => readUnembedded(session, this.scope, model, query));

  messageVectorCounts: ScopedStore["messageVectorCounts"] = () =>
    this.#connections.read((session) => countMessageVectors(session, this.scope));

  file: ScopedStore["file"] = (id) => this.#connections.read((session) => findFile(session, this.scope, id));

  files: ScopedStore["files"] = (query) =>
    this.#connections.read((session) => listFiles(session, this.scope, query));

  fileMarks: ScopedStore["fileMarks"] = (after, limit) =>
    this.#connections.read((session) => readFileMarks(session, this.scope, after, limit));

  fileLines: ScopedStore["fileLines"] = (id) =>
    this.#connections.read((session) => readFileLines(session, this.scope, id));

  fileBytes: ScopedStore["fileBytes"] = (id, start, end) =>
    this.#connections.read((session) => readFileBytes(session, this.scope, id, start, end));

  putContent: ScopedStore["putContent"] = (chunks) => putContent(this.#connections, this.scope, chunks);

  auditLog: ScopedStore["auditLog"] = (query) =>
    this.#connections.read((session) => readAudit(session, this.scope, query));

  auditMarks: ScopedStore["auditMarks"] = (after, limit) =>
    this.#connections.read((session) => readAuditMarks(session, this.scope, after, limit));

  uncleanedSince: ScopedStore["uncleanedSince"] = () =>
    this.#connections.read((session) => uncleanedSince(session, this.scope));
}
